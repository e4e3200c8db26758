import django.core.validators
import django.db.models.deletion
import uuid
from django.conf import settings
from django.db import migrations, models


from verifyhub.common.initial_migration import InitialMigration


class Migration(InitialMigration):

    # What a database made before they were joined has recorded.
    replaces = [
        ('reports', '0001_schema'),
    ]

    dependencies = [
        ('accounts', '0001_tables'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='AlertRule',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=100, verbose_name='Name')),
                ('measure', models.CharField(choices=[('flagged_share', 'Share of checked answers that were flagged'), ('rejected_share', 'Share of checked answers that were rejected'), ('failed_share', 'Share of verifications that failed'), ('overridden_share', 'Share of reviewed answers with an overridden verdict'), ('backlog_size', 'Answers waiting for review'), ('backlog_hours', 'Hours the oldest answer has waited for review'), ('check_minutes', 'Minutes the oldest answer has waited for verification'), ('budget_share', 'Highest share used of any budget'), ('ece_drift', 'Increase in calibration error since the active calibration')], max_length=30)),
                ('threshold', models.FloatField()),
                ('agent', models.CharField(blank=True, max_length=200)),
                ('hours', models.PositiveIntegerField(default=24, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(2160)])),
                ('least', models.PositiveIntegerField(default=20)),
                ('enabled', models.BooleanField(default=True)),
                ('value', models.FloatField(null=True)),
                ('n', models.PositiveIntegerField(default=0)),
                ('detail', models.CharField(blank=True, max_length=200)),
                ('evaluated_at', models.DateTimeField(null=True)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
                ('recipients', models.ManyToManyField(blank=True, related_name='+', to='accounts.membership')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('project', 'name'), name='alert_rule_name_once'), models.CheckConstraint(condition=models.Q(('measure__in', ['flagged_share', 'rejected_share', 'failed_share', 'overridden_share', 'backlog_size', 'backlog_hours', 'check_minutes', 'budget_share', 'ece_drift'])), name='alert_rule_measure_known')],
            },
        ),
        migrations.CreateModel(
            name='Alert',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=100)),
                ('measure', models.CharField(choices=[('flagged_share', 'Share of checked answers that were flagged'), ('rejected_share', 'Share of checked answers that were rejected'), ('failed_share', 'Share of verifications that failed'), ('overridden_share', 'Share of reviewed answers with an overridden verdict'), ('backlog_size', 'Answers waiting for review'), ('backlog_hours', 'Hours the oldest answer has waited for review'), ('check_minutes', 'Minutes the oldest answer has waited for verification'), ('budget_share', 'Highest share used of any budget'), ('ece_drift', 'Increase in calibration error since the active calibration')], max_length=30)),
                ('threshold', models.FloatField()),
                ('agent', models.CharField(blank=True, max_length=200)),
                ('detail', models.CharField(blank=True, max_length=200)),
                ('value', models.FloatField()),
                ('n', models.PositiveIntegerField()),
                ('low', models.FloatField(null=True)),
                ('high', models.FloatField(null=True)),
                ('peak', models.FloatField()),
                ('raised_at', models.DateTimeField()),
                ('cleared_at', models.DateTimeField(null=True)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
                ('rule', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='alerts', to='reports.alertrule')),
            ],
            options={
                'indexes': [models.Index(fields=['project', '-raised_at', '-id'], name='alert_recent')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('cleared_at__isnull', True)), fields=('rule',), name='alert_once_at_a_time')],
            },
        ),
        migrations.CreateModel(
            name='Letter',
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
                ('subject', models.CharField(max_length=200)),
                ('text', models.TextField()),
                ('html', models.TextField(blank=True)),
                ('state', models.CharField(choices=[('pending', 'Pending'), ('running', 'Running'), ('finished', 'Finished'), ('failed', 'Failed')], default='pending', max_length=20)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
                ('to', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('state__in', ['pending', 'running'])), fields=['created_at', 'id'], name='letter_waiting'), models.Index(fields=['project', '-created_at'], name='letter_recent')],
            },
        ),
        migrations.CreateModel(
            name='ReportPlan',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('enabled', models.BooleanField(default=True)),
                ('weekday', models.PositiveSmallIntegerField(choices=[(0, 'Monday'), (1, 'Tuesday'), (2, 'Wednesday'), (3, 'Thursday'), (4, 'Friday'), (5, 'Saturday'), (6, 'Sunday')], default=0)),
                ('hour', models.PositiveSmallIntegerField(default=7, validators=[django.core.validators.MaxValueValidator(23)])),
                ('time_zone', models.CharField(default='UTC', max_length=64)),
                ('made_for', models.DateTimeField(null=True)),
                ('project', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
                ('recipients', models.ManyToManyField(blank=True, related_name='+', to='accounts.membership')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='WeeklyReport',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('since', models.DateTimeField()),
                ('until', models.DateTimeField()),
                ('figures', models.JSONField()),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
            ],
            options={
                'indexes': [models.Index(fields=['project', '-until'], name='weekly_report_new')],
                'constraints': [models.UniqueConstraint(fields=('project', 'until'), name='weekly_report_once')],
            },
        ),
    ]
