"""Entries by time in the order in which they come; no index within another."""

import django.db.models.deletion
from django.db import migrations, models

import verifyhub.common.db
from verifyhub.common.index_migration import IndexMigration, dropped, known, replaced, tuned


class Migration(IndexMigration):
    dependencies = [
        ("memory", "0003_retired_reasons_as_codes"),
    ]

    operations = [
        known(
            migrations.RemoveIndex(
                model_name="memoryentry",
                name="memory_entry_context",
            ),
            migrations.RemoveIndex(
                model_name="memoryentry",
                name="memory_entry_recent",
            ),
            migrations.RemoveIndex(
                model_name="memoryentry",
                name="memory_entry_told",
            ),
            migrations.AlterField(
                model_name="constraint",
                name="id",
                field=models.UUIDField(
                    default=verifyhub.common.db.new_id,
                    editable=False,
                    primary_key=True,
                    serialize=False,
                ),
            ),
            migrations.AlterField(
                model_name="constraint",
                name="project",
                field=models.ForeignKey(
                    db_index=False,
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="constraints",
                    to="accounts.project",
                ),
            ),
            migrations.AlterField(
                model_name="memoryentry",
                name="id",
                field=models.UUIDField(
                    default=verifyhub.common.db.new_id,
                    editable=False,
                    primary_key=True,
                    serialize=False,
                ),
            ),
            migrations.AlterField(
                model_name="memoryentry",
                name="project",
                field=models.ForeignKey(
                    db_index=False,
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="+",
                    to="accounts.project",
                ),
            ),
            migrations.AlterField(
                model_name="sighting",
                name="constraint",
                field=models.ForeignKey(
                    db_index=False,
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="sightings",
                    to="memory.constraint",
                ),
            ),
            migrations.AlterField(
                model_name="sighting",
                name="project",
                field=models.ForeignKey(
                    db_index=False,
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="+",
                    to="accounts.project",
                ),
            ),
            migrations.AddIndex(
                model_name="memoryentry",
                index=models.Index(
                    fields=["project", "created_at", "id"], name="memory_entry_by_time"
                ),
            ),
            migrations.AddIndex(
                model_name="memoryentry",
                index=models.Index(
                    condition=models.Q(("session__isnull", False), ("state", "active")),
                    fields=["session", "created_at", "id"],
                    name="memory_entry_of_session",
                ),
            ),
        ),
        dropped(
            "memory_memoryentry_project_id_5ac51224", "memory_memoryentry (project_id)"
        ),
        dropped(
            "memory_constraint_project_id_55118117", "memory_constraint (project_id)"
        ),
        dropped("memory_sighting_project_id_e6b7ea5a", "memory_sighting (project_id)"),
        dropped(
            "memory_sighting_constraint_id_b4a2810d", "memory_sighting (constraint_id)"
        ),
        dropped(
            "memory_entry_context",
            "memory_memoryentry (project_id, session_id, state, kind, updated_at DESC)",
        ),
        replaced(
            "memory_entry_recent",
            "memory_memoryentry (project_id, created_at DESC, id DESC)",
            "memory_entry_by_time",
            "memory_memoryentry (project_id, created_at, id)",
        ),
        replaced(
            "memory_entry_told",
            "memory_memoryentry (session_id, created_at DESC, id DESC)"
            " WHERE state = 'active'",
            "memory_entry_of_session",
            "memory_memoryentry (session_id, created_at, id)"
            " WHERE session_id IS NOT NULL AND state = 'active'",
        ),
        # What new rows add waits in a list, of 4 MB unless told: with names a few of a
        # run, that is more than the tree of a thousand runs.
        *(
            tuned(index, gin_pending_list_limit=256)
            for index in (
                "memory_entry_words",
                "memory_entry_near",
                "constraint_words",
                "constraint_near",
            )
        ),
    ]
