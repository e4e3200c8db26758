import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.db.models.deletion
import uuid
from django.conf import settings
from django.db import migrations, models


from verifyhub.common.initial_migration import InitialMigration


class Migration(InitialMigration):

    # What a database made before they were joined has recorded.
    replaces = [
        ('learning', '0001_schema'),
        ('learning', '0002_fewer_indexes'),
        ('learning', '0003_packed_facts'),
    ]

    dependencies = [
        ('accounts', '0001_tables'),
        ('ingest', '0001_tables'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        # Trusted extensions, as in memory.
        migrations.RunSQL(
            'CREATE EXTENSION IF NOT EXISTS pg_trgm;'
            ' CREATE EXTENSION IF NOT EXISTS btree_gist',
            migrations.RunSQL.noop,
        ),
        migrations.CreateModel(
            name='LabelledExample',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('verification_id', models.UUIDField()),
                ('override_id', models.UUIDField()),
                ('target', models.CharField(choices=[('verdict', 'Verdict'), ('mention', 'Name'), ('claim', 'Claim of work'), ('fact', 'Claim of fact')], max_length=20)),
                ('subject', models.CharField(blank=True, max_length=300)),
                ('subject_kind', models.CharField(blank=True, max_length=30)),
                ('subject_key', models.CharField(max_length=64)),
                ('machine', models.CharField(max_length=20)),
                ('person', models.CharField(max_length=20)),
                ('reason', models.CharField(blank=True, max_length=500)),
                ('task_excerpt', models.CharField(max_length=300)),
                ('answer_excerpt', models.CharField(max_length=500)),
                ('likeness', models.CharField(max_length=801)),
                ('state', models.CharField(choices=[('taught', 'Taught'), ('retired', 'Retired'), ('undone', 'Undone')], default='taught', max_length=20)),
                ('active', models.BooleanField(default=True)),
                ('decided_at', models.DateTimeField()),
                ('interaction', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='ingest.interaction')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
                ('reviewer', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['interaction'], name='example_of_answer'), models.Index(fields=['project', '-decided_at', '-id'], name='example_new'), django.contrib.postgres.indexes.GistIndex(condition=models.Q(('active', True)), fields=['project', 'likeness'], name='example_alike', opclasses=['gist_uuid_ops', 'gist_trgm_ops'])],
                'constraints': [models.UniqueConstraint(fields=('override_id', 'subject_key'), name='example_once_per_decision')],
            },
        ),
        migrations.CreateModel(
            name='CalibrationSample',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('check_name', models.CharField(max_length=60)),
                ('score', models.FloatField()),
                ('label', models.BooleanField()),
                ('active', models.BooleanField(default=True)),
                ('at', models.DateTimeField()),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
                ('example', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='samples', to='learning.labelledexample')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('active', True)), fields=['project', 'check_name', '-at'], name='calibration_sample_check')],
                'constraints': [models.UniqueConstraint(fields=('example', 'check_name'), name='calibration_sample_once'), models.CheckConstraint(condition=models.Q(('score__gte', 0), ('score__lte', 1)), name='calibration_sample_score_in_range')],
            },
        ),
        migrations.CreateModel(
            name='PreferencePair',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('verification_id', models.UUIDField()),
                ('override_id', models.UUIDField(unique=True)),
                ('chosen', models.TextField()),
                ('machine', models.CharField(max_length=20)),
                ('reason', models.CharField(blank=True, max_length=500)),
                ('state', models.CharField(choices=[('taught', 'Taught'), ('undone', 'Undone')], default='taught', max_length=20)),
                ('active', models.BooleanField(default=True)),
                ('decided_at', models.DateTimeField()),
                ('interaction', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='ingest.interaction')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
                ('reviewer', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['interaction'], name='pair_of_answer'), models.Index(condition=models.Q(('active', True)), fields=['project', '-decided_at', '-id'], name='pair_in_force')],
            },
        ),
        migrations.CreateModel(
            name='AppliedAdvice',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=60)),
                ('before', models.JSONField(null=True)),
                ('after', models.JSONField()),
                ('evidence', models.JSONField()),
                ('undone_at', models.DateTimeField(null=True)),
                ('applied_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
            ],
            options={
                'indexes': [models.Index(fields=['project', '-created_at'], name='applied_advice_new')],
            },
        ),
        migrations.CreateModel(
            name='Arm',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('session_key', models.CharField(max_length=200)),
                ('kind', models.CharField(choices=[('constraints', 'Constraints'), ('corrections', 'Corrections'), ('findings', 'Findings'), ('gaps', 'Gaps'), ('preferences', 'Preferences'), ('examples', 'Examples for the verifier')], max_length=20)),
                ('held_out', models.BooleanField()),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('project', 'session_key', 'kind'), name='arm_once_per_session')],
            },
        ),
        migrations.CreateModel(
            name='BlockingRule',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('number', models.PositiveIntegerField()),
                ('check_name', models.CharField(max_length=60)),
                ('score', models.FloatField()),
                ('at_most', models.FloatField()),
                ('n', models.PositiveIntegerField()),
                ('rank', models.PositiveIntegerField()),
                ('caught', models.PositiveIntegerField()),
                ('wrong', models.PositiveIntegerField()),
                ('sample_ids', django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), size=None)),
                ('activated_by', models.CharField(max_length=200)),
                ('ended_by', models.CharField(blank=True, max_length=200)),
                ('ended_at', models.DateTimeField(null=True)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('project', 'number'), name='blocking_rule_numbered_once'), models.UniqueConstraint(condition=models.Q(('ended_at', None)), fields=('project',), name='blocking_rule_one_in_force')],
            },
        ),
        migrations.CreateModel(
            name='CalibrationModel',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('check_name', models.CharField(max_length=60)),
                ('number', models.PositiveIntegerField()),
                ('state', models.CharField(choices=[('draft', 'Draft'), ('active', 'Active'), ('retired', 'Retired'), ('refused', 'Refused')], max_length=20)),
                ('refusal', models.CharField(blank=True, choices=[('falls', 'Higher scores were not correct more often.'), ('not_better', 'On held-out decisions, the fit was no better than the raw scores.')], max_length=20)),
                ('kind', models.CharField(blank=True, max_length=20)),
                ('parameters', models.JSONField(default=dict)),
                ('n', models.PositiveIntegerField()),
                ('right', models.PositiveIntegerField()),
                ('sample_ids', django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), size=None)),
                ('before', models.JSONField()),
                ('after', models.JSONField(null=True)),
                ('since', models.DateTimeField()),
                ('until', models.DateTimeField()),
                ('fitted_by', models.CharField(blank=True, max_length=200)),
                ('activated_by', models.CharField(blank=True, max_length=200)),
                ('activated_at', models.DateTimeField(null=True)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
                ('replaced', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='learning.calibrationmodel')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('project', 'check_name', 'number'), name='calibration_numbered_once'), models.UniqueConstraint(condition=models.Q(('state', 'active')), fields=('project', 'check_name'), name='calibration_one_in_force'), models.CheckConstraint(condition=models.Q(('state__in', ['draft', 'active', 'retired', 'refused'])), name='calibration_state_known')],
            },
        ),
        migrations.CreateModel(
            name='HoldOut',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('kind', models.CharField(choices=[('constraints', 'Constraints'), ('corrections', 'Corrections'), ('findings', 'Findings'), ('gaps', 'Gaps'), ('preferences', 'Preferences'), ('examples', 'Examples for the verifier')], max_length=20)),
                ('share', models.PositiveSmallIntegerField(default=0)),
                ('salt', models.CharField(max_length=32)),
                ('changed_at', models.DateTimeField(auto_now=True)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('project', 'kind'), name='hold_out_once_per_kind'), models.CheckConstraint(condition=models.Q(('share__lte', 50)), name='hold_out_share_in_range')],
            },
        ),
        migrations.CreateModel(
            name='JudgedAnswer',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('interaction', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='+', serialize=False, to='ingest.interaction')),
                ('verification_id', models.UUIDField()),
                ('answered_at', models.DateTimeField()),
                ('session_key', models.CharField(blank=True, max_length=200)),
                ('agent', models.CharField(blank=True, max_length=200)),
                ('model', models.CharField(blank=True, max_length=200)),
                ('tools', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=200), default=list, size=None)),
                ('attempt', models.PositiveIntegerField(default=1)),
                ('verdict', models.CharField(choices=[('accept', 'Accept'), ('uncertain', 'Uncertain'), ('reject', 'Reject')], max_length=20)),
                ('human_verdict', models.CharField(blank=True, choices=[('accept', 'Accept'), ('uncertain', 'Uncertain'), ('reject', 'Reject')], max_length=20)),
                ('counted', models.PositiveIntegerField(default=0)),
                ('unverified', models.PositiveIntegerField(default=0)),
                ('moved', models.IntegerField(default=0)),
                ('arms', models.JSONField(default=dict)),
                ('facts_json', models.JSONField(db_column='facts', null=True)),
                ('facts_packed', models.BinaryField(null=True)),
                ('project', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
            ],
            options={
                'indexes': [models.Index(fields=['project', 'answered_at'], name='judged_answer_by_time'), models.Index(fields=['project', 'agent', 'answered_at'], name='judged_answer_by_agent'), models.Index(condition=models.Q(('arms', {}), _negated=True), fields=['project', '-answered_at'], name='judged_answer_in_arms')],
            },
        ),
    ]
