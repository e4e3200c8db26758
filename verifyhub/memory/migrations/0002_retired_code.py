"""Give constraints a column for the code of why they are retired."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memory", "0001_schema")]

    operations = [
        migrations.AddField(
            model_name="constraint",
            name="retired_code",
            field=models.CharField(
                blank=True, db_default="", default="", max_length=20
            ),
        ),
    ]
