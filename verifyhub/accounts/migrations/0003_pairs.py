"""A project's own names of coded values and deeds of tools."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_second_factor")]

    operations = [
        migrations.AddField(
            model_name="project",
            name="name_pairs",
            field=models.JSONField(blank=True, db_default=[], default=list),
        ),
        migrations.AddField(
            model_name="project",
            name="tool_deeds",
            field=models.JSONField(blank=True, db_default=[], default=list),
        ),
    ]
