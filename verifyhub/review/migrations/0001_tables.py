import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.core.validators
import django.db.models.deletion
import uuid
import verifyhub.common.db
from django.conf import settings
from django.db import migrations, models


from verifyhub.common.initial_migration import InitialMigration


class Migration(InitialMigration):

    # What a database made before they were joined has recorded.
    replaces = [
        ('review', '0001_schema'),
        ('review', '0002_fewer_indexes'),
    ]

    dependencies = [
        ('accounts', '0001_tables'),
        ('ingest', '0001_tables'),
        ('verification', '0001_tables'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='QueueSettings',
            fields=[
                ('project', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='+', serialize=False, to='accounts.project')),
                ('doubling_hours', models.PositiveIntegerField(default=72)),
                ('lease_minutes', models.PositiveIntegerField(default=10)),
                ('due_high_hours', models.PositiveIntegerField(default=24, null=True)),
                ('due_medium_hours', models.PositiveIntegerField(default=72, null=True)),
                ('due_low_hours', models.PositiveIntegerField(default=168, null=True)),
                ('rotation', models.BooleanField(default=False)),
                ('open_limit', models.PositiveIntegerField(default=10)),
                ('rerank_from', models.UUIDField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name='Act',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('kind', models.CharField(choices=[('single', 'One answer'), ('bulk', 'Many answers')], default='single', max_length=10)),
                ('state', models.CharField(choices=[('running', 'Running'), ('done', 'Done'), ('undoing', 'Undoing'), ('undone', 'Undone')], default='done', max_length=10)),
                ('decision', models.JSONField(default=dict)),
                ('chosen_by', models.JSONField(default=dict)),
                ('undone_at', models.DateTimeField(null=True)),
                ('api_key', models.ForeignKey(null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='+', to='accounts.apikey')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
                ('reviewer', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('undone_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('undone_by_key', models.ForeignKey(null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='+', to='accounts.apikey')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('undone_at', None)), fields=['project', 'reviewer', '-created_at'], name='act_to_undo'), models.Index(condition=models.Q(('state__in', ['running', 'undoing'])), fields=['created_at'], name='act_under_way')],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('api_key__isnull', True), ('reviewer__isnull', False)), models.Q(('api_key__isnull', False), ('reviewer__isnull', True)), _connector='OR'), name='act_has_one_actor')],
            },
        ),
        migrations.CreateModel(
            name='AssignmentRule',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('agent_name', models.CharField(blank=True, default='', max_length=200)),
                ('reason_kind', models.CharField(blank=True, default='', max_length=40)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['project', 'created_at'], name='assignment_rule_order')],
                'constraints': [models.CheckConstraint(condition=models.Q(('agent_name', ''), ('reason_kind', ''), _negated=True), name='assignment_rule_asks_for_something')],
            },
        ),
        migrations.CreateModel(
            name='Draft',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('content', models.JSONField(default=dict)),
                ('version', models.PositiveIntegerField(default=1)),
                ('updated_at', models.DateTimeField(auto_now=True)),
                ('interaction', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='ingest.interaction')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('interaction', 'user'), name='draft_once_per_reviewer')],
            },
        ),
        migrations.CreateModel(
            name='ReasonCode',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('code', models.CharField(max_length=40)),
                ('label', models.CharField(max_length=80)),
                ('position', models.PositiveIntegerField(default=0)),
                ('retired_at', models.DateTimeField(null=True)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='reason_codes', to='accounts.project')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('project', 'code'), name='reason_code_once')],
            },
        ),
        migrations.CreateModel(
            name='ReviewItem',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('reason_facts', models.JSONField(db_default=[], default=list)),
                ('agent_name', models.CharField(blank=True, db_default='', default='', max_length=200)),
                ('machine_verdict', models.CharField(blank=True, choices=[('accept', 'Accept'), ('uncertain', 'Uncertain'), ('reject', 'Reject')], db_default='', default='', max_length=20)),
                ('flagged_kinds', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=30), db_default=[], default=list, size=None)),
                ('uncertainty', models.FloatField(db_default=1.0, default=1)),
                ('reach', models.IntegerField(db_default=0, default=0)),
                ('rank', models.FloatField(db_default=0.0, default=0)),
                ('ranked_at', models.DateTimeField(null=True)),
                ('reach_due', models.BooleanField(db_default=False, default=True)),
                ('due_at', models.DateTimeField(null=True)),
                ('assigned_at', models.DateTimeField(null=True)),
                ('lease_token', models.UUIDField(null=True)),
                ('lease_until', models.DateTimeField(null=True)),
                ('taken_at', models.DateTimeField(null=True)),
                ('id', models.UUIDField(default=verifyhub.common.db.new_id, editable=False, primary_key=True, serialize=False)),
                ('reasons', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=300), default=list, size=None)),
                ('reason_kinds', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40), default=list, size=None)),
                ('risk', models.FloatField(default=0)),
                ('state', models.CharField(choices=[('open', 'Open'), ('confirmed', 'Confirmed'), ('overridden', 'Overridden'), ('superseded', 'Superseded'), ('gold', 'Gold')], default='open', max_length=20)),
                ('human_verdict', models.CharField(blank=True, choices=[('accept', 'Accept'), ('uncertain', 'Uncertain'), ('reject', 'Reject')], max_length=20)),
                ('version', models.PositiveIntegerField(default=0)),
                ('resolved_at', models.DateTimeField(null=True)),
                ('reviews_wanted', models.PositiveSmallIntegerField(null=True)),
                ('round', models.PositiveSmallIntegerField(db_default=1, default=1)),
                ('disputed_at', models.DateTimeField(null=True)),
                ('assignee', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('interaction', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='review_items', to='ingest.interaction')),
                ('lease_holder', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('lease_key', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='accounts.apikey')),
                ('project', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
                ('resolved_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('resolved_by_key', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='+', to='accounts.apikey')),
                ('verification', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='review_item', to='verification.verification')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('disputed_at__isnull', False)), fields=['project', 'disputed_at'], name='review_item_disputed'), models.Index(condition=models.Q(('state', 'open')), fields=['project', '-rank', 'id'], name='review_item_rank'), models.Index(condition=models.Q(('state', 'open'), ('assignee__isnull', True)), fields=['project', '-rank', 'id'], name='review_item_pool'), models.Index(condition=models.Q(('state', 'open'), ('assignee__isnull', False)), fields=['project', 'assignee', '-rank', 'id'], name='review_item_assignee'), models.Index(condition=models.Q(('state', 'open')), fields=['project', 'agent_name', '-rank', 'id'], name='review_item_agent'), models.Index(condition=models.Q(('state', 'open')), fields=['project', 'machine_verdict', '-rank', 'id'], name='review_item_verdict'), models.Index(condition=models.Q(('state', 'open')), fields=['project', 'risk'], name='review_item_risk'), models.Index(condition=models.Q(('state', 'open')), fields=['project', 'due_at'], name='review_item_due'), models.Index(condition=models.Q(('state', 'open')), fields=['project', 'created_at'], name='review_item_made'), models.Index(fields=['project', 'created_at'], name='review_item_opened'), models.Index(condition=models.Q(('state', 'open')), fields=['project', 'ranked_at'], name='review_item_moved'), models.Index(condition=models.Q(('state', 'open'), ('lease_token__isnull', False)), fields=['project', 'lease_holder'], name='review_item_held'), models.Index(condition=models.Q(('reach_due', True)), fields=['id'], name='review_item_spread'), django.contrib.postgres.indexes.GinIndex(condition=models.Q(('state', 'open')), fields=['reason_kinds', 'flagged_kinds'], name='review_item_kinds'), models.Index(condition=models.Q(('state', 'open'), _negated=True), fields=['project', 'resolved_by', 'resolved_at'], name='review_item_decided_by'), models.Index(condition=models.Q(('state', 'open'), _negated=True), fields=['project', '-resolved_at', 'id'], name='review_item_resolved')],
            },
        ),
        migrations.CreateModel(
            name='GoldItem',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('verdict', models.CharField(choices=[('accept', 'Accept'), ('uncertain', 'Uncertain'), ('reject', 'Reject')], max_length=20)),
                ('note', models.CharField(blank=True, max_length=1000)),
                ('expires_at', models.DateTimeField(null=True)),
                ('retired_at', models.DateTimeField(null=True)),
                ('marked_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
                ('item', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='gold', to='review.reviewitem')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('retired_at', None)), fields=['project', 'created_at'], name='gold_active')],
            },
        ),
        migrations.CreateModel(
            name='Judgement',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('kind', models.CharField(choices=[('review', 'Review'), ('adjudication', 'Adjudication'), ('gold', 'Gold')], default='review', max_length=20)),
                ('round', models.PositiveSmallIntegerField(default=1)),
                ('state', models.CharField(choices=[('draft', 'Draft'), ('given', 'Submitted'), ('withdrawn', 'Withdrawn'), ('superseded', 'Superseded')], default='given', max_length=20)),
                ('verdict', models.CharField(blank=True, choices=[('accept', 'Accept'), ('uncertain', 'Uncertain'), ('reject', 'Reject')], max_length=20)),
                ('decision', models.JSONField(default=dict)),
                ('shown', models.JSONField(db_default=[], default=list)),
                ('seconds', models.PositiveIntegerField(null=True)),
                ('blind', models.BooleanField(default=True)),
                ('given_at', models.DateTimeField(null=True)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
                ('reviewer', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='judgements', to=settings.AUTH_USER_MODEL)),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='judgements', to='review.reviewitem')),
            ],
            options={
                'indexes': [models.Index(fields=['project', 'reviewer', '-given_at'], name='judgement_of_person'), models.Index(fields=['project', '-given_at'], name='judgement_recent')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('state__in', ['draft', 'given'])), fields=('item', 'reviewer', 'round', 'kind'), name='judgement_once_per_round'), models.UniqueConstraint(condition=models.Q(('kind', 'adjudication'), ('state', 'given')), fields=('item', 'round'), name='adjudication_once_per_round'), models.CheckConstraint(condition=models.Q(models.Q(('state', 'draft'), ('verdict', '')), models.Q(models.Q(('state', 'draft'), _negated=True), models.Q(('verdict', ''), _negated=True)), _connector='OR'), name='judgement_draft_has_no_verdict')],
            },
        ),
        migrations.CreateModel(
            name='GoldSeed',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('gold', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seeds', to='review.golditem')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
                ('reviewer', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('judgement', models.OneToOneField(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='seed', to='review.judgement')),
            ],
            options={
                'indexes': [models.Index(fields=['project', 'reviewer', '-created_at'], name='gold_seed_recent')],
                'constraints': [models.UniqueConstraint(fields=('gold', 'reviewer'), name='gold_once_per_reviewer')],
            },
        ),
        migrations.CreateModel(
            name='Question',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('note', models.CharField(max_length=2000)),
                ('reply', models.CharField(blank=True, max_length=2000)),
                ('replied_at', models.DateTimeField(null=True)),
                ('asked_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('asked_of', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='questions', to='review.reviewitem')),
            ],
            options={
                'indexes': [models.Index(fields=['item', 'created_at'], name='question_of_item'), models.Index(condition=models.Q(('replied_at__isnull', True)), fields=['project', 'asked_of'], name='question_waiting')],
            },
        ),
        migrations.CreateModel(
            name='Proposal',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('decision', models.JSONField()),
                ('version', models.PositiveIntegerField()),
                ('reason_code', models.CharField(max_length=20)),
                ('state', models.CharField(choices=[('pending', 'Waiting for second approval'), ('confirmed', 'Confirmed'), ('declined', 'Declined'), ('withdrawn', 'Withdrawn'), ('outdated', 'Outdated')], default='pending', max_length=20)),
                ('decided_at', models.DateTimeField(null=True)),
                ('decline_reason', models.CharField(blank=True, max_length=1000)),
                ('act', models.ForeignKey(null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='proposals', to='review.act')),
                ('decided_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
                ('proposer', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='proposals', to='review.reviewitem')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('state', 'pending')), fields=['project', '-created_at'], name='proposal_pending')],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('state__in', ['confirmed', 'declined']), _negated=True), models.Q(('decided_by__isnull', False), models.Q(('decided_by', models.F('proposer')), _negated=True)), _connector='OR'), name='proposal_needs_a_second_person'), models.UniqueConstraint(condition=models.Q(('state', 'pending')), fields=('item',), name='proposal_once_per_item')],
            },
        ),
        migrations.CreateModel(
            name='Override',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('target', models.CharField(choices=[('verdict', 'Verdict'), ('mention', 'Name'), ('claim', 'Claim of work'), ('fact', 'Claim of fact'), ('value', 'Value'), ('missed', 'Missed item'), ('answer', 'Answer'), ('note', 'Note'), ('agreement', 'Agreement')], max_length=20)),
                ('subject', models.JSONField(default=dict)),
                ('before', models.CharField(blank=True, max_length=20)),
                ('after', models.CharField(blank=True, max_length=20)),
                ('text', models.TextField(blank=True, db_default='', default='')),
                ('reason', models.CharField(blank=True, max_length=1000)),
                ('reason_codes', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40), default=list, size=None)),
                ('effects', models.JSONField(default=list)),
                ('undone_at', models.DateTimeField(null=True)),
                ('act', models.ForeignKey(null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='overrides', to='review.act')),
                ('api_key', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='+', to='accounts.apikey')),
                ('mention', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='overrides', to='verification.mentionverdict')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
                ('reviewer', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='overrides', to=settings.AUTH_USER_MODEL)),
                ('undone_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('undone_by_key', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='+', to='accounts.apikey')),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='overrides', to='review.reviewitem')),
            ],
            options={
                'indexes': [models.Index(fields=['item', '-created_at'], name='override_of_item'), models.Index(fields=['project', '-created_at'], name='override_recent')],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(models.Q(('target', 'mention'), _negated=True), ('mention__isnull', True)), models.Q(('mention__isnull', False), ('target', 'mention')), _connector='OR'), name='override_names_its_target'), models.CheckConstraint(condition=models.Q(models.Q(('api_key__isnull', True), ('reviewer__isnull', False)), models.Q(('api_key__isnull', False), ('reviewer__isnull', True)), _connector='OR'), name='override_has_one_actor')],
            },
        ),
        migrations.CreateModel(
            name='ActMember',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveIntegerField()),
                ('state', models.CharField(choices=[('waiting', 'Waiting'), ('done', 'Done'), ('waits', 'Waiting for other reviewers'), ('skipped', 'Skipped'), ('undone', 'Undone')], default='waiting', max_length=10)),
                ('reason', models.CharField(blank=True, max_length=40)),
                ('detail', models.CharField(blank=True, max_length=300)),
                ('act', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='members', to='review.act')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='review.reviewitem')),
            ],
            options={
                'indexes': [models.Index(fields=['act', 'state', 'id'], name='act_member_to_come')],
                'constraints': [models.UniqueConstraint(fields=('act', 'item'), name='act_member_once')],
            },
        ),
        migrations.CreateModel(
            name='ReviewRules',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('project', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='review_rules', serialize=False, to='accounts.project')),
                ('reviews', models.PositiveSmallIntegerField(default=1, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(10)])),
                ('risk_from', models.FloatField(blank=True, null=True)),
                ('risk_reviews', models.PositiveSmallIntegerField(default=2, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(10)])),
                ('reason_reviews', models.JSONField(blank=True, default=dict)),
                ('sample_percent', models.PositiveSmallIntegerField(default=0, validators=[django.core.validators.MaxValueValidator(100)])),
                ('sample_reviews', models.PositiveSmallIntegerField(default=2, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(10)])),
                ('blind', models.BooleanField(default=True)),
                ('settlement', models.CharField(choices=[('majority', 'Majority verdict; without a majority, an adjudicator decides'), ('unanimous', 'Unanimous verdict; otherwise an adjudicator decides'), ('adjudicate', 'An adjudicator decides every difference, including single names')], default='majority', max_length=20)),
                ('judge_may_adjudicate', models.BooleanField(default=False)),
                ('confirm_overrides', models.BooleanField(default=False)),
                ('confirm_constraints', models.BooleanField(default=False)),
                ('confirm_bulk', models.BooleanField(default=False)),
                ('gold_percent', models.PositiveSmallIntegerField(default=0, validators=[django.core.validators.MaxValueValidator(100)])),
                ('gold_feedback', models.BooleanField(default=False)),
                ('gold_days', models.PositiveSmallIntegerField(blank=True, default=180, null=True)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('reviews__range', (1, 10)), ('risk_reviews__range', (1, 10)), ('sample_reviews__range', (1, 10))), name='review_rules_one_to_ten'), models.CheckConstraint(condition=models.Q(('gold_percent__range', (0, 100)), ('sample_percent__range', (0, 100))), name='review_rules_percent')],
            },
        ),
        migrations.CreateModel(
            name='SavedView',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=60)),
                ('filters', models.JSONField(default=dict)),
                ('shared', models.BooleanField(default=False)),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('project', 'owner', 'name'), name='saved_view_once_per_name')],
            },
        ),
        migrations.CreateModel(
            name='Duty',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('on_duty', models.BooleanField(default=False)),
                ('weight', models.PositiveIntegerField(default=1)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('default_view', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='review.savedview')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('project', 'user'), name='duty_once_per_person')],
            },
        ),
        migrations.CreateModel(
            name='Seat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('token', models.UUIDField(default=uuid.uuid4)),
                ('until', models.DateTimeField()),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='review.reviewitem')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['user', 'until'], name='seat_of_person')],
                'constraints': [models.UniqueConstraint(fields=('item', 'user'), name='seat_once_per_person')],
            },
        ),
        migrations.CreateModel(
            name='Skip',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('until', models.DateTimeField()),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='skips', to='review.reviewitem')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['user', 'until'], name='skip_of_person')],
                'constraints': [models.UniqueConstraint(fields=('item', 'user'), name='skip_once_per_person')],
            },
        ),
    ]
