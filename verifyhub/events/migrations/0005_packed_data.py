"""Data of new events is kept packed; that of others stays as it is."""

from django.db import migrations, models

from verifyhub.common.packing import unpacked_json
from verifyhub.events.usual_texts import USUAL_TEXTS

# Packed already: to compress it again would only take time.
AS_IT_IS = "ALTER TABLE events_event ALTER data_packed SET STORAGE EXTERNAL"
# What is told is never changed but here, where the columns go.
MAY_CHANGE = "ALTER TABLE events_event {} TRIGGER events_event_append_only"
AT_A_TIME = 1000


def unpack(apps, schema_editor):
    rows = apps.get_model("events", "Event").objects
    packed = rows.filter(data_packed__isnull=False)
    schema_editor.execute(MAY_CHANGE.format("DISABLE"))
    while batch := list(packed[:AT_A_TIME]):
        for row in batch:
            row.data_json = unpacked_json(row.data_packed, USUAL_TEXTS)
            row.data_packed = None
        rows.bulk_update(batch, ["data_json", "data_packed"])
    schema_editor.execute(MAY_CHANGE.format("ENABLE"))


class Migration(migrations.Migration):
    dependencies = [("events", "0004_fewer_indexes")]

    operations = [
        migrations.AlterField(
            model_name="event",
            name="data",
            field=models.JSONField(db_column="data", null=True),
        ),
        migrations.RenameField(
            model_name="event", old_name="data", new_name="data_json"
        ),
        migrations.AddField(
            model_name="event",
            name="data_packed",
            field=models.BinaryField(null=True),
        ),
        migrations.RunSQL(AS_IT_IS, migrations.RunSQL.noop),
        migrations.RunPython(migrations.RunPython.noop, unpack),
    ]
