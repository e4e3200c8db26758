"""Number and forget events as their owner: servers may add them, and no more."""

from django.db import migrations

TAKE_POSITION = """
CREATE OR REPLACE FUNCTION events_take_position() RETURNS trigger
LANGUAGE plpgsql {as_owner} AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(x'65766e74'::int, hashtext(NEW.project_id::text));
    UPDATE events_event SET position = nextval('events_event_position')
    WHERE id = NEW.id;
    RETURN NULL;
END $$;
"""
FORGET = """
-- Lets go what is a day old, which is the shortest retention there is, and all else
-- only while a deletion of its project is under way.
CREATE FUNCTION events_forget(told uuid[]) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    gone bigint;
BEGIN
    PERFORM set_config('verifyhub.forget_events', 'on', true);
    DELETE FROM events_event AS event WHERE id = ANY (told) AND (
        created_at < now() - interval '1 day'
        OR EXISTS (
            SELECT FROM privacy_deletion AS deletion
            WHERE deletion.project_id = event.project_id
            AND deletion.state IN ('pending', 'running')
        )
    );
    GET DIAGNOSTICS gone = ROW_COUNT;
    PERFORM set_config('verifyhub.forget_events', 'off', true);
    RETURN gone;
END $$;
REVOKE EXECUTE ON FUNCTION events_forget(uuid[]) FROM PUBLIC;
"""
AS_OWNER = "SECURITY DEFINER SET search_path = public, pg_temp"


class Migration(migrations.Migration):
    dependencies = [("events", "0002_positions_and_append_only")]

    operations = [
        migrations.RunSQL(
            TAKE_POSITION.format(as_owner=AS_OWNER), TAKE_POSITION.format(as_owner="")
        ),
        migrations.RunSQL(FORGET, "DROP FUNCTION events_forget(uuid[])"),
    ]
