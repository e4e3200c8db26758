import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.db.models.deletion
import uuid
import verifyhub.common.db
from django.db import migrations, models


from verifyhub.common.initial_migration import InitialMigration


class Migration(InitialMigration):

    # What a database made before they were joined has recorded.
    replaces = [
        ('events', '0001_schema'),
        ('events', '0003_state_params'),
        ('events', '0004_fewer_indexes'),
        ('events', '0005_packed_data'),
    ]

    dependencies = [
        ('accounts', '0001_tables'),
    ]

    operations = [
        migrations.CreateModel(
            name='WebhookEndpoint',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=100)),
                ('url', models.CharField(max_length=2000)),
                ('form', models.CharField(choices=[('webhook', 'Signed webhooks (Standard Webhooks)'), ('otlp-logs', 'OpenTelemetry evaluation events (OTLP logs)'), ('otlp-traces', 'OpenTelemetry evaluation spans (OTLP traces)')], default='webhook', max_length=20)),
                ('types', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=60), blank=True, default=list, size=None)),
                ('state', models.CharField(choices=[('active', 'Active'), ('paused', 'Paused'), ('disabled', 'Disabled')], default='active', max_length=10)),
                ('state_reason', models.CharField(blank=True, max_length=300)),
                ('state_params', models.JSONField(blank=True, default=dict)),
                ('sealed_secret', models.TextField(blank=True)),
                ('sealed_old_secret', models.TextField(blank=True)),
                ('old_secret_until', models.DateTimeField(null=True)),
                ('sealed_headers', models.TextField(blank=True)),
                ('cursor', models.BigIntegerField(default=0)),
                ('failures', models.PositiveIntegerField(default=0)),
                ('failing_since', models.DateTimeField(null=True)),
                ('quiet_until', models.DateTimeField(null=True)),
                ('last_success_at', models.DateTimeField(null=True)),
                ('last_duration_ms', models.PositiveIntegerField(null=True)),
                ('created_by', models.CharField(blank=True, max_length=200)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
            ],
            options={
                'indexes': [models.Index(fields=['project', '-created_at', '-id'], name='webhook_list')],
                'constraints': [models.UniqueConstraint(fields=('project', 'name'), name='webhook_name_once_per_project')],
            },
        ),
        migrations.CreateModel(
            name='WebhookDelivery',
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
                ('event_id', models.UUIDField()),
                ('event_type', models.CharField(max_length=60)),
                ('position', models.BigIntegerField()),
                ('state', models.CharField(choices=[('pending', 'Pending'), ('running', 'Sending'), ('finished', 'Delivered'), ('failed', 'Failed permanently'), ('held', 'On hold')], default='pending', max_length=10)),
                ('last_status', models.PositiveSmallIntegerField(null=True)),
                ('replays', models.PositiveSmallIntegerField(default=0)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
                ('endpoint', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='deliveries', to='events.webhookendpoint')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('state__in', ['pending', 'running', 'held'])), fields=['endpoint', 'position', 'id'], name='delivery_waiting'), models.Index(condition=models.Q(('state__in', ['pending', 'running'])), fields=['created_at', 'id'], name='delivery_queue'), models.Index(fields=['endpoint', '-created_at', '-id'], name='delivery_log'), models.Index(fields=['endpoint', 'state', '-created_at', '-id'], name='delivery_log_of_state'), models.Index(fields=['created_at'], name='delivery_age')],
                'constraints': [models.UniqueConstraint(fields=('endpoint', 'event_id'), name='delivery_once_per_event')],
            },
        ),
        migrations.CreateModel(
            name='WebhookAttempt',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('status', models.PositiveSmallIntegerField(null=True)),
                ('error', models.CharField(blank=True, max_length=300)),
                ('excerpt', models.CharField(blank=True, max_length=1000)),
                ('duration_ms', models.PositiveIntegerField()),
                ('delivery', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='log', to='events.webhookdelivery')),
            ],
            options={
                'ordering': ['created_at', 'id'],
            },
        ),
        migrations.CreateModel(
            name='Event',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('id', models.UUIDField(default=verifyhub.common.db.new_id, editable=False, primary_key=True, serialize=False)),
                ('position', models.BigIntegerField(editable=False, null=True)),
                ('type', models.CharField(max_length=60)),
                ('subject', models.JSONField(default=dict)),
                ('data_json', models.JSONField(db_column='data', null=True)),
                ('data_packed', models.BinaryField(null=True)),
                ('project', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='accounts.project')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('position__isnull', False)), fields=['project', 'position'], name='event_of_project'), models.Index(condition=models.Q(('position__isnull', False)), fields=['project', 'type', 'position'], name='event_of_type'), django.contrib.postgres.indexes.BrinIndex(fields=['created_at'], name='event_age')],
            },
        ),
        # Packed already: to compress it again would only take time.
        migrations.RunSQL(
            'ALTER TABLE events_event ALTER data_packed SET STORAGE EXTERNAL',
            migrations.RunSQL.noop,
        ),
        # Each row is written twice: the room of the former versions is wanted again.
        migrations.RunSQL(
            'ALTER TABLE events_event SET (autovacuum_vacuum_scale_factor = 0.05)',
            migrations.RunSQL.noop,
        ),
    ]
