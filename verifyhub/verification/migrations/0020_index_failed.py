"""Failed verifications are few among many, and counted at every scrape."""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    # Concurrently: answers go on arriving while a large table is indexed.
    atomic = False

    dependencies = [("verification", "0019_due_rows_by_project")]

    operations = [
        AddIndexConcurrently(
            model_name="verification",
            index=models.Index(
                fields=["project"],
                condition=models.Q(state="failed"),
                name="verification_failed",
            ),
        ),
    ]
