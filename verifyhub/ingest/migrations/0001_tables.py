import django.contrib.postgres.indexes
import django.db.models.deletion
import django.db.models.fields.json
import django.db.models.functions.comparison
import django.db.models.functions.text
import django.db.models.lookups
import uuid
import verifyhub.common.db
from django.conf import settings
from django.db import migrations, models


from verifyhub.common.initial_migration import InitialMigration


class Migration(InitialMigration):

    # What a database made before they were joined has recorded.
    replaces = [
        ('ingest', '0001_schema'),
        ('ingest', '0002_other_fields'),
        ('ingest', '0003_packed_outputs'),
        ('ingest', '0004_fewer_indexes'),
        ('ingest', '0005_parent_index'),
        ('ingest', '0006_receiving_index'),
        ('ingest', '0007_masked_values'),
    ]

    dependencies = [
        ('accounts', '0001_tables'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Bulk',
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
                ('reference', models.CharField(blank=True, max_length=100)),
                ('name', models.CharField(blank=True, max_length=200)),
                ('format', models.CharField(max_length=40)),
                ('media', models.CharField(max_length=20)),
                ('state', models.CharField(choices=[('receiving', 'Receiving'), ('pending', 'Waiting'), ('running', 'Running'), ('finished', 'Finished'), ('broken', 'Interrupted'), ('failed', 'Failed'), ('cancelled', 'Cancelled')], max_length=10)),
                ('line', models.PositiveBigIntegerField(default=0)),
                ('created_count', models.PositiveBigIntegerField(default=0)),
                ('same_count', models.PositiveBigIntegerField(default=0)),
                ('span_count', models.PositiveBigIntegerField(default=0)),
                ('refused_count', models.PositiveBigIntegerField(default=0)),
                ('bytes_total', models.PositiveBigIntegerField(default=0)),
                ('bytes_done', models.PositiveBigIntegerField(default=0)),
                ('api_key', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='accounts.apikey')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['project', '-created_at', '-id'], name='bulk_recent'), models.Index(condition=models.Q(('state__in', ['pending', 'running'])), fields=['created_at', 'id'], name='bulk_queue'), models.Index(fields=['created_at'], name='bulk_age'), models.Index(condition=models.Q(('state', 'receiving')), fields=['lease_until'], name='bulk_receiving')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('reference', ''), _negated=True), fields=('project', 'reference'), name='bulk_reference_once_per_project')],
            },
        ),
        migrations.CreateModel(
            name='BulkPart',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('index', models.PositiveIntegerField()),
                ('content', models.BinaryField()),
                ('bulk', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='parts', to='ingest.bulk')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('bulk', 'index'), name='bulk_part_once')],
            },
        ),
        migrations.CreateModel(
            name='BulkRefusal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('line', models.PositiveBigIntegerField()),
                ('item', models.PositiveIntegerField()),
                ('status', models.PositiveSmallIntegerField()),
                ('name', models.CharField(blank=True, max_length=200)),
                ('field', models.CharField(blank=True, max_length=500)),
                ('message', models.CharField(max_length=500)),
                ('bulk', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='refusals', to='ingest.bulk')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('bulk', 'line', 'item'), name='bulk_refusal_once')],
            },
        ),
        migrations.CreateModel(
            name='IdempotentReply',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('key', models.CharField(max_length=255)),
                ('request_sha256', models.CharField(max_length=64)),
                ('status_code', models.PositiveSmallIntegerField(null=True)),
                ('body', models.JSONField(null=True)),
                ('api_key', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.apikey')),
            ],
            options={
                'indexes': [models.Index(fields=['created_at'], name='idempotent_reply_age')],
                'constraints': [models.UniqueConstraint(fields=('api_key', 'key'), name='idempotent_reply_once_per_key')],
            },
        ),
        migrations.CreateModel(
            name='OtlpTrace',
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
                ('trace_id', models.CharField(max_length=32)),
                ('name', models.CharField(blank=True, max_length=200)),
                ('state', models.CharField(choices=[('pending', 'Waiting for spans'), ('running', 'Processing'), ('finished', 'Processed'), ('failed', 'Failed')], default='pending', max_length=10)),
                ('last_seen_at', models.DateTimeField()),
                ('root_seen', models.BooleanField(default=False)),
                ('span_count', models.PositiveIntegerField(default=0)),
                ('late_count', models.PositiveIntegerField(default=0)),
                ('dialects', models.JSONField(default=list)),
                ('steps', models.JSONField(default=dict)),
                ('not_mapped', models.JSONField(default=dict)),
                ('api_key', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='accounts.apikey')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('state__in', ['pending', 'running'])), fields=['created_at', 'id'], name='trace_queue'), models.Index(models.F('project'), django.db.models.functions.comparison.Coalesce('next_at', 'created_at'), models.F('id'), condition=models.Q(('state', 'pending')), name='trace_due'), models.Index(condition=models.Q(('state__in', ['pending', 'running'])), fields=['project'], name='trace_waiting'), models.Index(fields=['project', '-last_seen_at', '-id'], name='trace_recent'), models.Index(fields=['last_seen_at'], name='trace_age')],
                'constraints': [models.UniqueConstraint(fields=('project', 'trace_id'), name='trace_once_per_project')],
            },
        ),
        migrations.CreateModel(
            name='OtlpSpan',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('span_id', models.CharField(max_length=16)),
                ('has_ended', models.BooleanField()),
                ('is_late', models.BooleanField(default=False)),
                ('data', models.JSONField()),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
                ('trace', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='spans', to='ingest.otlptrace')),
            ],
            options={
                'indexes': [django.contrib.postgres.indexes.BrinIndex(fields=['created_at'], name='span_age')],
                'constraints': [models.UniqueConstraint(fields=('trace', 'span_id'), name='span_once_per_trace')],
            },
        ),
        migrations.CreateModel(
            name='Session',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('id', models.UUIDField(default=verifyhub.common.db.new_id, editable=False, primary_key=True, serialize=False)),
                ('key', models.CharField(max_length=200)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sessions', to='accounts.project')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('project', 'key'), name='session_key_once_per_project')],
            },
        ),
        migrations.CreateModel(
            name='Interaction',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('id', models.UUIDField(default=verifyhub.common.db.new_id, editable=False, primary_key=True, serialize=False)),
                ('client_id', models.CharField(max_length=200, null=True)),
                ('content_sha256', models.CharField(max_length=64)),
                ('task', models.TextField()),
                ('answer', models.TextField()),
                ('agent_name', models.CharField(blank=True, max_length=200)),
                ('agent_tier', models.CharField(blank=True, max_length=50)),
                ('agent_role', models.CharField(blank=True, max_length=50)),
                ('parent', models.CharField(blank=True, max_length=200)),
                ('self_assessment', models.JSONField(null=True)),
                ('claims', models.JSONField(null=True)),
                ('sources', models.JSONField(null=True)),
                ('metadata', models.JSONField(null=True)),
                ('structured_output', models.JSONField(null=True)),
                ('manifest', models.JSONField(null=True)),
                ('goal', models.TextField(blank=True, default='')),
                ('verification_type', models.CharField(blank=True, default='', max_length=20)),
                ('discussion', models.JSONField(null=True)),
                ('verification_results', models.JSONField(default=list)),
                ('trace_signature', models.JSONField(null=True)),
                ('run_input_tokens', models.BigIntegerField(null=True)),
                ('run_output_tokens', models.BigIntegerField(null=True)),
                ('run_cost_microdollars', models.BigIntegerField(null=True)),
                ('context_sha256', models.CharField(blank=True, db_default='', default='', max_length=64)),
                ('tool_call_count', models.PositiveIntegerField(default=0)),
                ('other_fields', models.JSONField(null=True)),
                ('api_key', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='accounts.apikey')),
                ('project', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='interactions', to='accounts.project')),
                ('session', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='interactions', to='ingest.session')),
            ],
            options={
                'indexes': [models.Index(fields=['project', 'created_at', 'id'], name='interaction_by_time'), models.Index(fields=['session', 'created_at', 'id'], name='interaction_session'), models.Index(condition=models.Q(('parent', ''), _negated=True), fields=['project', 'parent'], name='interaction_parent'), models.Index(condition=models.Q(('context_sha256', ''), _negated=True), fields=['project', 'created_at'], name='interaction_told'), models.Index(condition=models.Q(('agent_name', ''), _negated=True), fields=['project', 'agent_name', 'created_at', 'id'], name='interaction_by_agent'), models.Index(condition=models.Q(('agent_tier', ''), _negated=True), fields=['project', 'agent_tier', 'created_at', 'id'], name='interaction_by_tier'), models.Index(models.F('project'), models.Case(models.When(models.Q(django.db.models.lookups.GreaterThan(django.db.models.functions.text.Length(django.db.models.fields.json.KeyTextTransform('model', 'metadata')), 0), django.db.models.lookups.Exact(models.Func(django.db.models.fields.json.KeyTransform('model', 'metadata'), function='jsonb_typeof', output_field=models.TextField()), models.Value('string'))), then=django.db.models.functions.text.Left(django.db.models.fields.json.KeyTextTransform('model', 'metadata'), 200)), default=models.F('agent_tier'), output_field=models.TextField()), models.F('created_at'), models.F('id'), name='interaction_by_model')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('client_id__isnull', False)), fields=('project', 'client_id'), name='interaction_client_id_once_per_project')],
            },
        ),
        migrations.CreateModel(
            name='MaskedValues',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('interaction', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='masked_values', serialize=False, to='ingest.interaction')),
                ('sealed', models.TextField()),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='ToolCall',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('index', models.PositiveIntegerField()),
                ('call_id', models.CharField(blank=True, max_length=200)),
                ('tool', models.CharField(max_length=200)),
                ('input', models.JSONField(default=dict)),
                ('output_text', models.TextField(blank=True, db_column='output', default='')),
                ('output_packed', models.BinaryField(null=True)),
                ('output_length', models.IntegerField(null=True)),
                ('status', models.CharField(max_length=20)),
                ('started_at', models.DateTimeField(null=True)),
                ('duration_ms', models.PositiveBigIntegerField(null=True)),
                ('interaction', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='tool_calls', to='ingest.interaction')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('interaction', 'index'), name='tool_call_index_once')],
            },
        ),
        migrations.CreateModel(
            name='TracedAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('span_id', models.CharField(max_length=16)),
                ('version', models.PositiveSmallIntegerField()),
                ('content_sha256', models.CharField(max_length=64)),
                ('interaction', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='traced', to='ingest.interaction')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
                ('trace', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='answers', to='ingest.otlptrace')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('trace', 'span_id', 'version'), name='traced_answer_version')],
            },
        ),
        # Packed already: to compress it again would only take time, and would keep
        # PostgreSQL from reading its beginning alone.
        migrations.RunSQL(
            'ALTER TABLE ingest_toolcall ALTER output_packed SET STORAGE EXTERNAL',
            migrations.RunSQL.noop,
        ),
    ]
