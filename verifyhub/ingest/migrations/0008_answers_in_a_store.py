import django.db.models.lookups
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models

# Without the column nothing would lead to such an answer any more.
NONE_IN_STORE = """
DO $do$
BEGIN
    IF EXISTS (SELECT FROM ingest_interaction WHERE answer_sha256 IS NOT NULL) THEN
        RAISE EXCEPTION 'answers are in the object store: run `verifyhub outputs to-database` first';
    END IF;
END $do$;
"""


class Migration(migrations.Migration):

    # The indexes wait for nobody who reads or writes the table.
    atomic = False

    dependencies = [
        ('ingest', '0007_traces_in_order'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameField(
                    model_name='interaction',
                    old_name='answer',
                    new_name='answer_text',
                ),
                migrations.AlterField(
                    model_name='interaction',
                    name='answer_text',
                    field=models.TextField(db_column='answer'),
                ),
            ],
        ),
        migrations.AddField(
            model_name='interaction',
            name='answer_sha256',
            field=models.CharField(max_length=64, null=True),
        ),
        migrations.RunSQL(migrations.RunSQL.noop, NONE_IN_STORE),
        AddIndexConcurrently(
            model_name='interaction',
            index=models.Index(condition=models.Q(django.db.models.lookups.GreaterThanOrEqual(models.Func(models.F('answer_text'), function='octet_length', output_field=models.IntegerField()), 65536), ('answer_sha256', None)), fields=['id'], name='interaction_answer_to_move'),
        ),
        AddIndexConcurrently(
            model_name='interaction',
            index=models.Index(condition=models.Q(('answer_sha256__isnull', False)), fields=['project', 'answer_sha256'], name='interaction_stored_answer'),
        ),
    ]
