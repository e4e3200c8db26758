from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models
from django.db.models.fields.json import KeyTextTransform


class Migration(migrations.Migration):

    # Waits for nobody who reads or writes the table.
    atomic = False

    dependencies = [
        ('events', '0003_only_added_to'),
    ]

    operations = [
        AddIndexConcurrently(
            model_name='event',
            index=models.Index(KeyTextTransform('interaction', 'subject'), name='event_of_interaction'),
        ),
    ]
