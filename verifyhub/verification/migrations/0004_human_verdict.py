from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('verification', '0003_verification_made'),
    ]

    operations = [
        migrations.AddField(
            model_name='verification',
            name='human_verdict',
            field=models.CharField(blank=True, choices=[('accept', 'Accept'), ('uncertain', 'Uncertain'), ('reject', 'Reject')], max_length=20),
        ),
    ]
