"""Note opened items in rows of their own, and index only the keys that are set.

Every index is made and dropped beside servers that read and write.
"""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models

PENDING = 'ALTER INDEX review_item_kinds SET (gin_pending_list_limit = 64)'
PENDING_AS_BEFORE = 'ALTER INDEX review_item_kinds RESET (gin_pending_list_limit)'
# Parts of a size that one call of `spread_reach` may read some of.
NOTE = """
CREATE FUNCTION review_note_opened() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO review_openeditems (items)
    SELECT array_agg(id ORDER BY id) FROM (
        SELECT id, (row_number() OVER (ORDER BY id) - 1) / 100 AS part
        FROM opened WHERE NOT reach_due
    ) AS numbered GROUP BY part ORDER BY part;
    RETURN NULL;
END $$;
CREATE TRIGGER review_opened AFTER INSERT ON review_reviewitem
    REFERENCING NEW TABLE AS opened
    FOR EACH STATEMENT EXECUTE FUNCTION review_note_opened();
"""
NOTE_NOTHING = """
DROP TRIGGER review_opened ON review_reviewitem;
DROP FUNCTION review_note_opened();
"""
# On the way back, new items are passed on by their own mark.
MARK = """
UPDATE review_reviewitem SET reach_due = true
WHERE id IN (SELECT unnest(items) FROM review_openeditems)
"""


def partial(field: str, name: str, former: str, key: models.ForeignKey) -> list[migrations.operations.base.Operation]:
    """Return the operations that leave rows without a key out of its index."""
    return [
        AddIndexConcurrently(
            model_name='reviewitem',
            index=models.Index(fields=[field], condition=models.Q((f'{field}__isnull', False)), name=name),
        ),
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(
                    f'DROP INDEX CONCURRENTLY IF EXISTS {former}',
                    f'CREATE INDEX CONCURRENTLY {former} ON review_reviewitem ({field}_id)',
                ),
            ],
            state_operations=[
                migrations.AlterField(model_name='reviewitem', name=field, field=key),
            ],
        ),
    ]


class Migration(migrations.Migration):

    # Waits for nobody who reads or writes the table.
    atomic = False

    dependencies = [
        ('review', '0002_name_without_constraint'),
        ('accounts', '0001_tables'),
    ]

    operations = [
        migrations.CreateModel(
            name='OpenedItems',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('items', django.contrib.postgres.fields.ArrayField(base_field=models.UUIDField(), size=None)),
            ],
        ),
        migrations.RunSQL(migrations.RunSQL.noop, MARK),
        migrations.RunSQL(NOTE, NOTE_NOTHING),
        *partial('assignee', 'review_item_any_assignee', 'review_reviewitem_assignee_id_86a25ada', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
        *partial('lease_holder', 'review_item_any_holder', 'review_reviewitem_lease_holder_id_17a2e489', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
        *partial('lease_key', 'review_item_any_lease_key', 'review_reviewitem_lease_key_id_28d811b8', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='accounts.apikey')),
        *partial('resolved_by', 'review_item_any_resolver', 'review_reviewitem_resolved_by_id_bb9f728e', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
        *partial('resolved_by_key', 'review_item_any_resolved_key', 'review_reviewitem_resolved_by_key_id_3727f059', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='+', to='accounts.apikey')),
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunSQL(PENDING, PENDING_AS_BEFORE)],
            state_operations=[
                migrations.RemoveIndex(model_name='reviewitem', name='review_item_kinds'),
                migrations.AddIndex(
                    model_name='reviewitem',
                    index=GinIndex(condition=models.Q(('state', 'open')), fields=['reason_kinds', 'flagged_kinds'], gin_pending_list_limit=64, name='review_item_kinds'),
                ),
            ],
        ),
    ]
