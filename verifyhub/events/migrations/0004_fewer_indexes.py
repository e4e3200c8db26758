"""No index of an event's project beside those that begin with it."""

import django.db.models.deletion
from django.db import migrations, models

import verifyhub.common.db
from verifyhub.common.index_migration import IndexMigration, dropped, known, tuned


class Migration(IndexMigration):
    dependencies = [
        ("events", "0003_state_params"),
    ]

    operations = [
        known(
            migrations.AlterField(
                model_name="event",
                name="id",
                field=models.UUIDField(
                    default=verifyhub.common.db.new_id,
                    editable=False,
                    primary_key=True,
                    serialize=False,
                ),
            ),
            migrations.AlterField(
                model_name="event",
                name="project",
                field=models.ForeignKey(
                    db_constraint=False,
                    db_index=False,
                    on_delete=django.db.models.deletion.DO_NOTHING,
                    related_name="+",
                    to="accounts.project",
                ),
            ),
        ),
        dropped("events_event_project_id_b9c378d4", "events_event (project_id)"),
        # Each row is written twice: the room of the former versions is wanted again.
        tuned("events_event", autovacuum_vacuum_scale_factor=0.05),
    ]
