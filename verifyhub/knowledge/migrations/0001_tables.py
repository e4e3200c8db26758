import django.contrib.postgres.indexes
import django.contrib.postgres.search
import django.db.models.deletion
import django.db.models.functions.comparison
import pgvector.django.halfvec
import pgvector.django.indexes
import uuid
from django.db import NotSupportedError, migrations, models


from pgvector.django import VectorExtension

from verifyhub.common.initial_migration import InitialMigration


# The first with iterative scans, without which a small project among large ones would
# not find its own.
MIN_PGVECTOR = (0, 8)


def require_pgvector(apps, schema_editor):
    with schema_editor.connection.cursor() as cursor:
        cursor.execute(
            "SELECT default_version FROM pg_available_extensions WHERE name = 'vector'"
        )
        row = cursor.fetchone()
    found = tuple(int(part) for part in row[0].split('.')[:2]) if row else ()
    if found < MIN_PGVECTOR:
        raise NotSupportedError(
            'The PostgreSQL server has no pgvector 0.8 or newer, which searching'
            ' knowledge needs. Install its package (postgresql-NN-pgvector) on that'
            ' server, or use the image pgvector/pgvector, and start again.'
        )


class Migration(InitialMigration):

    # What a database made before they were joined has recorded.
    replaces = [
        ('knowledge', '0001_schema'),
    ]

    dependencies = [
        ('accounts', '0001_tables'),
        ('inference', '0001_tables'),
        ('ingest', '0001_tables'),
        ('memory', '0001_tables'),
    ]

    operations = [
        migrations.RunPython(require_pgvector, migrations.RunPython.noop),
        VectorExtension(),
        migrations.CreateModel(
            name='Document',
            fields=[
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('external_id', models.CharField(blank=True, max_length=200)),
                ('title', models.CharField(max_length=300)),
                ('url', models.CharField(blank=True, max_length=1000)),
                ('text', models.TextField()),
                ('sha256', models.CharField(max_length=64)),
                ('state', models.CharField(choices=[('waiting', 'Embedding'), ('ready', 'Ready')], default='waiting', max_length=20)),
                ('passage_count', models.PositiveIntegerField(default=0)),
                ('author', models.CharField(blank=True, max_length=200)),
                ('changed_at', models.DateTimeField(auto_now=True)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
            ],
            options={
                'indexes': [models.Index(fields=['project', '-created_at', '-id'], name='document_recent')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('external_id', ''), _negated=True), fields=('project', 'external_id'), name='document_external_id_once')],
            },
        ),
        migrations.CreateModel(
            name='EmbeddingSpace',
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
                ('fingerprint', models.CharField(max_length=64)),
                ('model', models.CharField(max_length=200)),
                ('dimension', models.PositiveIntegerField()),
                ('is_local', models.BooleanField(default=False)),
                ('input_microdollars', models.PositiveBigIntegerField(null=True)),
                ('deadline_seconds', models.PositiveIntegerField(default=60)),
                ('serves', models.BooleanField(default=False)),
                ('is_wanted', models.BooleanField(default=True)),
                ('walked_to', models.PositiveBigIntegerField(default=0)),
                ('state', models.CharField(choices=[('pending', 'Waiting'), ('running', 'Embedding'), ('finished', 'Complete'), ('failed', 'Failed')], default='pending', max_length=20)),
                ('endpoint', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='inference.modelendpoint')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('state__in', ['pending', 'running'])), fields=['created_at', 'id'], name='embedding_space_queue')],
                'constraints': [models.UniqueConstraint(fields=('project', 'fingerprint'), name='embedding_space_once'), models.UniqueConstraint(condition=models.Q(('serves', True)), fields=('project',), name='embedding_space_one_serves'), models.UniqueConstraint(condition=models.Q(('is_wanted', True)), fields=('project',), name='embedding_space_one_wanted'), models.CheckConstraint(condition=models.Q(('dimension__gte', 1), ('dimension__lte', 4000)), name='embedding_space_dimension_indexable')],
            },
        ),
        migrations.CreateModel(
            name='Passage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('origin', models.CharField(choices=[('document', 'Document'), ('finding', 'Finding')], max_length=20)),
                ('title', models.CharField(blank=True, max_length=300)),
                ('text', models.TextField()),
                ('start', models.PositiveIntegerField(default=0)),
                ('end', models.PositiveIntegerField()),
                ('search', models.GeneratedField(db_persist=True, expression=models.Func(models.F('title'), models.F('text'), arg_joiner=" || ' ' || ", output_field=django.contrib.postgres.search.SearchVectorField(), template="to_tsvector('russian'::regconfig, %(expressions)s)"), output_field=django.contrib.postgres.search.SearchVectorField())),
                ('document', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='passages', to='knowledge.document')),
                ('finding', models.OneToOneField(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='memory.memoryentry')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
                ('session', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='ingest.session')),
            ],
            options={
                'indexes': [models.Index(fields=['project', 'id'], name='passage_walk'), models.Index(fields=['document', 'start'], name='passage_in_document'), models.Index(condition=models.Q(('origin', 'finding')), fields=['project'], name='passage_of_finding'), django.contrib.postgres.indexes.GinIndex(fields=['project', 'search'], name='passage_words'), models.Index(condition=models.Q(('session__isnull', False)), fields=['session'], name='passage_of_session')],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('document__isnull', False), ('finding__isnull', True), ('origin', 'document')), models.Q(('document__isnull', True), ('finding__isnull', False), ('origin', 'finding')), _connector='OR'), name='passage_has_one_origin')],
            },
        ),
        migrations.CreateModel(
            name='PassageVector',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('session_id', models.UUIDField(null=True)),
                ('dimension', models.PositiveIntegerField()),
                ('embedding', pgvector.django.halfvec.HalfVectorField()),
                ('passage', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='vectors', to='knowledge.passage')),
                ('project', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
                ('space', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='vectors', to='knowledge.embeddingspace')),
            ],
            options={
                'indexes': [pgvector.django.indexes.HnswIndex(django.contrib.postgres.indexes.OpClass(django.db.models.functions.comparison.Cast('embedding', pgvector.django.halfvec.HalfVectorField(dimensions=384)), name='halfvec_cosine_ops'), condition=models.Q(('dimension', 384)), ef_construction=128, m=16, name='passage_vector_384')],
                'constraints': [models.UniqueConstraint(fields=('passage', 'space'), name='passage_vector_once')],
            },
        ),
    ]
