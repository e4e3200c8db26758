import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.contrib.postgres.search
import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
import uuid
import verifyhub.common.db
from django.db import migrations, models


from verifyhub.common.initial_migration import InitialMigration


class Migration(InitialMigration):

    # What a database made before they were joined has recorded.
    replaces = [
        ('memory', '0001_schema'),
        ('memory', '0002_retired_code'),
        ('memory', '0003_retired_reasons_as_codes'),
        ('memory', '0004_fewer_indexes'),
        ('memory', '0005_voices'),
    ]

    dependencies = [
        ('accounts', '0001_tables'),
        ('ingest', '0001_tables'),
    ]

    operations = [
        # All are trusted extensions: the owner of a database may create them. Going back
        # leaves them, since other tables may have indexes that need them.
        migrations.RunSQL(
            'CREATE EXTENSION IF NOT EXISTS pg_trgm;'
            ' CREATE EXTENSION IF NOT EXISTS btree_gin',
            migrations.RunSQL.noop,
        ),
        migrations.CreateModel(
            name='Constraint',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('id', models.UUIDField(default=verifyhub.common.db.new_id, editable=False, primary_key=True, serialize=False)),
                ('mention_kind', models.CharField(max_length=30)),
                ('mention_key', models.CharField(max_length=500)),
                ('text', models.CharField(max_length=500)),
                ('suggestion', models.CharField(blank=True, max_length=500)),
                ('state', models.CharField(choices=[('candidate', 'Candidate'), ('shadow', 'Observation'), ('active', 'Active'), ('retired', 'Retired')], default='candidate', max_length=20)),
                ('origin', models.CharField(choices=[('recurrence', 'Recurred in several sessions'), ('reviewer', 'Confirmed by a reviewer')], default='recurrence', max_length=20)),
                ('pinned', models.BooleanField(default=False)),
                ('interaction_count', models.PositiveIntegerField(default=0)),
                ('session_count', models.PositiveIntegerField(default=0)),
                ('key_count', models.PositiveIntegerField(db_default=0, default=0)),
                ('first_seen_at', models.DateTimeField(null=True)),
                ('last_seen_at', models.DateTimeField(null=True)),
                ('retired_code', models.CharField(blank=True, db_default='', default='', max_length=20)),
                ('retired_reason', models.CharField(blank=True, max_length=300)),
                ('shadow_at', models.DateTimeField(null=True)),
                ('confirmed_at', models.DateTimeField(null=True)),
                ('active_at', models.DateTimeField(null=True)),
                ('retired_at', models.DateTimeField(null=True)),
                ('updated_at', models.DateTimeField(auto_now=True)),
                ('merged_into', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='merged', to='memory.constraint')),
                ('project', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='constraints', to='accounts.project')),
            ],
            options={
                'indexes': [models.Index(fields=['project', 'state', '-last_seen_at'], name='constraint_state'), models.Index(models.F('project'), models.F('mention_kind'), django.db.models.functions.text.Lower(models.Func(models.F('mention_key'), models.Value('[-_. ]+'), models.Value(''), models.Value('g'), function='regexp_replace', output_field=models.CharField())), name='constraint_folded'), models.Index(condition=models.Q(('merged_into__isnull', False)), fields=['merged_into'], name='constraint_merged'), django.contrib.postgres.indexes.GinIndex(models.F('project'), models.Func(models.F('text'), models.F('suggestion'), arg_joiner=" || ' ' || ", output_field=django.contrib.postgres.search.SearchVectorField(), template="to_tsvector('simple'::regconfig, translate(left(%(expressions)s, 2000), '/._:@-', '      '))"), gin_pending_list_limit=256, name='constraint_words'), django.contrib.postgres.indexes.GinIndex(models.F('project'), django.contrib.postgres.indexes.OpClass(models.Func(models.F('text'), models.F('suggestion'), arg_joiner=" || ' ' || ", output_field=models.TextField(), template='upper(left(%(expressions)s, 2000))'), name='gin_trgm_ops'), gin_pending_list_limit=256, name='constraint_near'), models.Index(condition=models.Q(('pinned', True), ('state', 'active')), fields=['project'], name='constraint_pinned')],
                'constraints': [models.UniqueConstraint(fields=('project', 'mention_kind', 'mention_key'), name='constraint_once_per_name')],
            },
        ),
        migrations.CreateModel(
            name='ContextDelivery',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('session_key', models.CharField(max_length=200)),
                ('sha256', models.CharField(max_length=64)),
                ('format', models.CharField(choices=[('text', 'Text for a prompt'), ('json', 'JSON'), ('markdown', 'Markdown for AGENTS.md'), ('mcp', 'MCP resource')], max_length=10)),
                ('budget', models.PositiveIntegerField()),
                ('tokens', models.PositiveIntegerField()),
                ('counts', models.JSONField(default=dict)),
                ('entry_ids', django.contrib.postgres.fields.ArrayField(base_field=models.UUIDField(), default=list, size=None)),
                ('constraint_ids', django.contrib.postgres.fields.ArrayField(base_field=models.UUIDField(), default=list, size=None)),
                ('held_out', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=20), default=list, size=None)),
                ('api_key', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='accounts.apikey')),
                ('project', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
                ('session', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='ingest.session')),
            ],
            options={
                'indexes': [models.Index(fields=['project', 'sha256'], name='context_delivery_sha256'), models.Index(fields=['project', '-created_at', '-id'], name='context_delivery_recent'), models.Index(fields=['created_at'], name='context_delivery_age'), models.Index(fields=['project', 'session_key', '-created_at', '-id'], name='context_delivery_last')],
            },
        ),
        migrations.CreateModel(
            name='KeyForgetting',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('last_constraint', models.UUIDField(null=True)),
                ('constraint_count', models.PositiveIntegerField(default=0)),
                ('sighting_count', models.PositiveIntegerField(default=0)),
                ('finished_at', models.DateTimeField(null=True)),
                ('api_key', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.apikey')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('finished_at__isnull', True)), fields=['id'], name='key_forgetting_open')],
            },
        ),
        migrations.CreateModel(
            name='MemoryEntry',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('id', models.UUIDField(default=verifyhub.common.db.new_id, editable=False, primary_key=True, serialize=False)),
                ('scope', models.CharField(choices=[('session', 'This session'), ('project', 'Every session of the project')], db_default='session', default='session', max_length=10)),
                ('key', models.CharField(max_length=300)),
                ('kind', models.CharField(choices=[('finding', 'Finding'), ('blocker', 'Blocker'), ('gap', 'Gap'), ('correction', 'Correction'), ('preference', 'Preference')], max_length=20)),
                ('state', models.CharField(choices=[('active', 'Active'), ('superseded', 'Superseded'), ('retracted', 'Retracted'), ('expired', 'Expired')], default='active', max_length=20)),
                ('mention_kind', models.CharField(blank=True, max_length=30)),
                ('mention_key', models.CharField(blank=True, max_length=500)),
                ('text', models.TextField()),
                ('suggestion', models.TextField(blank=True)),
                ('reason', models.CharField(blank=True, db_default='', default='', max_length=500)),
                ('mention_status', models.CharField(blank=True, max_length=20)),
                ('confidence', models.FloatField(null=True)),
                ('grade', models.CharField(blank=True, db_default='', default='', max_length=1)),
                ('interaction_id', models.UUIDField(null=True)),
                ('source', models.CharField(choices=[('verification', 'Verification'), ('reviewer', 'Reviewer'), ('lead', 'Lead')], max_length=40)),
                ('override_id', models.UUIDField(null=True)),
                ('verification_id', models.UUIDField(null=True)),
                ('check_name', models.CharField(blank=True, db_default='', default='', max_length=40)),
                ('evidence', models.JSONField(null=True)),
                ('author', models.CharField(blank=True, db_default='', default='', max_length=200)),
                ('voices', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=80), null=True, size=None)),
                ('reach', models.CharField(choices=[('session', 'This session only'), ('name', 'All sessions, without the suggested name'), ('project', 'All sessions')], db_default='session', default='session', max_length=10)),
                ('expires_at', models.DateTimeField(null=True)),
                ('updated_at', models.DateTimeField(auto_now=True)),
                ('project', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
                ('session', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='memory', to='ingest.session')),
            ],
            options={
                'indexes': [models.Index(fields=['project', 'mention_kind', 'mention_key'], name='memory_entry_mention'), models.Index(fields=['project', 'interaction_id'], name='memory_entry_interaction'), models.Index(fields=['project', 'created_at', 'id'], name='memory_entry_by_time'), models.Index(condition=models.Q(('state', 'active')), fields=['project', 'kind', 'created_at'], name='memory_entry_expiry'), models.Index(condition=models.Q(('scope', 'project'), ('state', 'active')), fields=['project', '-created_at', '-id'], name='memory_entry_shared'), models.Index(condition=models.Q(('expires_at__isnull', False), ('state', 'active')), fields=['expires_at'], name='memory_entry_expires'), models.Index(models.F('project'), django.db.models.functions.text.Lower(models.Func(models.F('mention_key'), models.Value('[-_. ]+'), models.Value(''), models.Value('g'), function='regexp_replace', output_field=models.CharField())), condition=models.Q(('mention_kind', 'package')), name='memory_entry_package'), django.contrib.postgres.indexes.GinIndex(models.F('project'), models.Func(models.F('text'), models.F('suggestion'), arg_joiner=" || ' ' || ", output_field=django.contrib.postgres.search.SearchVectorField(), template="to_tsvector('simple'::regconfig, translate(left(%(expressions)s, 2000), '/._:@-', '      '))"), gin_pending_list_limit=256, name='memory_entry_words'), django.contrib.postgres.indexes.GinIndex(models.F('project'), django.contrib.postgres.indexes.OpClass(models.Func(models.F('text'), models.F('suggestion'), arg_joiner=" || ' ' || ", output_field=models.TextField(), template='upper(left(%(expressions)s, 2000))'), name='gin_trgm_ops'), gin_pending_list_limit=256, name='memory_entry_near'), models.Index(condition=models.Q(('session__isnull', False), ('state', 'active')), fields=['session', 'created_at', 'id'], name='memory_entry_of_session'), models.Index(condition=models.Q(('mention_key', ''), _negated=True), fields=['session', 'mention_key'], name='memory_entry_named'), models.Index(condition=models.Q(('kind', 'finding')), fields=['project', 'mention_kind', 'mention_key', '-created_at'], name='memory_entry_shown'), models.Index(models.F('project'), django.db.models.functions.text.Lower(models.Func(models.F('mention_key'), models.Value('[-_. ]+'), models.Value(''), models.Value('g'), function='regexp_replace', output_field=models.CharField())), condition=models.Q(('kind', 'correction')), name='memory_entry_corrected')],
                'constraints': [models.UniqueConstraint(fields=('project', 'session', 'key'), name='memory_entry_once_per_session', nulls_distinct=False)],
            },
        ),
        migrations.CreateModel(
            name='Sighting',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('interaction_id', models.UUIDField()),
                ('seen_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('agent', models.CharField(blank=True, db_default='', default='', max_length=200)),
                ('deployment', models.CharField(blank=True, db_default='', default='', max_length=200)),
                ('counts', models.BooleanField(default=True)),
                ('api_key', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='accounts.apikey')),
                ('constraint', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='sightings', to='memory.constraint')),
                ('project', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
                ('session', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='ingest.session')),
            ],
            options={
                'indexes': [models.Index(fields=['project', 'interaction_id'], name='sighting_interaction'), models.Index(condition=models.Q(('counts', True)), fields=['constraint', 'session', 'seen_at'], name='sighting_of_session_then'), models.Index(condition=models.Q(('counts', True)), fields=['constraint', 'api_key', 'seen_at'], name='sighting_of_key_then'), models.Index(fields=['constraint', '-counts', '-seen_at', '-id'], name='sighting_latest')],
                'constraints': [models.UniqueConstraint(fields=('constraint', 'interaction_id'), name='sighting_once')],
            },
        ),
        migrations.CreateModel(
            name='Snapshot',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=100)),
                ('format', models.CharField(max_length=40)),
                ('origin', models.CharField(choices=[('uploaded', 'Uploaded'), ('learned', 'Learned from accepted runs')], default='uploaded', max_length=20)),
                ('pools', models.JSONField(default=list)),
                ('name_count', models.PositiveIntegerField(default=0)),
                ('sha256', models.CharField(blank=True, max_length=64)),
                ('changed_by', models.CharField(blank=True, max_length=200)),
                ('updated_at', models.DateTimeField(auto_now=True)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('project', 'name'), name='snapshot_once_per_name')],
            },
        ),
        migrations.CreateModel(
            name='SnapshotName',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('pool', models.CharField(max_length=20)),
                ('key', models.CharField(db_collation='C', max_length=200)),
                ('text', models.CharField(db_collation='C', max_length=200)),
                ('project', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
                ('snapshot', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='names', to='memory.snapshot')),
            ],
            options={
                'indexes': [models.Index(fields=['project', 'pool', 'key'], name='snapshot_name_key'), models.Index(models.F('project'), models.F('pool'), django.db.models.functions.text.Reverse('key'), name='snapshot_name_ending')],
                'constraints': [models.UniqueConstraint(fields=('snapshot', 'pool', 'text'), name='snapshot_name_once')],
            },
        ),
    ]
