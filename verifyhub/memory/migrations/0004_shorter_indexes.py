"""Hold entries and sightings once by their answer, in indexes that are half as long.

Every index is made and dropped beside servers that read and write; two unique keys are
dropped under a lock that is given up after five seconds.
"""

import django.db.models.deletion
from django.contrib.postgres.operations import (
    AddIndexConcurrently,
    RemoveIndexConcurrently,
)
from django.db import migrations, models

DROP_KEY = """
DO $do$
BEGIN
    SET LOCAL lock_timeout = '5s';
    ALTER TABLE {table} DROP CONSTRAINT {name};
END $do$;
"""
ADD_KEY = """
DO $do$
BEGIN
    SET LOCAL lock_timeout = '5s';
    ALTER TABLE {table} ADD CONSTRAINT {name} UNIQUE USING INDEX {name};
END $do$;
"""
MAKE_INDEX = "CREATE UNIQUE INDEX CONCURRENTLY {name} ON {table} {columns}"


def unique_key(table: str, name: str, columns: str) -> list[tuple[str, str]]:
    """Return how a unique key is made, and how it is dropped, without a long lock."""
    return [
        (
            MAKE_INDEX.format(table=table, name=name, columns=columns),
            f"DROP INDEX CONCURRENTLY IF EXISTS {name}",
        ),
        (ADD_KEY.format(table=table, name=name), DROP_KEY.format(table=table, name=name)),
    ]


def added(table: str, name: str, columns: str) -> list[migrations.RunSQL]:
    return [migrations.RunSQL(*step) for step in unique_key(table, name, columns)]


def dropped(table: str, name: str, columns: str) -> list[migrations.RunSQL]:
    make, key = unique_key(table, name, columns)
    return [migrations.RunSQL(key[1], key[0]), migrations.RunSQL(make[1], make[0])]


ENTRY_ONCE = MAKE_INDEX.format(
    name='memory_entry_once_per_answer',
    table='memory_memoryentry',
    columns='(interaction_id, (hashtextextended(key, 0)))',
)


class Migration(migrations.Migration):

    # Waits for nobody who reads or writes the tables.
    atomic = False

    dependencies = [
        ('memory', '0003_findings_by_grade'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(ENTRY_ONCE, 'DROP INDEX CONCURRENTLY IF EXISTS memory_entry_once_per_answer'),
                *dropped('memory_memoryentry', 'memory_entry_once_per_session', '(project_id, session_id, key) NULLS NOT DISTINCT'),
            ],
            state_operations=[
                migrations.AddConstraint(
                    model_name='memoryentry',
                    constraint=models.UniqueConstraint(models.F('interaction_id'), models.Func(models.F('key'), models.Value(0), function='hashtextextended', output_field=models.BigIntegerField()), name='memory_entry_once_per_answer'),
                ),
                migrations.RemoveConstraint(
                    model_name='memoryentry',
                    name='memory_entry_once_per_session',
                ),
            ],
        ),
        RemoveIndexConcurrently(
            model_name='memoryentry',
            name='memory_entry_interaction',
        ),
        AddIndexConcurrently(
            model_name='memoryentry',
            index=models.Index(condition=models.Q(('kind', 'finding'), _negated=True), fields=['project', 'kind', 'created_at', 'id'], name='memory_entry_of_other_kind'),
        ),
        RemoveIndexConcurrently(
            model_name='memoryentry',
            name='memory_entry_of_kind',
        ),
        AddIndexConcurrently(
            model_name='memoryentry',
            index=models.Index(condition=models.Q(('session__isnull', False)), fields=['session', 'mention_key'], name='memory_entry_in_session'),
        ),
        RemoveIndexConcurrently(
            model_name='memoryentry',
            name='memory_entry_named',
        ),
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(
                    'DROP INDEX CONCURRENTLY IF EXISTS memory_memoryentry_session_id_f46da0ac',
                    'CREATE INDEX CONCURRENTLY memory_memoryentry_session_id_f46da0ac ON memory_memoryentry (session_id)',
                ),
            ],
            state_operations=[
                migrations.AlterField(
                    model_name='memoryentry',
                    name='session',
                    field=models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='memory', to='ingest.session'),
                ),
            ],
        ),
        migrations.SeparateDatabaseAndState(
            database_operations=[
                *added('memory_sighting', 'sighting_once_per_answer', '(interaction_id, constraint_id)'),
                *dropped('memory_sighting', 'sighting_once', '(constraint_id, interaction_id)'),
            ],
            state_operations=[
                migrations.AddConstraint(
                    model_name='sighting',
                    constraint=models.UniqueConstraint(fields=('interaction_id', 'constraint'), name='sighting_once_per_answer'),
                ),
                migrations.RemoveConstraint(
                    model_name='sighting',
                    name='sighting_once',
                ),
            ],
        ),
        RemoveIndexConcurrently(
            model_name='sighting',
            name='sighting_interaction',
        ),
        AddIndexConcurrently(
            model_name='sighting',
            index=models.Index(condition=models.Q(('counts', True), ('session__isnull', False)), fields=['constraint', 'session', 'seen_at'], name='sighting_in_session_then'),
        ),
        RemoveIndexConcurrently(
            model_name='sighting',
            name='sighting_of_session_then',
        ),
    ]
