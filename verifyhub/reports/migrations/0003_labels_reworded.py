from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('reports', '0002_alert_measures_reworded'),
    ]

    operations = [
        migrations.AlterField(
            model_name='alert',
            name='measure',
            field=models.CharField(choices=[('flagged_share', 'Share of checked answers that were flagged'), ('rejected_share', 'Share of checked answers that were rejected'), ('failed_share', 'Share of verifications that failed'), ('overridden_share', 'Share of reviewed answers with an overridden verdict'), ('backlog_size', 'Answers waiting for review'), ('backlog_hours', 'Hours the oldest answer has waited for review'), ('check_minutes', 'Minutes the oldest answer has waited for verification'), ('budget_share', 'Highest share used of any budget'), ('ece_drift', 'Increase in calibration error since the active calibration')], max_length=30),
        ),
        migrations.AlterField(
            model_name='alertrule',
            name='measure',
            field=models.CharField(choices=[('flagged_share', 'Share of checked answers that were flagged'), ('rejected_share', 'Share of checked answers that were rejected'), ('failed_share', 'Share of verifications that failed'), ('overridden_share', 'Share of reviewed answers with an overridden verdict'), ('backlog_size', 'Answers waiting for review'), ('backlog_hours', 'Hours the oldest answer has waited for review'), ('check_minutes', 'Minutes the oldest answer has waited for verification'), ('budget_share', 'Highest share used of any budget'), ('ece_drift', 'Increase in calibration error since the active calibration')], max_length=30),
        ),
    ]
