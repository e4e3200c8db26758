"""What projects keep of secrets.

Those that exist go on storing runs as they are sent, until somebody chooses: a mask
cannot be taken back. New ones mask.
"""

import django.contrib.postgres.fields
from django.db import migrations, models

CHOICES = [
    ("masked", "Masked: what a mask stands for is not kept"),
    ("sealed", "Masked, with what masks stand for kept encrypted"),
    ("as_sent", "As sent, secrets included"),
]


class Migration(migrations.Migration):
    dependencies = [("accounts", "0004_invitations")]

    operations = [
        migrations.AddField(
            "project",
            "secrets_kept",
            models.CharField(
                max_length=20, choices=CHOICES, default="as_sent", db_default="as_sent"
            ),
        ),
        migrations.AlterField(
            "project",
            "secrets_kept",
            models.CharField(
                max_length=20, choices=CHOICES, default="masked", db_default="masked"
            ),
        ),
        migrations.AddField(
            "project",
            "personal_masked",
            django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(max_length=20),
                blank=True,
                db_default=[],
                default=list,
                size=None,
            ),
        ),
        migrations.AddField(
            "project",
            "mask_patterns",
            models.JSONField(blank=True, db_default=[], default=list),
        ),
        migrations.AddField(
            "project",
            "secrets_shown_to",
            models.CharField(max_length=20, default="admin", db_default="admin"),
        ),
        migrations.AddField(
            "project",
            "sends_unmasked",
            models.BooleanField(default=False, db_default=False),
        ),
    ]
