"""Keep who said what to every session, and whose agents saw a name.

What people said before goes on holding for every session: its voices are not known.
"""

import django.contrib.postgres.fields
from django.db import migrations, models

# Few rows, all of them said by people.
HOLD = """
UPDATE memory_memoryentry SET reach = 'project'
WHERE (kind = 'correction' AND mention_kind NOT IN ('', 'claim', 'fact', 'answer'))
   OR scope = 'project'
"""


class Migration(migrations.Migration):
    dependencies = [("memory", "0004_fewer_indexes")]

    operations = [
        migrations.AddField(
            model_name="memoryentry",
            name="voices",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(max_length=80), null=True, size=None
            ),
        ),
        migrations.AddField(
            model_name="memoryentry",
            name="reach",
            field=models.CharField(
                choices=[
                    ("session", "This session only"),
                    ("name", "All sessions, without the suggested name"),
                    ("project", "All sessions"),
                ],
                db_default="session",
                default="session",
                max_length=10,
            ),
        ),
        migrations.AddField(
            model_name="sighting",
            name="agent",
            field=models.CharField(
                blank=True, db_default="", default="", max_length=200
            ),
        ),
        migrations.AddField(
            model_name="sighting",
            name="deployment",
            field=models.CharField(
                blank=True, db_default="", default="", max_length=200
            ),
        ),
        migrations.RunSQL(HOLD, migrations.RunSQL.noop),
    ]
