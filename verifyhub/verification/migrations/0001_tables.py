import django.db.models.deletion
import django.db.models.functions.comparison
import uuid
import verifyhub.common.db
import verifyhub.verification.models.report_field
from django.conf import settings
from django.db import migrations, models


from verifyhub.common.initial_migration import InitialMigration


class Migration(InitialMigration):

    # What a database made before they were joined has recorded.
    replaces = [
        ('verification', '0001_schema'),
        ('verification', '0003_opinions_in_the_row_queue'),
        ('verification', '0004_fewer_indexes'),
        ('verification', '0005_lean_reports'),
        ('verification', '0006_forget_logs'),
    ]

    dependencies = [
        ('accounts', '0001_tables'),
        ('ingest', '0001_tables'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Verification',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('token', models.PositiveBigIntegerField(default=0)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('lease_until', models.DateTimeField(null=True)),
                ('next_at', models.DateTimeField(null=True)),
                ('rung_at', models.DateTimeField(null=True)),
                ('error', models.CharField(blank=True, max_length=500)),
                ('finished_at', models.DateTimeField(null=True)),
                ('id', models.UUIDField(default=verifyhub.common.db.new_id, editable=False, primary_key=True, serialize=False)),
                ('number', models.PositiveIntegerField(default=1)),
                ('state', models.CharField(choices=[('pending', 'Pending'), ('running', 'Running'), ('finished', 'Finished'), ('failed', 'Failed')], default='pending', max_length=20)),
                ('strictness', models.CharField(blank=True, default='', max_length=20)),
                ('with_layers', models.BooleanField(db_default=False, default=False)),
                ('report', verifyhub.verification.models.report_field.ReportField(null=True)),
                ('verdict', models.CharField(blank=True, choices=[('accept', 'Accept'), ('uncertain', 'Uncertain'), ('reject', 'Reject')], max_length=20)),
                ('human_verdict', models.CharField(blank=True, choices=[('accept', 'Accept'), ('uncertain', 'Uncertain'), ('reject', 'Reject')], max_length=20)),
                ('review_withheld_until', models.DateTimeField(null=True)),
                ('confidence', models.FloatField(null=True)),
                ('coverage', models.FloatField(null=True)),
                ('completeness', models.FloatField(null=True)),
                ('self_confidence', models.FloatField(null=True)),
                ('action', models.CharField(blank=True, max_length=20)),
                ('mention_count', models.PositiveIntegerField(default=0)),
                ('unverified_count', models.PositiveIntegerField(default=0)),
                ('engine_version', models.CharField(blank=True, max_length=40)),
                ('duration_ms', models.PositiveIntegerField(null=True)),
                ('interaction', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='verifications', to='ingest.interaction')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('state__in', ['pending', 'running'])), fields=['created_at', 'id'], name='verification_queue'), models.Index(condition=models.Q(('state', 'failed')), fields=['project'], name='verification_failed'), models.Index(models.F('project'), django.db.models.functions.comparison.Coalesce('next_at', 'created_at'), models.F('id'), condition=models.Q(('state', 'pending')), name='verification_due'), models.Index(condition=models.Q(('finished_at__isnull', False)), fields=['project', 'finished_at'], name='verification_by_end'), models.Index(fields=['project', 'created_at', 'id'], name='verification_made')],
                'constraints': [models.UniqueConstraint(fields=('interaction', 'number'), name='verification_number_once'), models.CheckConstraint(condition=models.Q(models.Q(('state', 'finished'), _negated=True), models.Q(('report__isnull', False), ('verdict__in', ['accept', 'uncertain', 'reject'])), _connector='OR'), name='verification_finished_has_report'), models.CheckConstraint(condition=models.Q(('confidence__isnull', True), models.Q(('confidence__gte', 0), ('confidence__lte', 1)), _connector='OR'), name='verification_confidence_in_range')],
            },
        ),
        migrations.CreateModel(
            name='Batch',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('filters', models.JSONField(default=dict)),
                ('strictness', models.CharField(blank=True, max_length=20)),
                ('state', models.CharField(choices=[('running', 'Running'), ('finished', 'Finished'), ('cancelled', 'Cancelled')], default='running', max_length=20)),
                ('asked_by', models.CharField(max_length=200)),
                ('total', models.PositiveIntegerField()),
                ('ended_at', models.DateTimeField(null=True)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='batches', to='accounts.project')),
            ],
            options={
                'indexes': [models.Index(fields=['project', '-created_at'], name='batch_recent')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('state', 'running')), fields=('project',), name='batch_one_runs_per_project')],
            },
        ),
        migrations.CreateModel(
            name='BatchMember',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('batch', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='members', to='verification.batch')),
                ('interaction', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='ingest.interaction')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
                ('verification', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='batch_members', to='verification.verification')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('verification__isnull', True)), fields=['batch', 'id'], name='batch_member_to_come')],
                'constraints': [models.UniqueConstraint(fields=('batch', 'interaction'), name='batch_member_once')],
            },
        ),
        migrations.CreateModel(
            name='ClaimVerdict',
            fields=[
                ('id', models.UUIDField(default=verifyhub.common.db.new_id, editable=False, primary_key=True, serialize=False)),
                ('index', models.PositiveIntegerField()),
                ('text', models.TextField()),
                ('start', models.PositiveIntegerField()),
                ('end', models.PositiveIntegerField()),
                ('kind', models.CharField(max_length=20)),
                ('status', models.CharField(choices=[('verified', 'verified'), ('contradicted', 'contradicted'), ('ambiguous', 'ambiguous'), ('unknown', 'unknown')], max_length=20)),
                ('judged_by', models.CharField(max_length=20)),
                ('reason', models.CharField(blank=True, max_length=60)),
                ('confidence', models.FloatField(null=True)),
                ('support', models.FloatField(null=True)),
                ('evidence', models.JSONField(null=True)),
                ('contradicting', models.JSONField(default=list)),
                ('human_status', models.CharField(blank=True, choices=[('right', 'correct'), ('wrong', 'wrong')], max_length=20)),
                ('project', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
                ('verification', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='claims', to='verification.verification')),
            ],
            options={
                'indexes': [models.Index(fields=['project', 'status'], name='claim_verdict_status')],
                'constraints': [models.UniqueConstraint(fields=('verification', 'index'), name='claim_index_once')],
            },
        ),
        migrations.CreateModel(
            name='Deliberation',
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
                ('asked_by', models.CharField(max_length=200)),
                ('task', models.TextField(blank=True)),
                ('text', models.TextField(blank=True)),
                ('sources', models.JSONField(default=list)),
                ('state', models.CharField(choices=[('pending', 'Pending'), ('running', 'Running'), ('finished', 'Finished'), ('failed', 'Failed')], default='pending', max_length=20)),
                ('steps', models.JSONField(default=list)),
                ('interaction', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='ingest.interaction')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
                ('verification', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='verification.verification')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('state__in', ['pending', 'running'])), fields=['created_at', 'id'], name='deliberation_queue'), models.Index(fields=['project', '-created_at', '-id'], name='deliberation_recent'), models.Index(condition=models.Q(('interaction__isnull', False)), fields=['interaction', '-created_at'], name='deliberation_of_answer')],
            },
        ),
        migrations.CreateModel(
            name='Detection',
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
                ('asked_by', models.CharField(max_length=200)),
                ('text', models.TextField()),
                ('task', models.TextField(blank=True)),
                ('context', models.TextField(blank=True)),
                ('sources', models.JSONField(default=list)),
                ('asked', models.JSONField(default=dict)),
                ('state', models.CharField(choices=[('pending', 'Pending'), ('running', 'Running'), ('finished', 'Finished'), ('failed', 'Failed')], default='pending', max_length=20)),
                ('result', models.JSONField(null=True)),
                ('risk', models.CharField(blank=True, max_length=20)),
                ('outcome', models.CharField(blank=True, choices=[('passed', 'passed'), ('failed', 'failed'), ('inconclusive', 'inconclusive'), ('skipped', 'skipped')], max_length=20)),
                ('confidence', models.FloatField(null=True)),
                ('interaction', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='detections', to='ingest.interaction')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='detections', to='accounts.project')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('state__in', ['pending', 'running'])), fields=['created_at', 'id'], name='detection_queue'), models.Index(fields=['project', '-created_at', '-id'], name='detection_recent'), models.Index(condition=models.Q(('interaction__isnull', False)), fields=['interaction', '-created_at'], name='detection_of_answer')],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('state', 'finished'), _negated=True), models.Q(('outcome__in', ['passed', 'failed', 'inconclusive', 'skipped']), ('result__isnull', False)), _connector='OR'), name='detection_finished_has_result')],
            },
        ),
        migrations.CreateModel(
            name='GatewayKey',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('key_id', models.CharField(max_length=100)),
                ('public_key', models.CharField(max_length=44)),
                ('created_by', models.CharField(max_length=200)),
                ('revoked_at', models.DateTimeField(null=True)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='gateway_keys', to='accounts.project')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('project', 'key_id'), name='gateway_key_once_per_project')],
            },
        ),
        migrations.CreateModel(
            name='MentionVerdict',
            fields=[
                ('id', models.UUIDField(default=verifyhub.common.db.new_id, editable=False, primary_key=True, serialize=False)),
                ('index', models.PositiveIntegerField()),
                ('text', models.TextField()),
                ('kind', models.CharField(max_length=30)),
                ('key', models.CharField(max_length=500)),
                ('status', models.CharField(choices=[('verified', 'Verified'), ('unverified', 'Unverified')], max_length=20)),
                ('reason', models.CharField(max_length=40)),
                ('grade', models.CharField(blank=True, max_length=1)),
                ('suggestion', models.TextField(blank=True)),
                ('human_status', models.CharField(blank=True, choices=[('verified', 'Verified'), ('unverified', 'Unverified')], max_length=20)),
                ('project', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
                ('verification', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='mentions', to='verification.verification')),
            ],
            options={
                'indexes': [models.Index(fields=['project', 'kind', 'key'], name='mention_verdict_name'), models.Index(condition=models.Q(('human_status', ''), _negated=True), fields=['project', 'kind', 'key'], name='mention_judged_name')],
                'constraints': [models.UniqueConstraint(fields=('verification', 'index'), name='mention_index_once')],
            },
        ),
        migrations.CreateModel(
            name='MitigationAttempt',
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
                ('asked_by', models.CharField(max_length=200)),
                ('task', models.TextField(blank=True)),
                ('text', models.TextField(blank=True)),
                ('sources', models.JSONField(default=list)),
                ('state', models.CharField(choices=[('pending', 'Pending'), ('running', 'Running'), ('finished', 'Finished'), ('failed', 'Failed')], default='pending', max_length=20)),
                ('action', models.CharField(choices=[('flag_uncertain', 'Flag as uncertain'), ('request_sources', 'Request sources'), ('disclaim', 'Add a disclaimer'), ('regenerate', 'Rewrite'), ('decompose_and_retry', 'Split the task and retry'), ('block', 'Block')], max_length=30)),
                ('advice', models.JSONField(null=True)),
                ('failed_layers', models.JSONField(default=list)),
                ('result', models.JSONField(null=True)),
                ('offered', models.BooleanField(null=True)),
                ('interaction', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='ingest.interaction')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
                ('verification', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='verification.verification')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('state__in', ['pending', 'running'])), fields=['created_at', 'id'], name='mitigation_queue'), models.Index(fields=['project', '-created_at', '-id'], name='mitigation_recent'), models.Index(condition=models.Q(('interaction__isnull', False)), fields=['interaction', '-created_at'], name='mitigation_of_answer')],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('state', 'finished'), _negated=True), models.Q(('offered__isnull', False), ('result__isnull', False)), _connector='OR'), name='mitigation_finished_has_result')],
            },
        ),
        migrations.CreateModel(
            name='ToolSchema',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('reference', models.CharField(max_length=300)),
                ('tool', models.CharField(blank=True, max_length=200)),
                ('schema', models.JSONField()),
                ('changed_at', models.DateTimeField(auto_now=True)),
                ('changed_by', models.CharField(max_length=200)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tool_schemas', to='accounts.project')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('project', 'reference'), name='tool_schema_reference_once'), models.UniqueConstraint(condition=models.Q(('tool', ''), _negated=True), fields=('project', 'tool'), name='tool_schema_tool_once')],
            },
        ),
        migrations.CreateModel(
            name='TranscriptUpload',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(blank=True, max_length=200)),
                ('format', models.CharField(max_length=40)),
                ('content', models.BinaryField()),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['created_at'], name='transcript_upload_age')],
                'constraints': [models.UniqueConstraint(fields=('project', 'user'), name='transcript_upload_one_each')],
            },
        ),
        migrations.CreateModel(
            name='VerificationLog',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('id', models.UUIDField(default=verifyhub.common.db.new_id, editable=False, primary_key=True, serialize=False)),
                ('type', models.CharField(choices=[('agent', 'Agent'), ('orchestrator', 'Orchestrator'), ('moderator', 'Moderator')], max_length=20)),
                ('target', models.CharField(blank=True, max_length=200)),
                ('goal', models.TextField()),
                ('result', models.JSONField()),
                ('interaction', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='verification_logs', to='ingest.interaction')),
                ('project', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='accounts.project')),
                ('verification', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='verification.verification')),
            ],
            options={
                'indexes': [models.Index(fields=['interaction', 'created_at', 'id'], name='verification_log_of'), models.Index(fields=['project', 'type', '-created_at'], name='verification_log_type')],
            },
        ),
        migrations.CreateModel(
            name='AwaitedOpinion',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('token', models.PositiveBigIntegerField(default=0)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('lease_until', models.DateTimeField(null=True)),
                ('next_at', models.DateTimeField(null=True)),
                ('rung_at', models.DateTimeField(null=True)),
                ('error', models.CharField(blank=True, max_length=500)),
                ('finished_at', models.DateTimeField(null=True)),
                ('verification', models.OneToOneField(db_column='id', on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='awaited_opinion', serialize=False, to='verification.verification')),
                ('state', models.CharField(choices=[('pending', 'Waiting'), ('running', 'Asking'), ('finished', 'Answered'), ('failed', 'Failed permanently'), ('replaced', 'Replaced')], default='pending', max_length=20)),
                ('reason', models.CharField(max_length=40)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('state__in', ['pending', 'running'])), fields=['created_at', 'verification'], name='awaited_opinion_waiting')],
            },
        ),
        # Each row is written three times: the room of the former versions is wanted again.
        migrations.RunSQL(
            'ALTER TABLE verification_verification'
            ' SET (autovacuum_vacuum_scale_factor = 0.05)',
            migrations.RunSQL.noop,
        ),
    ]
