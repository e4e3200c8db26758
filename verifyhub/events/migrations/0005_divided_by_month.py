"""Divide events by month, and let whole months go (ADR 0092)."""

from django.db import migrations

from verifyhub.common.partition_operations import DROP_FUNCTIONS, FUNCTIONS, divide

DROP_MONTH = """
-- Drops the oldest partition all of whose events are older than a moment, and a day at
-- least, as `events_forget` has it; returns whether there was one.
CREATE FUNCTION events_drop_month(before timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
SET lock_timeout = '200ms' AS $$
DECLARE
    part regclass;
BEGIN
    SELECT inhrelid::regclass INTO part FROM pg_inherits
    WHERE inhparent = 'events_event'::regclass AND partitions_end(inhrelid)
        <= partitions_lowest_id(least(before, now() - interval '1 day'))
    ORDER BY partitions_end(inhrelid) LIMIT 1;
    IF part IS NULL THEN
        RETURN false;
    END IF;
    EXECUTE format('DROP TABLE %s', part);
    RETURN true;
END $$;
REVOKE EXECUTE ON FUNCTION events_drop_month(timestamptz) FROM PUBLIC;
"""


class Migration(migrations.Migration):
    # Whoever reads or writes events waits for the exchange of names alone.
    atomic = False

    dependencies = [("events", "0004_events_of_runs")]

    operations = [
        migrations.RunSQL(FUNCTIONS, DROP_FUNCTIONS),
        migrations.RunSQL(
            DROP_MONTH, "DROP FUNCTION events_drop_month(timestamptz)"
        ),
        # Of no partitioned table, so the way back sets it again.
        migrations.RunSQL(
            migrations.RunSQL.noop,
            "ALTER TABLE events_event SET (autovacuum_vacuum_scale_factor = 0.05)",
        ),
        *divide("events_event", "id"),
    ]
