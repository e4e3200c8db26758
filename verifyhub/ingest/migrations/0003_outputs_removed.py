from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ingest', '0002_outputs_in_a_store'),
    ]

    operations = [
        migrations.AddField(
            model_name='interaction',
            name='outputs_removed_at',
            field=models.DateTimeField(null=True),
        ),
    ]
