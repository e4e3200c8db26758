"""Build an index over when items came into the queue, beside the work."""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("review", "0014_claims_of_fact")]

    operations = [
        AddIndexConcurrently(
            model_name="reviewitem",
            index=models.Index(
                fields=["project", "created_at"], name="review_item_opened"
            ),
        )
    ]
