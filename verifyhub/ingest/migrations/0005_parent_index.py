from django.db import migrations, models

from verifyhub.common.index_migration import IndexMigration, added, known


class Migration(IndexMigration):
    dependencies = [
        ("ingest", "0004_fewer_indexes"),
    ]

    operations = [
        known(
            migrations.AddIndex(
                model_name="interaction",
                index=models.Index(
                    fields=["project", "parent"],
                    condition=~models.Q(parent=""),
                    name="interaction_parent",
                ),
            ),
        ),
        added(
            "interaction_parent",
            "ingest_interaction (project_id, parent) WHERE NOT (parent = '')",
        ),
    ]
