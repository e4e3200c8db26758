"""Let the database itself refuse to change or delete results of goal checks."""

from django.db import migrations

CREATE = """
CREATE FUNCTION verification_log_refuse_change() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    -- Only a deletion of runs sets this, for its own transaction.
    IF TG_OP = 'DELETE' AND current_setting('verifyhub.forget_runs', true) = 'on' THEN
        RETURN OLD;
    END IF;
    -- Only the test suite sets this, to empty its tables between tests.
    IF TG_OP = 'TRUNCATE'
        AND current_setting('verifyhub.truncate_audit', true) = 'on' THEN
        RETURN NULL;
    END IF;
    RAISE EXCEPTION 'verification logs are append-only: % refused', TG_OP
        USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER verification_log_append_only
    BEFORE UPDATE OR DELETE ON verification_verificationlog
    FOR EACH ROW EXECUTE FUNCTION verification_log_refuse_change();
CREATE TRIGGER verification_log_no_truncate
    BEFORE TRUNCATE ON verification_verificationlog
    FOR EACH STATEMENT EXECUTE FUNCTION verification_log_refuse_change();
"""
DROP = """
DROP TRIGGER verification_log_no_truncate ON verification_verificationlog;
DROP TRIGGER verification_log_append_only ON verification_verificationlog;
DROP FUNCTION verification_log_refuse_change();
"""


class Migration(migrations.Migration):
    dependencies = [("verification", "0001_tables")]

    operations = [migrations.RunSQL(CREATE, DROP)]
