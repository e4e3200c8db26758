from django.db import migrations, models
from django.utils import timezone


class Migration(migrations.Migration):

    dependencies = [
        ("verification", "0005_tool_schema"),
    ]

    operations = [
        migrations.AddField(
            model_name="toolschema",
            name="changed_at",
            field=models.DateTimeField(auto_now=True, default=timezone.now),
            preserve_default=False,
        ),
    ]
