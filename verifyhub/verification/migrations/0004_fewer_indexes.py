"""No index of a foreign key where another begins with it; ends by time."""

import django.db.models.deletion
from django.db import migrations, models

import verifyhub.common.db
from verifyhub.common.index_migration import IndexMigration, dropped, known, replaced, tuned


class Migration(IndexMigration):
    dependencies = [
        ("verification", "0003_opinions_in_the_row_queue"),
    ]

    operations = [
        known(
            migrations.RemoveIndex(
                model_name="verification",
                name="verification_recent",
            ),
            migrations.AlterField(
                model_name="claimverdict",
                name="id",
                field=models.UUIDField(
                    default=verifyhub.common.db.new_id,
                    editable=False,
                    primary_key=True,
                    serialize=False,
                ),
            ),
            migrations.AlterField(
                model_name="claimverdict",
                name="project",
                field=models.ForeignKey(
                    db_index=False,
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="+",
                    to="accounts.project",
                ),
            ),
            migrations.AlterField(
                model_name="claimverdict",
                name="verification",
                field=models.ForeignKey(
                    db_index=False,
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="claims",
                    to="verification.verification",
                ),
            ),
            migrations.AlterField(
                model_name="mentionverdict",
                name="id",
                field=models.UUIDField(
                    default=verifyhub.common.db.new_id,
                    editable=False,
                    primary_key=True,
                    serialize=False,
                ),
            ),
            migrations.AlterField(
                model_name="mentionverdict",
                name="project",
                field=models.ForeignKey(
                    db_index=False,
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="+",
                    to="accounts.project",
                ),
            ),
            migrations.AlterField(
                model_name="mentionverdict",
                name="verification",
                field=models.ForeignKey(
                    db_index=False,
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="mentions",
                    to="verification.verification",
                ),
            ),
            migrations.AlterField(
                model_name="verification",
                name="id",
                field=models.UUIDField(
                    default=verifyhub.common.db.new_id,
                    editable=False,
                    primary_key=True,
                    serialize=False,
                ),
            ),
            migrations.AlterField(
                model_name="verification",
                name="interaction",
                field=models.ForeignKey(
                    db_index=False,
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="verifications",
                    to="ingest.interaction",
                ),
            ),
            migrations.AlterField(
                model_name="verificationlog",
                name="id",
                field=models.UUIDField(
                    default=verifyhub.common.db.new_id,
                    editable=False,
                    primary_key=True,
                    serialize=False,
                ),
            ),
            migrations.AlterField(
                model_name="verificationlog",
                name="interaction",
                field=models.ForeignKey(
                    db_constraint=False,
                    db_index=False,
                    on_delete=django.db.models.deletion.DO_NOTHING,
                    related_name="verification_logs",
                    to="ingest.interaction",
                ),
            ),
            migrations.AlterField(
                model_name="verificationlog",
                name="project",
                field=models.ForeignKey(
                    db_constraint=False,
                    db_index=False,
                    on_delete=django.db.models.deletion.DO_NOTHING,
                    related_name="+",
                    to="accounts.project",
                ),
            ),
            migrations.AddIndex(
                model_name="verification",
                index=models.Index(
                    condition=models.Q(("finished_at__isnull", False)),
                    fields=["project", "finished_at"],
                    name="verification_by_end",
                ),
            ),
        ),
        dropped(
            "verification_verification_interaction_id_fc9fd313",
            "verification_verification (interaction_id)",
        ),
        dropped(
            "verification_mentionverdict_verification_id_e4dd64d8",
            "verification_mentionverdict (verification_id)",
        ),
        dropped(
            "verification_mentionverdict_project_id_f5c957e4",
            "verification_mentionverdict (project_id)",
        ),
        dropped(
            "verification_claimverdict_verification_id_9595927d",
            "verification_claimverdict (verification_id)",
        ),
        dropped(
            "verification_claimverdict_project_id_4a89cb40",
            "verification_claimverdict (project_id)",
        ),
        dropped(
            "verification_verificationlog_interaction_id_1dc443be",
            "verification_verificationlog (interaction_id)",
        ),
        dropped(
            "verification_verificationlog_project_id_2bda39f2",
            "verification_verificationlog (project_id)",
        ),
        replaced(
            "verification_recent",
            "verification_verification (project_id, finished_at DESC, id DESC)",
            "verification_by_end",
            "verification_verification (project_id, finished_at)"
            " WHERE finished_at IS NOT NULL",
        ),
        # Each row is written three times: the room of the former versions is wanted again.
        tuned("verification_verification", autovacuum_vacuum_scale_factor=0.05),
    ]
