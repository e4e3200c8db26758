import django.db.models.deletion
import uuid
from django.db import migrations, models


from verifyhub.common.initial_migration import InitialMigration


class Migration(InitialMigration):

    # What a database made before they were joined has recorded.
    replaces = [
        ('privacy', '0001_schema'),
    ]

    dependencies = [
        ('accounts', '0001_tables'),
    ]

    operations = [
        migrations.CreateModel(
            name='RetentionRule',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('project', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='retention', serialize=False, to='accounts.project')),
                ('run_days', models.PositiveIntegerField(null=True)),
                ('trace_days', models.PositiveIntegerField(null=True)),
                ('memory_days', models.PositiveIntegerField(null=True)),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Deletion',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('token', models.PositiveBigIntegerField(default=0)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('lease_until', models.DateTimeField(null=True)),
                ('next_at', models.DateTimeField(null=True)),
                ('rung_at', models.DateTimeField(null=True)),
                ('error', models.CharField(blank=True, max_length=500)),
                ('finished_at', models.DateTimeField(null=True)),
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('kind', models.CharField(choices=[('run', 'One run'), ('session', 'A session'), ('agent', 'An agent'), ('person', 'A person named in runs'), ('old_runs', 'Old runs'), ('old_outputs', 'Old tool inputs and outputs'), ('old_traces', 'Old traces'), ('old_memory', 'Old memory'), ('old_events', 'Old events')], max_length=20)),
                ('target', models.CharField(blank=True, max_length=200)),
                ('before', models.DateTimeField(null=True)),
                ('state', models.CharField(choices=[('pending', 'Waiting for a worker'), ('running', 'Running'), ('counted', 'Waiting for confirmation'), ('finished', 'Finished'), ('failed', 'Failed'), ('stopped', 'Stopped')], default='pending', max_length=10)),
                ('is_confirmed', models.BooleanField(default=False)),
                ('asked_by', models.CharField(max_length=200)),
                ('cursor', models.UUIDField(null=True)),
                ('looked_at', models.PositiveIntegerField(default=0)),
                ('expected', models.JSONField(default=dict)),
                ('deleted', models.JSONField(default=dict)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
            ],
            options={
                'indexes': [models.Index(fields=['project', '-created_at'], name='deletion_recent')],
            },
        ),
    ]
