"""Keep the names of all agents together too, and read each day's most common first.

Nothing is locked for long: days are summed up one at a time from the names of agents,
and the large index is built beside the work.
"""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models

DAYS = "SELECT DISTINCT project_id, day FROM metrics_dayname"
FILL = """
INSERT INTO metrics_totalname
    (project_id, day, kind, key, text, reason, answers, sessions)
SELECT %(project)s, %(day)s, kind, key, max(text), max(reason), sum(answers), array(
    SELECT DISTINCT session
    FROM metrics_dayname AS same, unnest(same.sessions) AS session
    WHERE same.project_id = %(project)s AND same.day = %(day)s
      AND same.kind = name.kind AND same.key = name.key
    ORDER BY session
)
FROM metrics_dayname AS name
WHERE project_id = %(project)s AND day = %(day)s
GROUP BY kind, key
ON CONFLICT DO NOTHING
"""


def fill(apps, schema_editor):
    with schema_editor.connection.cursor() as cursor:
        cursor.execute(DAYS)
        for project, day in cursor.fetchall():
            cursor.execute(FILL, {"project": project, "day": day})


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("accounts", "0011_key_rotation"),
        ("metrics", "0004_no_measured"),
    ]

    operations = [
        migrations.CreateModel(
            name="TotalName",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True,
                        primary_key=True,
                        serialize=False,
                        verbose_name="ID",
                    ),
                ),
                ("day", models.DateField()),
                ("kind", models.CharField(max_length=30)),
                ("key", models.CharField(max_length=500)),
                ("text", models.TextField()),
                ("reason", models.CharField(max_length=40)),
                ("answers", models.PositiveIntegerField()),
                (
                    "sessions",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.UUIDField(), size=None
                    ),
                ),
                (
                    "project",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="accounts.project",
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="totalname",
            constraint=models.UniqueConstraint(
                fields=["project", "kind", "key", "day"], name="total_name_once"
            ),
        ),
        migrations.AddIndex(
            model_name="totalname",
            index=models.Index(
                models.F("project"),
                models.F("day"),
                models.OrderBy(models.F("answers"), descending=True),
                models.F("kind"),
                models.F("key"),
                name="total_name_most",
            ),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
        AddIndexConcurrently(
            model_name="dayname",
            index=models.Index(
                models.F("project"),
                models.F("day"),
                models.F("agent"),
                models.F("tier"),
                models.F("model"),
                models.OrderBy(models.F("answers"), descending=True),
                name="day_name_most",
            ),
        ),
        migrations.RemoveConstraint(model_name="dayname", name="day_name_once"),
    ]
