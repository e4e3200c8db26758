from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('verification', '0002_log_append_only'),
    ]

    operations = [
        migrations.AlterField(
            model_name='claimverdict',
            name='human_status',
            field=models.CharField(blank=True, choices=[('right', 'correct'), ('wrong', 'wrong')], max_length=20),
        ),
        migrations.AlterField(
            model_name='claimverdict',
            name='status',
            field=models.CharField(choices=[('verified', 'verified'), ('contradicted', 'contradicted'), ('ambiguous', 'ambiguous'), ('unknown', 'unknown')], max_length=20),
        ),
        migrations.AlterField(
            model_name='mitigationattempt',
            name='action',
            field=models.CharField(choices=[('flag_uncertain', 'Flag as uncertain'), ('request_sources', 'Request sources'), ('disclaim', 'Add a disclaimer'), ('regenerate', 'Rewrite'), ('decompose_and_retry', 'Split the task and retry'), ('block', 'Block')], max_length=30),
        ),
    ]
