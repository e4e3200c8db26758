from django.db import migrations, models

from verifyhub.common.index_migration import IndexMigration, added, known


class Migration(IndexMigration):
    dependencies = [
        ("ingest", "0005_parent_index"),
    ]

    operations = [
        known(
            migrations.AddIndex(
                model_name="bulk",
                index=models.Index(
                    fields=["lease_until"],
                    condition=models.Q(state="receiving"),
                    name="bulk_receiving",
                ),
            ),
        ),
        added(
            "bulk_receiving",
            "ingest_bulk (lease_until) WHERE state = 'receiving'",
        ),
    ]
