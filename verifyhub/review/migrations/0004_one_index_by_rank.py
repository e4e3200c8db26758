from django.contrib.postgres.operations import RemoveIndexConcurrently
from django.db import migrations


class Migration(migrations.Migration):

    # Waits for nobody who reads or writes the table.
    atomic = False

    dependencies = [
        ('review', '0003_opened_items'),
    ]

    operations = [
        RemoveIndexConcurrently(
            model_name='reviewitem',
            name='review_item_pool',
        ),
    ]
