"""What masks stand for, encrypted, where a project keeps it."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0005_secrets"),
        ("ingest", "0006_receiving_index"),
    ]

    operations = [
        migrations.CreateModel(
            name="MaskedValues",
            fields=[
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "interaction",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="masked_values",
                        serialize=False,
                        to="ingest.interaction",
                    ),
                ),
                ("sealed", models.TextField()),
                (
                    "project",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="accounts.project",
                    ),
                ),
            ],
            options={"abstract": False},
        ),
    ]
