import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


from verifyhub.common.initial_migration import InitialMigration


class Migration(InitialMigration):

    # What a database made before they were joined has recorded.
    replaces = [
        ('audit', '0001_schema'),
        ('audit', '0003_seals'),
    ]

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='AuditSeal',
            fields=[
                ('number', models.BigIntegerField(primary_key=True, serialize=False)),
                ('sealed_at', models.DateTimeField(auto_now_add=True)),
                ('event_ids', django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), size=None)),
                ('digests', models.BinaryField()),
                ('top', models.BigIntegerField()),
                ('next_transaction', models.BigIntegerField()),
                ('settled', models.BigIntegerField()),
            ],
        ),
        migrations.CreateModel(
            name='AuditEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('project_id', models.UUIDField(null=True)),
                ('actor_name', models.CharField(max_length=200)),
                ('action', models.CharField(max_length=100)),
                ('object_type', models.CharField(max_length=100)),
                ('object_id', models.CharField(max_length=64)),
                ('before', models.JSONField(default=dict)),
                ('after', models.JSONField(default=dict)),
                ('actor', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['object_type', 'object_id', 'id'], name='audit_event_object'), models.Index(fields=['project_id', 'id'], name='audit_event_project')],
            },
        ),
    ]
