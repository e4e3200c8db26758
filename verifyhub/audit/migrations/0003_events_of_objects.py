from django.contrib.postgres.operations import (
    AddIndexConcurrently,
    RemoveIndexConcurrently,
)
from django.db import migrations, models


class Migration(migrations.Migration):

    # Waits for nobody who reads or writes the table.
    atomic = False

    dependencies = [
        ('audit', '0002_append_only'),
    ]

    operations = [
        AddIndexConcurrently(
            model_name='auditevent',
            index=models.Index(fields=['object_id', 'id'], name='audit_event_of_object'),
        ),
        RemoveIndexConcurrently(
            model_name='auditevent',
            name='audit_event_object',
        ),
    ]
