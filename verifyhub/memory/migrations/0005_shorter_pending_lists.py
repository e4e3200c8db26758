"""Set aside 64 kB at most of each search index, where it was 256.

A setting that counts from the next row on; nobody waits.
"""

from django.contrib.postgres.indexes import GinIndex, OpClass
from django.contrib.postgres.search import SearchVectorField
from django.db import migrations, models

SET = 'ALTER INDEX {name} SET (gin_pending_list_limit = {kilobytes})'


def searched(table: str, kilobytes: int) -> dict[str, GinIndex]:
    """Return the search indexes of a table by their names."""
    both = models.F('text'), models.F('suggestion')
    words = models.Func(*both, arg_joiner=" || ' ' || ", output_field=SearchVectorField(), template="to_tsvector('simple'::regconfig, translate(left(%(expressions)s, 2000), '/._:@-', '      '))")
    near = models.Func(*both, arg_joiner=" || ' ' || ", output_field=models.TextField(), template='upper(left(%(expressions)s, 2000))')
    return {
        f'{table}_words': GinIndex(models.F('project'), words, gin_pending_list_limit=kilobytes, name=f'{table}_words'),
        f'{table}_near': GinIndex(models.F('project'), OpClass(near, name='gin_trgm_ops'), gin_pending_list_limit=kilobytes, name=f'{table}_near'),
    }


def shortened(model: str, table: str) -> list[migrations.SeparateDatabaseAndState]:
    return [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(
                    SET.format(name=name, kilobytes=64), SET.format(name=name, kilobytes=256)
                ),
            ],
            state_operations=[
                migrations.RemoveIndex(model_name=model, name=name),
                migrations.AddIndex(model_name=model, index=index),
            ],
        )
        for name, index in searched(table, 64).items()
    ]


class Migration(migrations.Migration):

    dependencies = [
        ('memory', '0004_shorter_indexes'),
    ]

    operations = [
        *shortened('memoryentry', 'memory_entry'),
        *shortened('constraint', 'constraint'),
    ]
