from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("ingest", "0001_schema"),
    ]

    operations = [
        migrations.AddField(
            model_name="interaction",
            name="other_fields",
            field=models.JSONField(null=True),
        ),
    ]
