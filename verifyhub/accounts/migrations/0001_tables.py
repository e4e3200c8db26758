import django.contrib.auth.models
import django.contrib.auth.validators
import django.contrib.postgres.fields
import django.db.models.deletion
import django.utils.timezone
import uuid
from django.conf import settings
from django.db import migrations, models


from verifyhub.common.initial_migration import InitialMigration


class Migration(InitialMigration):

    # What a database made before they were joined has recorded.
    replaces = [
        ('accounts', '0001_schema'),
        ('accounts', '0002_scope_manage'),
        ('accounts', '0003_what_sends_back'),
        ('accounts', '0004_invitations'),
        ('accounts', '0005_secrets'),
        ('accounts', '0006_user_moves_on'),
        ('accounts', '0007_oidc_identity'),
        ('accounts', '0009_user_queue_columns'),
    ]

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        migrations.CreateModel(
            name='Project',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('slug', models.SlugField(max_length=60, unique=True)),
                ('name', models.CharField(max_length=200)),
                ('thresholds', models.JSONField(blank=True, default=dict)),
                ('tool_rules', models.JSONField(blank=True, default=list)),
                ('strictness', models.CharField(default='balanced', max_length=20)),
                ('domain', models.CharField(blank=True, default='', max_length=40)),
                ('domains', models.JSONField(blank=True, default=list)),
                ('claims_checked', models.CharField(db_default='auto', default='auto', max_length=20)),
                ('layers_run', models.CharField(db_default='on_request', default='on_request', max_length=20)),
                ('layers_off', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=30), blank=True, db_default=[], default=list, size=None)),
                ('entropy_by', models.CharField(db_default='entailment', default='entailment', max_length=20)),
                ('risk_level', models.CharField(blank=True, db_default='', default='', max_length=20)),
                ('risk_profiles', models.JSONField(blank=True, db_default={}, default=dict)),
                ('secrets_kept', models.CharField(choices=[('masked', 'Masked, originals not stored'), ('sealed', 'Masked, originals stored encrypted'), ('as_sent', 'As sent, including secrets')], db_default='masked', default='masked', max_length=20)),
                ('personal_masked', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=20), blank=True, db_default=[], default=list, size=None)),
                ('mask_patterns', models.JSONField(blank=True, db_default=[], default=list)),
                ('secrets_shown_to', models.CharField(db_default='admin', default='admin', max_length=20)),
                ('sends_unmasked', models.BooleanField(db_default=False, default=False)),
                ('second_factor_from', models.CharField(blank=True, db_default='', default='', max_length=20)),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='User',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('username', models.CharField(error_messages={'unique': 'A user with that username already exists.'}, help_text='Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.', max_length=150, unique=True, validators=[django.contrib.auth.validators.UnicodeUsernameValidator()], verbose_name='username')),
                ('first_name', models.CharField(blank=True, max_length=150, verbose_name='first name')),
                ('last_name', models.CharField(blank=True, max_length=150, verbose_name='last name')),
                ('email', models.EmailField(blank=True, max_length=254, verbose_name='email address')),
                ('is_staff', models.BooleanField(default=False, help_text='Designates whether the user can log into this admin site.', verbose_name='staff status')),
                ('is_active', models.BooleanField(default=True, help_text='Designates whether this user should be treated as active. Unselect this instead of deleting accounts.', verbose_name='active')),
                ('date_joined', models.DateTimeField(default=django.utils.timezone.now, verbose_name='date joined')),
                ('language', models.CharField(blank=True, db_default='', default='', max_length=10)),
                ('time_zone', models.CharField(blank=True, db_default='', default='', max_length=64)),
                ('theme', models.CharField(blank=True, choices=[('light', 'Light'), ('dark', 'Dark')], db_default='', default='', max_length=5)),
                ('key_mode', models.CharField(choices=[('letters', 'Single letters'), ('alt', 'Alt + letter'), ('off', 'Off')], db_default='letters', default='letters', max_length=10)),
                ('moves_on', models.BooleanField(db_default=True, default=True)),
                ('queue_columns', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=20), blank=True, db_default=[], default=list, size=None)),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
            ],
            options={
                'verbose_name': 'user',
                'verbose_name_plural': 'users',
                'abstract': False,
            },
            managers=[
                ('objects', django.contrib.auth.models.UserManager()),
            ],
        ),
        migrations.CreateModel(
            name='OidcIdentity',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('issuer', models.CharField(max_length=500)),
                ('subject', models.CharField(max_length=255)),
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='identity', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('issuer', 'subject'), name='oidc_identity_once')],
            },
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('role', models.CharField(choices=[('viewer', 'Viewer'), ('reviewer', 'Reviewer'), ('lead', 'Lead'), ('admin', 'Admin')], max_length=20)),
                ('strictness', models.CharField(blank=True, db_default='', default='', max_length=20)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='accounts.project')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('project', 'user'), name='membership_once_per_project'), models.CheckConstraint(condition=models.Q(('role__in', ['viewer', 'reviewer', 'lead', 'admin'])), name='membership_role_known')],
            },
        ),
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('role', models.CharField(choices=[('viewer', 'Viewer'), ('reviewer', 'Reviewer'), ('lead', 'Lead'), ('admin', 'Admin')], max_length=20)),
                ('email', models.EmailField(blank=True, db_default='', default='', max_length=254)),
                ('token_sha256', models.CharField(max_length=64, unique=True)),
                ('expires_at', models.DateTimeField()),
                ('accepted_at', models.DateTimeField(null=True)),
                ('withdrawn_at', models.DateTimeField(null=True)),
                ('accepted_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='accounts.project')),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('role__in', ['viewer', 'reviewer', 'lead', 'admin'])), name='invitation_role_known')],
            },
        ),
        migrations.CreateModel(
            name='ApiKey',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=100)),
                ('prefix', models.CharField(max_length=16)),
                ('secret_sha256', models.CharField(max_length=64, unique=True)),
                ('scopes', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(choices=[('ingest', 'Send interactions'), ('read', 'Read verdicts, context and exports'), ('review', 'Override verdicts'), ('memory', 'Share preferences and corrections with every session'), ('manage', 'Manage checks, tool schemas, calibrations and reviewers'), ('webhooks', 'Manage webhooks')], max_length=20), size=None)),
                ('expires_at', models.DateTimeField(blank=True, null=True)),
                ('revoked_at', models.DateTimeField(blank=True, null=True)),
                ('last_used_at', models.DateTimeField(blank=True, null=True)),
                ('rotated_at', models.DateTimeField(null=True)),
                ('former_sha256', models.CharField(max_length=64, null=True, unique=True)),
                ('former_prefix', models.CharField(blank=True, db_default='', default='', max_length=16)),
                ('former_until', models.DateTimeField(null=True)),
                ('former_used_at', models.DateTimeField(null=True)),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='api_keys', to='accounts.project')),
            ],
            options={
                'indexes': [models.Index(fields=['project', '-created_at'], name='api_key_project')],
            },
        ),
    ]
