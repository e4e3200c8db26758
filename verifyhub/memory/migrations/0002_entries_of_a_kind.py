from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):

    # Waits for nobody who reads or writes the table.
    atomic = False

    dependencies = [
        ('memory', '0001_tables'),
    ]

    operations = [
        AddIndexConcurrently(
            model_name='memoryentry',
            index=models.Index(fields=['project', 'kind', '-created_at', '-id'], name='memory_entry_of_kind'),
        ),
    ]
