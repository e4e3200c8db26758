"""Number events as they commit, and let the database refuse to change them."""

from django.db import migrations

CREATE = """
CREATE SEQUENCE events_event_position AS bigint;
-- Runs while the transaction commits. The lock is held until what it wrote is visible,
-- so no reader can see a position before a lower one of the same project.
CREATE FUNCTION events_take_position() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(x'65766e74'::int, hashtext(NEW.project_id::text));
    UPDATE events_event SET position = nextval('events_event_position')
    WHERE id = NEW.id;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER events_event_position
    AFTER INSERT ON events_event DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION events_take_position();

CREATE FUNCTION events_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.position IS NULL
        AND to_jsonb(NEW) - 'position' = to_jsonb(OLD) - 'position' THEN
        RETURN NEW;
    END IF;
    -- Only the retention sets this, for its own transaction.
    IF TG_OP = 'DELETE' AND current_setting('verifyhub.forget_events', true) = 'on' THEN
        RETURN OLD;
    END IF;
    -- Only the test suite sets this, to empty its tables between tests.
    IF TG_OP = 'TRUNCATE'
        AND current_setting('verifyhub.truncate_audit', true) = 'on' THEN
        RETURN NULL;
    END IF;
    RAISE EXCEPTION 'events are append-only: % refused', TG_OP
        USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER events_event_append_only
    BEFORE UPDATE OR DELETE ON events_event
    FOR EACH ROW EXECUTE FUNCTION events_refuse_change();
CREATE TRIGGER events_event_no_truncate
    BEFORE TRUNCATE ON events_event
    FOR EACH STATEMENT EXECUTE FUNCTION events_refuse_change();
"""
DROP = """
DROP TRIGGER events_event_no_truncate ON events_event;
DROP TRIGGER events_event_append_only ON events_event;
DROP FUNCTION events_refuse_change();
DROP TRIGGER events_event_position ON events_event;
DROP FUNCTION events_take_position();
DROP SEQUENCE events_event_position;
"""


class Migration(migrations.Migration):
    dependencies = [("events", "0001_tables")]

    operations = [migrations.RunSQL(CREATE, DROP)]
