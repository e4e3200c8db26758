"""Let the database itself refuse to change or delete audit rows and their seals."""

from django.db import migrations

CREATE = """
CREATE FUNCTION audit_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- Only the test suite sets this, to empty its tables between tests.
    IF TG_OP = 'TRUNCATE'
        AND current_setting('verifyhub.truncate_audit', true) = 'on' THEN
        RETURN NULL;
    END IF;
    RAISE EXCEPTION 'audit events are append-only: % refused', TG_OP
        USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER audit_event_append_only
    BEFORE UPDATE OR DELETE ON audit_auditevent
    FOR EACH ROW EXECUTE FUNCTION audit_refuse_change();
CREATE TRIGGER audit_event_no_truncate
    BEFORE TRUNCATE ON audit_auditevent
    FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse_change();
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
DROP TRIGGER audit_event_no_truncate ON audit_auditevent;
DROP TRIGGER audit_event_append_only ON audit_auditevent;
DROP FUNCTION audit_refuse_change();
"""


class Migration(migrations.Migration):
    dependencies = [("audit", "0001_tables")]

    operations = [migrations.RunSQL(CREATE, DROP)]
