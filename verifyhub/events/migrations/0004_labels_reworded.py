from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('events', '0003_only_added_to'),
    ]

    operations = [
        migrations.AlterField(
            model_name='webhookdelivery',
            name='state',
            field=models.CharField(choices=[('pending', 'Pending'), ('running', 'Sending'), ('finished', 'Delivered'), ('failed', 'Failed permanently'), ('held', 'On hold')], default='pending', max_length=10),
        ),
        migrations.AlterField(
            model_name='webhookendpoint',
            name='state',
            field=models.CharField(choices=[('active', 'Active'), ('paused', 'Paused'), ('disabled', 'Disabled')], default='active', max_length=10),
        ),
    ]
