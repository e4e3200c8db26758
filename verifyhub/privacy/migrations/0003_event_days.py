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
        migrations.AlterField(
            model_name='deletion',
            name='kind',
            field=models.CharField(choices=[('run', 'One run'), ('session', 'A session'), ('agent', 'An agent'), ('person', 'A person named in runs'), ('old_runs', 'Old runs'), ('old_traces', 'Old traces'), ('old_memory', 'Old memory'), ('old_events', 'Old events')], max_length=20),
        ),
    ]
