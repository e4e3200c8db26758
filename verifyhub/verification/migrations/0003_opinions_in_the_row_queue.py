"""Awaited opinions get the columns and states of every other queue of rows."""

import django.db.models.deletion
from django.db import migrations, models

STATES = """
UPDATE verification_awaitedopinion SET
    state = CASE state
        WHEN 'waiting' THEN 'pending' WHEN 'asking' THEN 'running'
        WHEN 'answered' THEN 'finished' WHEN 'given_up' THEN 'failed'
        ELSE state END
"""
FORMER_STATES = """
UPDATE verification_awaitedopinion SET
    next_at = coalesce(next_at, now()),
    state = CASE state
        WHEN 'pending' THEN 'waiting' WHEN 'running' THEN 'asking'
        WHEN 'finished' THEN 'answered' WHEN 'failed' THEN 'given_up'
        ELSE state END
"""


class Migration(migrations.Migration):
    dependencies = [("verification", "0002_log_append_only")]

    operations = [
        migrations.RemoveIndex(
            model_name="awaitedopinion", name="awaited_opinion_queue"
        ),
        migrations.RenameField(
            model_name="awaitedopinion", old_name="tries", new_name="attempts"
        ),
        migrations.AlterField(
            model_name="awaitedopinion",
            name="verification",
            field=models.OneToOneField(
                db_column="id",
                on_delete=django.db.models.deletion.CASCADE,
                primary_key=True,
                related_name="awaited_opinion",
                serialize=False,
                to="verification.verification",
            ),
        ),
        migrations.AddField(
            model_name="awaitedopinion",
            name="error",
            field=models.CharField(blank=True, max_length=500),
            preserve_default=True,
        ),
        migrations.AddField(
            model_name="awaitedopinion",
            name="rung_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="awaitedopinion",
            name="finished_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AlterField(
            model_name="awaitedopinion",
            name="next_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AlterField(
            model_name="awaitedopinion",
            name="state",
            field=models.CharField(
                choices=[
                    ("pending", "Waiting"),
                    ("running", "Asking"),
                    ("finished", "Answered"),
                    ("failed", "Failed permanently"),
                    ("replaced", "Replaced"),
                ],
                default="pending",
                max_length=20,
            ),
        ),
        migrations.RunSQL(STATES, FORMER_STATES),
        migrations.AddIndex(
            model_name="awaitedopinion",
            index=models.Index(
                condition=models.Q(("state__in", ["pending", "running"])),
                fields=["created_at", "verification"],
                name="awaited_opinion_waiting",
            ),
        ),
    ]
