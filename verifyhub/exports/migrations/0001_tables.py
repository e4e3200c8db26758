import django.contrib.postgres.fields
import django.db.models.deletion
import uuid
from django.conf import settings
from django.db import migrations, models


from verifyhub.common.initial_migration import InitialMigration


class Migration(InitialMigration):

    # What a database made before they were joined has recorded.
    replaces = [
        ('exports', '0001_schema'),
    ]

    dependencies = [
        ('accounts', '0001_tables'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Destination',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=100)),
                ('kind', models.CharField(choices=[('folder', 'Server folder'), ('s3', 'S3-compatible storage')], max_length=10)),
                ('path', models.CharField(blank=True, max_length=500)),
                ('endpoint', models.CharField(blank=True, max_length=500)),
                ('bucket', models.CharField(blank=True, max_length=63)),
                ('region', models.CharField(blank=True, max_length=60)),
                ('access_key_id', models.CharField(blank=True, max_length=200)),
                ('sealed_secret', models.TextField(blank=True)),
                ('changed_at', models.DateTimeField(auto_now=True)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('project', 'name'), name='export_destination_name_once'), models.CheckConstraint(condition=models.Q(('kind', 'folder'), models.Q(models.Q(('endpoint', ''), _negated=True), models.Q(('bucket', ''), _negated=True)), _connector='OR'), name='export_destination_is_whole')],
            },
        ),
        migrations.CreateModel(
            name='Schedule',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('datasets', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40), size=None)),
                ('written_as', models.CharField(choices=[('csv', 'CSV'), ('jsonl', 'JSON Lines'), ('parquet', 'Parquet')], max_length=10)),
                ('filters', models.JSONField(default=dict)),
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=100)),
                ('every', models.CharField(choices=[('day', 'Every day'), ('week', 'Every week')], default='day', max_length=10)),
                ('weekday', models.PositiveSmallIntegerField(default=0)),
                ('hour', models.PositiveSmallIntegerField(default=3)),
                ('time_zone', models.CharField(default='UTC', max_length=64)),
                ('is_incremental', models.BooleanField(default=True)),
                ('is_on', models.BooleanField(default=True)),
                ('next_at', models.DateTimeField()),
                ('exported_until', models.DateTimeField(null=True)),
                ('changed_at', models.DateTimeField(auto_now=True)),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('destination', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='schedules', to='exports.destination')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('is_on', True)), fields=['next_at'], name='export_schedule_due')],
                'constraints': [models.UniqueConstraint(fields=('project', 'name'), name='export_schedule_name_once'), models.CheckConstraint(condition=models.Q(('hour__lte', 23), ('weekday__lte', 6)), name='export_schedule_time_exists')],
            },
        ),
        migrations.CreateModel(
            name='ExportJob',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('token', models.PositiveBigIntegerField(default=0)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('lease_until', models.DateTimeField(null=True)),
                ('next_at', models.DateTimeField(null=True)),
                ('rung_at', models.DateTimeField(null=True)),
                ('error', models.CharField(blank=True, max_length=500)),
                ('finished_at', models.DateTimeField(null=True)),
                ('datasets', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40), size=None)),
                ('written_as', models.CharField(choices=[('csv', 'CSV'), ('jsonl', 'JSON Lines'), ('parquet', 'Parquet')], max_length=10)),
                ('filters', models.JSONField(default=dict)),
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('state', models.CharField(choices=[('pending', 'Pending'), ('running', 'Running'), ('finished', 'Finished'), ('failed', 'Failed')], default='pending', max_length=20)),
                ('asked_by', models.CharField(max_length=200)),
                ('since', models.DateTimeField(null=True)),
                ('until', models.DateTimeField()),
                ('expected', models.PositiveBigIntegerField(null=True)),
                ('rows', models.PositiveBigIntegerField(default=0)),
                ('size', models.PositiveBigIntegerField(default=0)),
                ('place', models.JSONField(default=dict)),
                ('parts', models.JSONField(default=list)),
                ('delivered', models.PositiveIntegerField(default=0)),
                ('manifest', models.JSONField(null=True)),
                ('expires_at', models.DateTimeField(null=True)),
                ('forgotten_at', models.DateTimeField(null=True)),
                ('destination', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='exports.destination')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='export_jobs', to='accounts.project')),
                ('viewer', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('schedule', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='jobs', to='exports.schedule')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('state__in', ['pending', 'running'])), fields=['created_at', 'id'], name='export_queue'), models.Index(fields=['project', '-created_at', '-id'], name='export_new'), models.Index(condition=models.Q(('forgotten_at__isnull', True)), fields=['expires_at'], name='export_expiry')],
            },
        ),
    ]
