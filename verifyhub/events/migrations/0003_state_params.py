"""Store why a webhook is switched off as a code with parameters."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("events", "0002_positions_and_append_only")]

    operations = [
        migrations.AddField(
            model_name="webhookendpoint",
            name="state_params",
            field=models.JSONField(blank=True, default=dict),
        ),
    ]
