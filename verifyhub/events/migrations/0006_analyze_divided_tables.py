"""Keep the planner's statistics of divided tables as a whole (ADR 0092)."""

from django.db import migrations

ANALYZE = """
-- Updates the planner's statistics of a divided table once a day: autovacuum analyzes
-- its partitions, never the whole. Returns whether it did.
CREATE FUNCTION partitions_analyze(divided regclass) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
SET lock_timeout = '200ms' AS $$
BEGIN
    IF EXISTS (
        SELECT FROM pg_stat_all_tables
        WHERE relid = divided AND last_analyze > now() - interval '1 day'
    ) THEN
        RETURN false;
    END IF;
    -- Before PostgreSQL 18, all partitions are analyzed with it.
    EXECUTE format('ANALYZE %s %s', CASE
        WHEN current_setting('server_version_num')::integer >= 180000 THEN 'ONLY'
    END, divided);
    RETURN true;
END $$;
REVOKE EXECUTE ON FUNCTION partitions_analyze(regclass) FROM PUBLIC;
"""


class Migration(migrations.Migration):
    dependencies = [("events", "0005_divided_by_month")]

    operations = [
        migrations.RunSQL(ANALYZE, "DROP FUNCTION partitions_analyze(regclass)"),
    ]
