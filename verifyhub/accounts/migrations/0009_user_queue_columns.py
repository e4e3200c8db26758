"""Let people choose the columns of the review queue."""

import django.contrib.postgres.fields
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0008_second_factor")]

    operations = [
        migrations.AddField(
            model_name="user",
            name="queue_columns",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(max_length=20),
                blank=True,
                db_default=[],
                default=list,
                size=None,
            ),
        ),
    ]
