from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('reports', '0001_tables'),
    ]

    operations = [
        migrations.AlterField(
            model_name='alert',
            name='measure',
            field=models.CharField(choices=[('flagged_share', 'Share of checked answers that were flagged'), ('rejected_share', 'Share of checked answers that were rejected'), ('failed_share', 'Share of verifications that failed'), ('overridden_share', 'Share of decided answers on which people disagreed with the verdict'), ('backlog_size', 'Answers waiting for review'), ('backlog_hours', 'Hours the oldest answer has waited for review'), ('check_minutes', 'Minutes the oldest answer has waited for verification'), ('budget_share', 'Share used of the fullest budget'), ('ece_drift', 'Rise of the calibration error above that of the active calibration')], max_length=30),
        ),
        migrations.AlterField(
            model_name='alertrule',
            name='measure',
            field=models.CharField(choices=[('flagged_share', 'Share of checked answers that were flagged'), ('rejected_share', 'Share of checked answers that were rejected'), ('failed_share', 'Share of verifications that failed'), ('overridden_share', 'Share of decided answers on which people disagreed with the verdict'), ('backlog_size', 'Answers waiting for review'), ('backlog_hours', 'Hours the oldest answer has waited for review'), ('check_minutes', 'Minutes the oldest answer has waited for verification'), ('budget_share', 'Share used of the fullest budget'), ('ece_drift', 'Rise of the calibration error above that of the active calibration')], max_length=30),
        ),
    ]
