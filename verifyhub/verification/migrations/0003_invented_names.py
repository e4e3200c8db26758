from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):

    # Waits for nobody who reads or writes the table.
    atomic = False

    dependencies = [
        ('verification', '0002_log_append_only'),
    ]

    operations = [
        AddIndexConcurrently(
            model_name='mentionverdict',
            index=models.Index(condition=models.Q(('status', 'unverified')), fields=['project', 'kind', 'key'], name='mention_invented_name'),
        ),
    ]
