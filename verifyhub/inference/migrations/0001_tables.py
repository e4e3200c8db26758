import django.db.models.deletion
import uuid
from django.db import migrations, models


from verifyhub.common.initial_migration import InitialMigration


class Migration(InitialMigration):

    # What a database made before they were joined has recorded.
    replaces = [
        ('inference', '0001_schema'),
        ('inference', '0002_overstated_usage'),
    ]

    dependencies = [
        ('accounts', '0001_tables'),
    ]

    operations = [
        migrations.CreateModel(
            name='Budget',
            fields=[
                ('project', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='budget', serialize=False, to='accounts.project')),
                ('day_microdollars', models.PositiveBigIntegerField(null=True)),
                ('month_microdollars', models.PositiveBigIntegerField(null=True)),
                ('verdict_microdollars', models.PositiveBigIntegerField(null=True)),
                ('day_tokens', models.PositiveBigIntegerField(null=True)),
                ('month_tokens', models.PositiveBigIntegerField(null=True)),
                ('verdict_tokens', models.PositiveBigIntegerField(null=True)),
                ('day_seconds', models.PositiveIntegerField(null=True)),
                ('month_seconds', models.PositiveIntegerField(null=True)),
                ('verdict_calls', models.PositiveIntegerField(null=True)),
                ('calls_at_once', models.PositiveIntegerField(null=True)),
                ('day', models.DateField(null=True)),
                ('month', models.DateField(null=True)),
                ('day_spent_microdollars', models.PositiveBigIntegerField(default=0)),
                ('month_spent_microdollars', models.PositiveBigIntegerField(default=0)),
                ('day_spent_tokens', models.PositiveBigIntegerField(default=0)),
                ('month_spent_tokens', models.PositiveBigIntegerField(default=0)),
                ('day_spent_ms', models.PositiveBigIntegerField(default=0)),
                ('month_spent_ms', models.PositiveBigIntegerField(default=0)),
                ('reserved_microdollars', models.PositiveBigIntegerField(default=0)),
                ('reserved_tokens', models.PositiveBigIntegerField(default=0)),
                ('reserved_ms', models.PositiveBigIntegerField(default=0)),
                ('calls_running', models.PositiveIntegerField(default=0)),
                ('refused_by', models.CharField(blank=True, max_length=40)),
                ('refused_at', models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name='ModelEndpoint',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=100)),
                ('dialect', models.CharField(choices=[('openai', 'OpenAI-compatible'), ('azure', 'Azure OpenAI'), ('anthropic', 'Anthropic')], default='openai', max_length=20)),
                ('base_url', models.CharField(max_length=500)),
                ('api_version', models.CharField(blank=True, max_length=50)),
                ('sealed_key', models.TextField(blank=True)),
                ('changed_at', models.DateTimeField(auto_now=True)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='model_endpoints', to='accounts.project')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('project', 'name'), name='model_endpoint_name_once'), models.CheckConstraint(condition=models.Q(('dialect__in', ['openai', 'azure', 'anthropic'])), name='model_endpoint_dialect_known')],
            },
        ),
        migrations.CreateModel(
            name='EmbeddingChoice',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('project', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='+', serialize=False, to='accounts.project')),
                ('model', models.CharField(max_length=200)),
                ('dimension', models.PositiveIntegerField()),
                ('input_microdollars', models.PositiveBigIntegerField(null=True)),
                ('deadline_seconds', models.PositiveIntegerField(default=60)),
                ('changed_at', models.DateTimeField(auto_now=True)),
                ('endpoint', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='embedding_choices', to='inference.modelendpoint')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='ModelProbe',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('fingerprint', models.CharField(max_length=64)),
                ('reply_mode', models.CharField(blank=True, max_length=20)),
                ('reason', models.CharField(blank=True, max_length=30)),
                ('latency_ms', models.PositiveIntegerField(null=True)),
                ('message', models.CharField(blank=True, max_length=300)),
                ('probed_at', models.DateTimeField()),
                ('project', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('project', 'fingerprint'), name='model_probe_once', nulls_distinct=False)],
            },
        ),
        migrations.CreateModel(
            name='Opinion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('key', models.CharField(max_length=64)),
                ('value', models.TextField()),
                ('prompt_version', models.CharField(max_length=16)),
                ('expires_at', models.DateTimeField()),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
            ],
            options={
                'indexes': [models.Index(fields=['expires_at'], name='opinion_expiry')],
                'constraints': [models.UniqueConstraint(fields=('project', 'key'), name='opinion_key_once')],
            },
        ),
        migrations.CreateModel(
            name='TierModel',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('tier', models.CharField(choices=[('small', 'Small'), ('medium', 'Medium'), ('large', 'Large')], max_length=20)),
                ('is_second', models.BooleanField(default=False)),
                ('is_on', models.BooleanField(default=True)),
                ('model', models.CharField(blank=True, max_length=200)),
                ('input_microdollars', models.PositiveBigIntegerField(null=True)),
                ('output_microdollars', models.PositiveBigIntegerField(null=True)),
                ('deadline_seconds', models.PositiveIntegerField(default=60)),
                ('max_output_tokens', models.PositiveIntegerField(default=4096)),
                ('changed_at', models.DateTimeField(auto_now=True)),
                ('endpoint', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='tier_models', to='inference.modelendpoint')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tier_models', to='accounts.project')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('project', 'tier', 'is_second'), name='tier_model_once'), models.CheckConstraint(condition=models.Q(('tier__in', ['small', 'medium', 'large'])), name='tier_model_tier_known'), models.CheckConstraint(condition=models.Q(('is_on', False), models.Q(('endpoint__isnull', False), models.Q(('model', ''), _negated=True)), _connector='OR'), name='tier_model_on_is_whole'), models.CheckConstraint(condition=models.Q(('deadline_seconds__gte', 1), ('max_output_tokens__gte', 1)), name='tier_model_limits_positive')],
            },
        ),
        migrations.CreateModel(
            name='VerdictSpend',
            fields=[
                ('verification_id', models.UUIDField(primary_key=True, serialize=False)),
                ('microdollars', models.PositiveBigIntegerField(default=0)),
                ('tokens', models.PositiveBigIntegerField(default=0)),
                ('calls', models.PositiveIntegerField(default=0)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
            ],
        ),
        migrations.CreateModel(
            name='ModelCall',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('verification_id', models.UUIDField(null=True)),
                ('purpose', models.CharField(max_length=60)),
                ('tier', models.CharField(choices=[('small', 'Small'), ('medium', 'Medium'), ('large', 'Large'), ('embedding', 'Embedding')], max_length=20)),
                ('endpoint_name', models.CharField(max_length=100)),
                ('model', models.CharField(max_length=200)),
                ('prompt_version', models.CharField(blank=True, max_length=16)),
                ('opinion_key', models.CharField(blank=True, max_length=64)),
                ('outcome', models.CharField(default='running', max_length=30)),
                ('input_tokens', models.PositiveBigIntegerField(null=True)),
                ('output_tokens', models.PositiveBigIntegerField(null=True)),
                ('cost_microdollars', models.PositiveBigIntegerField(null=True)),
                ('charged_tokens', models.PositiveBigIntegerField(default=0)),
                ('is_estimate', models.BooleanField(default=False)),
                ('is_overstated', models.BooleanField(default=False)),
                ('latency_ms', models.PositiveIntegerField(null=True)),
                ('reserved_microdollars', models.PositiveBigIntegerField(default=0)),
                ('reserved_tokens', models.PositiveBigIntegerField(default=0)),
                ('reserved_ms', models.PositiveBigIntegerField(default=0)),
                ('lease_until', models.DateTimeField(null=True)),
                ('finished_at', models.DateTimeField(null=True)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
            ],
            options={
                'indexes': [models.Index(fields=['project', 'created_at'], name='model_call_recent'), models.Index(fields=['verification_id'], name='model_call_verification'), models.Index(condition=models.Q(('outcome', 'running')), fields=['lease_until'], name='model_call_running')],
            },
        ),
    ]
