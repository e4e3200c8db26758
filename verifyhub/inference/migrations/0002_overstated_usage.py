"""Say of a call that its endpoint counted more than was sent and asked for."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("inference", "0001_schema")]

    operations = [
        migrations.AddField(
            model_name="modelcall",
            name="is_overstated",
            field=models.BooleanField(default=False),
        ),
    ]
