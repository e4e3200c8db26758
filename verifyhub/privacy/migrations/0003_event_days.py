from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('privacy', '0002_legal_holds'),
    ]

    operations = [
        migrations.AddField(
            model_name='retentionrule',
            name='event_days',
            field=models.PositiveIntegerField(null=True),
        ),
    ]
