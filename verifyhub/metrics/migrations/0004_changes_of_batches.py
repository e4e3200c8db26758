"""Note the changes of a batch once for each slice of time, not once for each row.

Only triggers and functions: no table is read or rewritten, and each lock is held for a
moment, or given up after five seconds.
"""

from django.db import migrations

CREATE = """
SET LOCAL lock_timeout = '5s';

CREATE FUNCTION metrics_of_verifications() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO metrics_change (project_id, slice)
    SELECT DISTINCT project_id, metrics_slice(created_at) FROM ingest_interaction
    WHERE id IN (
        SELECT interaction_id FROM changed WHERE state IN ('finished', 'failed')
        UNION ALL
        SELECT interaction_id FROM former WHERE state IN ('finished', 'failed')
    );
    RETURN NULL;
END $$;
DROP TRIGGER metrics_reverified ON verification_verification;
CREATE TRIGGER metrics_reverified AFTER UPDATE ON verification_verification
    REFERENCING OLD TABLE AS former NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION metrics_of_verifications();

CREATE FUNCTION metrics_of_items() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO metrics_change (project_id, slice)
    SELECT project_id, metrics_slice(created_at) FROM ingest_interaction
    WHERE id IN (SELECT interaction_id FROM changed)
    UNION
    SELECT project_id, metrics_slice(created_at) FROM changed
    UNION
    SELECT project_id, metrics_slice(resolved_at) FROM changed
    WHERE resolved_at IS NOT NULL;
    RETURN NULL;
END $$;
DROP TRIGGER metrics_queued ON review_reviewitem;
CREATE TRIGGER metrics_queued AFTER INSERT ON review_reviewitem
    REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION metrics_of_items();
CREATE TRIGGER metrics_unqueued AFTER DELETE ON review_reviewitem
    REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION metrics_of_items();
"""
DROP = """
SET LOCAL lock_timeout = '5s';

DROP TRIGGER metrics_unqueued ON review_reviewitem;
DROP TRIGGER metrics_queued ON review_reviewitem;
CREATE TRIGGER metrics_queued AFTER INSERT OR DELETE ON review_reviewitem
    FOR EACH ROW EXECUTE FUNCTION metrics_of_item();
DROP FUNCTION metrics_of_items();

DROP TRIGGER metrics_reverified ON verification_verification;
CREATE TRIGGER metrics_reverified AFTER UPDATE ON verification_verification
    FOR EACH ROW WHEN (
        NEW.state IN ('finished', 'failed') OR OLD.state IN ('finished', 'failed')
    ) EXECUTE FUNCTION metrics_of_verification();
DROP FUNCTION metrics_of_verifications();
"""


class Migration(migrations.Migration):
    dependencies = [("metrics", "0003_words_on_values")]

    operations = [migrations.RunSQL(CREATE, DROP)]
