from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True
    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Lease",
            fields=[
                (
                    "name",
                    models.CharField(max_length=60, primary_key=True, serialize=False),
                ),
                ("holder", models.UUIDField()),
                ("until", models.DateTimeField()),
            ],
        ),
    ]
