from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('privacy', '0003_event_days'),
    ]

    operations = [
        migrations.AddField(
            model_name='retentionrule',
            name='output_days',
            field=models.PositiveIntegerField(null=True),
        ),
    ]
