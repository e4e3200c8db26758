"""Judged answers by time in the order in which they come."""

import django.db.models.deletion
from django.db import migrations, models

from verifyhub.common.index_migration import IndexMigration, dropped, known, replaced


class Migration(IndexMigration):
    dependencies = [
        ("learning", "0001_schema"),
    ]

    operations = [
        known(
            migrations.RemoveIndex(
                model_name="judgedanswer",
                name="judged_answer_recent",
            ),
            migrations.RemoveIndex(
                model_name="judgedanswer",
                name="judged_answer_of_agent",
            ),
            migrations.AlterField(
                model_name="judgedanswer",
                name="project",
                field=models.ForeignKey(
                    db_index=False,
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="+",
                    to="accounts.project",
                ),
            ),
            migrations.AddIndex(
                model_name="judgedanswer",
                index=models.Index(
                    fields=["project", "answered_at"], name="judged_answer_by_time"
                ),
            ),
            migrations.AddIndex(
                model_name="judgedanswer",
                index=models.Index(
                    fields=["project", "agent", "answered_at"],
                    name="judged_answer_by_agent",
                ),
            ),
        ),
        dropped(
            "learning_judgedanswer_project_id_434de25e",
            "learning_judgedanswer (project_id)",
        ),
        replaced(
            "judged_answer_recent",
            "learning_judgedanswer (project_id, answered_at DESC)",
            "judged_answer_by_time",
            "learning_judgedanswer (project_id, answered_at)",
        ),
        replaced(
            "judged_answer_of_agent",
            "learning_judgedanswer (project_id, agent, answered_at DESC)",
            "judged_answer_by_agent",
            "learning_judgedanswer (project_id, agent, answered_at)",
        ),
    ]
