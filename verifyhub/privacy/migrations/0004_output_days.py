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
        migrations.AlterField(
            model_name='deletion',
            name='kind',
            field=models.CharField(choices=[('run', 'One run'), ('session', 'A session'), ('agent', 'An agent'), ('person', 'A person named in runs'), ('old_runs', 'Old runs'), ('old_outputs', 'Old tool inputs and outputs'), ('old_traces', 'Old traces'), ('old_memory', 'Old memory'), ('old_events', 'Old events')], max_length=20),
        ),
    ]
