"""Look whether a month is empty before the whole table is locked (ADR 0092)."""

from django.db import migrations

from verifyhub.common.partition_operations import DROP_EMPTY


class Migration(migrations.Migration):
    dependencies = [("events", "0006_analyze_divided_tables")]

    operations = [migrations.RunSQL(DROP_EMPTY, migrations.RunSQL.noop)]
