from django.contrib.postgres.operations import (
    AddIndexConcurrently,
    RemoveIndexConcurrently,
)
from django.db import migrations, models


class Migration(migrations.Migration):

    # Waits for nobody who reads or writes the table.
    atomic = False

    dependencies = [
        ('memory', '0002_entries_of_a_kind'),
    ]

    operations = [
        AddIndexConcurrently(
            model_name='memoryentry',
            index=models.Index(condition=models.Q(('kind', 'finding')), fields=['project', 'mention_kind', 'mention_key', 'grade', '-created_at'], name='memory_entry_proven'),
        ),
        RemoveIndexConcurrently(
            model_name='memoryentry',
            name='memory_entry_shown',
        ),
    ]
