"""Leave the id out of indexes by time, and room on pages for the counters of new names.

The indexes are made and dropped beside servers that read and write.
"""

from django.contrib.postgres.operations import (
    AddIndexConcurrently,
    RemoveIndexConcurrently,
)
from django.db import migrations, models


class Migration(migrations.Migration):

    # Waits for nobody who reads or writes the tables.
    atomic = False

    dependencies = [
        ('memory', '0005_shorter_pending_lists'),
    ]

    operations = [
        AddIndexConcurrently(
            model_name='memoryentry',
            index=models.Index(fields=['project', 'created_at'], name='memory_entry_made'),
        ),
        RemoveIndexConcurrently(
            model_name='memoryentry',
            name='memory_entry_by_time',
        ),
        AddIndexConcurrently(
            model_name='memoryentry',
            index=models.Index(condition=models.Q(('kind', 'finding'), _negated=True), fields=['project', 'kind', 'created_at'], name='memory_entry_made_of_kind'),
        ),
        RemoveIndexConcurrently(
            model_name='memoryentry',
            name='memory_entry_of_other_kind',
        ),
        # A candidate is counted in the transaction that proposes it.
        migrations.RunSQL(
            'ALTER TABLE memory_constraint SET (fillfactor = 50)',
            'ALTER TABLE memory_constraint RESET (fillfactor)',
        ),
    ]
