"""New outputs of tools are kept packed; those that are there stay as they are."""

from django.db import migrations, models

from verifyhub.common.packing import unpacked

# Packed already: to compress it again would only take time, and would keep PostgreSQL
# from reading its beginning alone.
AS_IT_IS = "ALTER TABLE ingest_toolcall ALTER output_packed SET STORAGE EXTERNAL"
AT_A_TIME = 500


def unpack(apps, schema_editor):
    rows = apps.get_model("ingest", "ToolCall").objects
    packed = rows.filter(output_packed__isnull=False).order_by("id")
    while batch := list(packed[:AT_A_TIME]):
        for row in batch:
            row.output_text, row.output_packed = unpacked(row.output_packed), None
        rows.bulk_update(batch, ["output_text", "output_packed"])


class Migration(migrations.Migration):
    dependencies = [("ingest", "0002_other_fields")]

    operations = [
        migrations.AlterField(
            model_name="toolcall",
            name="output",
            field=models.TextField(blank=True, db_column="output", default=""),
        ),
        migrations.RenameField(
            model_name="toolcall", old_name="output", new_name="output_text"
        ),
        migrations.AddField(
            model_name="toolcall",
            name="output_packed",
            field=models.BinaryField(null=True),
        ),
        migrations.AddField(
            model_name="toolcall",
            name="output_length",
            field=models.IntegerField(null=True),
        ),
        migrations.RunSQL(AS_IT_IS, migrations.RunSQL.noop),
        migrations.RunPython(migrations.RunPython.noop, unpack),
    ]
