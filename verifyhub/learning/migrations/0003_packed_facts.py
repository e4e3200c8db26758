"""Facts of new answers are kept packed; those of others stay as they are."""

from django.db import migrations, models

from verifyhub.common.packing import unpacked_json
from verifyhub.learning.models import USUAL_FACTS

AT_A_TIME = 1000


def unpack(apps, schema_editor):
    rows = apps.get_model("learning", "JudgedAnswer").objects
    packed = rows.filter(facts_packed__isnull=False)
    while batch := list(packed[:AT_A_TIME]):
        for row in batch:
            row.facts_json = unpacked_json(row.facts_packed, USUAL_FACTS)
            row.facts_packed = None
        rows.bulk_update(batch, ["facts_json", "facts_packed"])


class Migration(migrations.Migration):
    dependencies = [("learning", "0002_fewer_indexes")]

    operations = [
        migrations.AlterField(
            model_name="judgedanswer",
            name="facts",
            field=models.JSONField(db_column="facts", null=True),
        ),
        migrations.RenameField(
            model_name="judgedanswer", old_name="facts", new_name="facts_json"
        ),
        migrations.AddField(
            model_name="judgedanswer",
            name="facts_packed",
            field=models.BinaryField(null=True),
        ),
        migrations.RunPython(migrations.RunPython.noop, unpack),
    ]
