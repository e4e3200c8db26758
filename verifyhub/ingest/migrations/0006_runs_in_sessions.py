from django.contrib.postgres.operations import (
    AddIndexConcurrently,
    RemoveIndexConcurrently,
)
from django.db import migrations, models


class Migration(migrations.Migration):

    # Waits for nobody who reads or writes the table.
    atomic = False

    dependencies = [
        ('ingest', '0005_calls_without_number'),
    ]

    operations = [
        AddIndexConcurrently(
            model_name='interaction',
            index=models.Index(condition=models.Q(('session__isnull', False)), fields=['session', 'created_at', 'id'], name='interaction_in_session'),
        ),
        RemoveIndexConcurrently(
            model_name='interaction',
            name='interaction_session',
        ),
    ]
