from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("ingest", "0002_other_fields"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="interaction",
            index=models.Index(
                fields=["project", "parent"],
                condition=~models.Q(parent=""),
                name="interaction_parent",
            ),
        ),
    ]
