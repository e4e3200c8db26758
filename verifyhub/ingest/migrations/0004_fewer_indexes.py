"""Runs by time in the order in which they come; no index within another."""

import django.db.models.deletion
import django.db.models.fields.json
import django.db.models.functions.text
import django.db.models.lookups
from django.db import migrations, models

import verifyhub.common.db
from verifyhub.common.index_migration import IndexMigration, dropped, known, replaced

BY_MODEL = """ingest_interaction (
    project_id,
    (CASE
        WHEN length(metadata ->> 'model') > 0
            AND jsonb_typeof(metadata -> 'model') = 'string'
        THEN left(metadata ->> 'model', 200)::varchar
        ELSE agent_tier
    END),
    created_at{order},
    id{order}
)"""


class Migration(IndexMigration):
    dependencies = [
        ("ingest", "0003_packed_outputs"),
    ]

    operations = [
        known(
            migrations.RemoveIndex(
                model_name="interaction",
                name="interaction_recent",
            ),
            migrations.RemoveIndex(
                model_name="interaction",
                name="interaction_agent",
            ),
            migrations.RemoveIndex(
                model_name="interaction",
                name="interaction_tier",
            ),
            migrations.RemoveIndex(
                model_name="interaction",
                name="interaction_model",
            ),
            migrations.AlterField(
                model_name="interaction",
                name="id",
                field=models.UUIDField(
                    default=verifyhub.common.db.new_id,
                    editable=False,
                    primary_key=True,
                    serialize=False,
                ),
            ),
            migrations.AlterField(
                model_name="interaction",
                name="project",
                field=models.ForeignKey(
                    db_index=False,
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="interactions",
                    to="accounts.project",
                ),
            ),
            migrations.AlterField(
                model_name="interaction",
                name="session",
                field=models.ForeignKey(
                    db_index=False,
                    null=True,
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="interactions",
                    to="ingest.session",
                ),
            ),
            migrations.AlterField(
                model_name="session",
                name="id",
                field=models.UUIDField(
                    default=verifyhub.common.db.new_id,
                    editable=False,
                    primary_key=True,
                    serialize=False,
                ),
            ),
            migrations.AlterField(
                model_name="toolcall",
                name="interaction",
                field=models.ForeignKey(
                    db_index=False,
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="tool_calls",
                    to="ingest.interaction",
                ),
            ),
            migrations.AddIndex(
                model_name="interaction",
                index=models.Index(
                    fields=["project", "created_at", "id"], name="interaction_by_time"
                ),
            ),
            migrations.AddIndex(
                model_name="interaction",
                index=models.Index(
                    condition=models.Q(("agent_name", ""), _negated=True),
                    fields=["project", "agent_name", "created_at", "id"],
                    name="interaction_by_agent",
                ),
            ),
            migrations.AddIndex(
                model_name="interaction",
                index=models.Index(
                    condition=models.Q(("agent_tier", ""), _negated=True),
                    fields=["project", "agent_tier", "created_at", "id"],
                    name="interaction_by_tier",
                ),
            ),
            migrations.AddIndex(
                model_name="interaction",
                index=models.Index(
                    models.F("project"),
                    models.Case(
                        models.When(
                            models.Q(
                                django.db.models.lookups.GreaterThan(
                                    django.db.models.functions.text.Length(
                                        django.db.models.fields.json.KeyTextTransform(
                                            "model", "metadata"
                                        )
                                    ),
                                    0,
                                ),
                                django.db.models.lookups.Exact(
                                    models.Func(
                                        django.db.models.fields.json.KeyTransform(
                                            "model", "metadata"
                                        ),
                                        function="jsonb_typeof",
                                        output_field=models.TextField(),
                                    ),
                                    models.Value("string"),
                                ),
                            ),
                            then=django.db.models.functions.text.Left(
                                django.db.models.fields.json.KeyTextTransform(
                                    "model", "metadata"
                                ),
                                200,
                            ),
                        ),
                        default=models.F("agent_tier"),
                        output_field=models.TextField(),
                    ),
                    models.F("created_at"),
                    models.F("id"),
                    name="interaction_by_model",
                ),
            ),
        ),
        dropped(
            "ingest_interaction_project_id_99d2e4a3", "ingest_interaction (project_id)"
        ),
        dropped(
            "ingest_interaction_session_id_41015bbc", "ingest_interaction (session_id)"
        ),
        dropped(
            "ingest_toolcall_interaction_id_485fbe40",
            "ingest_toolcall (interaction_id)",
        ),
        replaced(
            "interaction_recent",
            "ingest_interaction (project_id, created_at DESC, id DESC)",
            "interaction_by_time",
            "ingest_interaction (project_id, created_at, id)",
        ),
        replaced(
            "interaction_agent",
            "ingest_interaction (project_id, agent_name, created_at DESC, id DESC)"
            " WHERE NOT agent_name = ''",
            "interaction_by_agent",
            "ingest_interaction (project_id, agent_name, created_at, id)"
            " WHERE NOT agent_name = ''",
        ),
        replaced(
            "interaction_tier",
            "ingest_interaction (project_id, agent_tier, created_at DESC, id DESC)"
            " WHERE NOT agent_tier = ''",
            "interaction_by_tier",
            "ingest_interaction (project_id, agent_tier, created_at, id)"
            " WHERE NOT agent_tier = ''",
        ),
        replaced(
            "interaction_model",
            BY_MODEL.format(order=" DESC"),
            "interaction_by_model",
            BY_MODEL.format(order=""),
        ),
    ]
