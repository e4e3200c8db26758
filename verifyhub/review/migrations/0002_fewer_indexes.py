"""No index of an item's project beside those that begin with it."""

import django.db.models.deletion
from django.db import migrations, models

import verifyhub.common.db
from verifyhub.common.index_migration import IndexMigration, dropped, known


class Migration(IndexMigration):
    dependencies = [
        ("review", "0001_schema"),
    ]

    operations = [
        known(
            migrations.AlterField(
                model_name="reviewitem",
                name="id",
                field=models.UUIDField(
                    default=verifyhub.common.db.new_id,
                    editable=False,
                    primary_key=True,
                    serialize=False,
                ),
            ),
            migrations.AlterField(
                model_name="reviewitem",
                name="project",
                field=models.ForeignKey(
                    db_index=False,
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="+",
                    to="accounts.project",
                ),
            ),
        ),
        dropped(
            "review_reviewitem_project_id_8ffb58a7", "review_reviewitem (project_id)"
        ),
    ]
