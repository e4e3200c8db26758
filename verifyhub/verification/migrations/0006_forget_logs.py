"""Let a deletion of runs take the results of their goal checks with it."""

from django.db import migrations

FUNCTION = """
CREATE OR REPLACE FUNCTION verification_log_refuse_change() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
%s
    -- Only the test suite sets this, to empty its tables between tests.
    IF TG_OP = 'TRUNCATE'
        AND current_setting('verifyhub.truncate_audit', true) = 'on' THEN
        RETURN NULL;
    END IF;
    RAISE EXCEPTION 'verification logs are append-only: %% refused', TG_OP
        USING ERRCODE = 'integrity_constraint_violation';
END $$;
"""
FORGET = """
    -- Only a deletion of runs sets this, for its own transaction.
    IF TG_OP = 'DELETE' AND current_setting('verifyhub.forget_runs', true) = 'on' THEN
        RETURN OLD;
    END IF;
"""


class Migration(migrations.Migration):
    dependencies = [("verification", "0005_lean_reports")]

    operations = [migrations.RunSQL(FUNCTION % FORGET, FUNCTION % "")]
