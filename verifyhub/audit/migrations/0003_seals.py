"""Chain the audit record by seals, which the database keeps from change as well."""

import django.contrib.postgres.fields
from django.db import migrations, models

CREATE = """
CREATE TRIGGER audit_seal_append_only
    BEFORE UPDATE OR DELETE ON audit_auditseal
    FOR EACH ROW EXECUTE FUNCTION audit_refuse_change();
CREATE TRIGGER audit_seal_no_truncate
    BEFORE TRUNCATE ON audit_auditseal
    FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse_change();
"""
DROP = """
DROP TRIGGER audit_seal_no_truncate ON audit_auditseal;
DROP TRIGGER audit_seal_append_only ON audit_auditseal;
"""


class Migration(migrations.Migration):
    dependencies = [("audit", "0002_append_only")]

    operations = [
        migrations.CreateModel(
            name="AuditSeal",
            fields=[
                ("number", models.BigIntegerField(primary_key=True, serialize=False)),
                ("sealed_at", models.DateTimeField(auto_now_add=True)),
                (
                    "event_ids",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.BigIntegerField(), size=None
                    ),
                ),
                ("digests", models.BinaryField()),
                ("top", models.BigIntegerField()),
                ("next_transaction", models.BigIntegerField()),
                ("settled", models.BigIntegerField()),
            ],
        ),
        migrations.RunSQL(CREATE, DROP),
    ]
