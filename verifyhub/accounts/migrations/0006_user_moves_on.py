"""Let people choose whether a decision leads to the next answer."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0005_secrets")]

    operations = [
        migrations.AddField(
            model_name="user",
            name="moves_on",
            field=models.BooleanField(db_default=True, default=True),
        ),
    ]
