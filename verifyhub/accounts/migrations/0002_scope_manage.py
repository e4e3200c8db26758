"""Name the scope `manage`; no row changes."""

import django.contrib.postgres.fields
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_schema")]

    operations = [
        migrations.AlterField(
            model_name="apikey",
            name="scopes",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(
                    choices=[
                        ("ingest", "Send interactions"),
                        ("read", "Read verdicts, context and exports"),
                        ("review", "Override verdicts"),
                        ("memory", "Share preferences and corrections with every session"),
                        (
                            "manage",
                            "Manage checks, tool schemas, calibrations and reviewers",
                        ),
                        ("webhooks", "Manage webhooks"),
                    ],
                    max_length=20,
                ),
                size=None,
            ),
        ),
    ]
