from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('privacy', '0004_output_days'),
    ]

    operations = [
        migrations.AlterField(
            model_name='deletion',
            name='state',
            field=models.CharField(choices=[('pending', 'Waiting for a worker'), ('running', 'Running'), ('counted', 'Waiting for confirmation'), ('finished', 'Finished'), ('failed', 'Failed'), ('stopped', 'Stopped')], default='pending', max_length=10),
        ),
    ]
