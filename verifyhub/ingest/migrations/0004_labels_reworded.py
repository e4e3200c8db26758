from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ingest', '0003_outputs_removed'),
    ]

    operations = [
        migrations.AlterField(
            model_name='otlptrace',
            name='state',
            field=models.CharField(choices=[('pending', 'Waiting for spans'), ('running', 'Processing'), ('finished', 'Processed'), ('failed', 'Failed')], default='pending', max_length=10),
        ),
    ]
