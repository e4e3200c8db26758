"""No index of a project beside those that begin with it."""

import django.db.models.deletion
from django.db import migrations, models

from verifyhub.common.index_migration import IndexMigration, dropped, known


class Migration(IndexMigration):
    dependencies = [
        ("metrics", "0002_changes"),
    ]

    operations = [
        known(
            migrations.AlterField(
                model_name="change",
                name="project",
                field=models.ForeignKey(
                    db_constraint=False,
                    db_index=False,
                    on_delete=django.db.models.deletion.DO_NOTHING,
                    related_name="+",
                    to="accounts.project",
                ),
            ),
            migrations.AlterField(
                model_name="dayname",
                name="project",
                field=models.ForeignKey(
                    db_index=False,
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="+",
                    to="accounts.project",
                ),
            ),
            migrations.AlterField(
                model_name="totalname",
                name="project",
                field=models.ForeignKey(
                    db_index=False,
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="+",
                    to="accounts.project",
                ),
            ),
        ),
        dropped("metrics_change_project_id_11fc1002", "metrics_change (project_id)"),
        dropped("metrics_dayname_project_id_8b4fa5b6", "metrics_dayname (project_id)"),
        dropped(
            "metrics_totalname_project_id_38652c6f", "metrics_totalname (project_id)"
        ),
    ]
