import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models


from verifyhub.common.initial_migration import InitialMigration


class Migration(InitialMigration):

    # What a database made before they were joined has recorded.
    replaces = [
        ('metrics', '0001_schema'),
        ('metrics', '0003_fewer_indexes'),
    ]

    dependencies = [
        ('accounts', '0001_tables'),
    ]

    operations = [
        migrations.CreateModel(
            name='CountState',
            fields=[
                ('project', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='+', serialize=False, to='accounts.project')),
                ('counted_from', models.DateField(null=True)),
                ('sliced_from', models.DateField()),
                ('changed_at', models.DateTimeField(auto_now=True)),
            ],
        ),
        migrations.CreateModel(
            name='Change',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('slice', models.DateTimeField()),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('project', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='accounts.project')),
            ],
            options={
                'indexes': [models.Index(fields=['project', 'slice'], name='change_of_slice')],
            },
        ),
        migrations.CreateModel(
            name='DayCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('agent', models.CharField(max_length=200)),
                ('tier', models.CharField(max_length=200)),
                ('model', models.CharField(max_length=200)),
                ('figures', models.JSONField()),
                ('answers', models.PositiveIntegerField()),
                ('open_items', models.PositiveIntegerField()),
                ('counted_at', models.DateTimeField()),
                ('day', models.DateField()),
                ('is_total', models.BooleanField()),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('project', 'is_total', 'day', 'agent', 'tier', 'model'), name='day_count_once')],
            },
        ),
        migrations.CreateModel(
            name='DayName',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField()),
                ('kind', models.CharField(max_length=30)),
                ('key', models.CharField(max_length=500)),
                ('text', models.TextField()),
                ('reason', models.CharField(max_length=40)),
                ('answers', models.PositiveIntegerField()),
                ('sessions', django.contrib.postgres.fields.ArrayField(base_field=models.UUIDField(), size=None)),
                ('agent', models.CharField(max_length=200)),
                ('tier', models.CharField(max_length=200)),
                ('model', models.CharField(max_length=200)),
                ('project', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
            ],
            options={
                'indexes': [models.Index(models.F('project'), models.F('day'), models.F('agent'), models.F('tier'), models.F('model'), models.OrderBy(models.F('answers'), descending=True), name='day_name_most'), models.Index(fields=['project', 'kind', 'key', 'day'], name='day_name_days')],
            },
        ),
        migrations.CreateModel(
            name='SliceCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('agent', models.CharField(max_length=200)),
                ('tier', models.CharField(max_length=200)),
                ('model', models.CharField(max_length=200)),
                ('figures', models.JSONField()),
                ('answers', models.PositiveIntegerField()),
                ('open_items', models.PositiveIntegerField()),
                ('counted_at', models.DateTimeField()),
                ('slice', models.DateTimeField()),
                ('names', models.JSONField()),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('project', 'slice', 'agent', 'tier', 'model'), name='slice_count_once')],
            },
        ),
        migrations.CreateModel(
            name='TotalName',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField()),
                ('kind', models.CharField(max_length=30)),
                ('key', models.CharField(max_length=500)),
                ('text', models.TextField()),
                ('reason', models.CharField(max_length=40)),
                ('answers', models.PositiveIntegerField()),
                ('sessions', django.contrib.postgres.fields.ArrayField(base_field=models.UUIDField(), size=None)),
                ('project', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.project')),
            ],
            options={
                'indexes': [models.Index(models.F('project'), models.F('day'), models.OrderBy(models.F('answers'), descending=True), models.F('kind'), models.F('key'), name='total_name_most')],
                'constraints': [models.UniqueConstraint(fields=('project', 'kind', 'key', 'day'), name='total_name_once')],
            },
        ),
    ]
