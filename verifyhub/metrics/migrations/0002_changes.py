"""Let every act note which slice of time must be counted anew (docs/adr/0054).

Only triggers and functions: no table is read or rewritten, and each lock is held for a
moment. What was stored before is counted by `manage.py count_days`, or by the task.
"""

from django.db import migrations

CREATE = """
CREATE FUNCTION metrics_slice(at timestamptz) RETURNS timestamptz
LANGUAGE sql IMMUTABLE AS $$
    SELECT date_bin('15 minutes', at, '2000-01-01 00:00:00+00')
$$;

CREATE FUNCTION metrics_changed(project uuid, at timestamptz) RETURNS void
LANGUAGE sql AS $$
    INSERT INTO metrics_change (project_id, slice)
    SELECT project, metrics_slice(at) WHERE at IS NOT NULL
$$;

CREATE FUNCTION metrics_answer_changed(of_answer uuid) RETURNS void
LANGUAGE sql AS $$
    INSERT INTO metrics_change (project_id, slice)
    SELECT project_id, metrics_slice(created_at) FROM ingest_interaction
    WHERE id = of_answer
$$;

-- One note for all that one statement stored or deleted in a slice.
CREATE FUNCTION metrics_of_interactions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO metrics_change (project_id, slice)
    SELECT DISTINCT project_id, metrics_slice(created_at) FROM changed;
    RETURN NULL;
END $$;
CREATE TRIGGER metrics_received AFTER INSERT ON ingest_interaction
    REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION metrics_of_interactions();
CREATE TRIGGER metrics_removed AFTER DELETE ON ingest_interaction
    REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION metrics_of_interactions();

CREATE FUNCTION metrics_of_moved_interaction() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM metrics_changed(OLD.project_id, OLD.created_at);
    PERFORM metrics_changed(NEW.project_id, NEW.created_at);
    RETURN NULL;
END $$;
CREATE TRIGGER metrics_moved AFTER UPDATE OF created_at ON ingest_interaction
    FOR EACH ROW WHEN (OLD.created_at <> NEW.created_at)
    EXECUTE FUNCTION metrics_of_moved_interaction();

-- Finished or given up, and whatever is changed in it later.
CREATE FUNCTION metrics_of_verification() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        PERFORM metrics_answer_changed(OLD.interaction_id);
    ELSE
        PERFORM metrics_answer_changed(NEW.interaction_id);
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER metrics_verified AFTER INSERT ON verification_verification
    FOR EACH ROW WHEN (NEW.state IN ('finished', 'failed'))
    EXECUTE FUNCTION metrics_of_verification();
CREATE TRIGGER metrics_reverified AFTER UPDATE ON verification_verification
    FOR EACH ROW WHEN (
        NEW.state IN ('finished', 'failed') OR OLD.state IN ('finished', 'failed')
    ) EXECUTE FUNCTION metrics_of_verification();
CREATE TRIGGER metrics_unverified AFTER DELETE ON verification_verification
    FOR EACH ROW WHEN (OLD.state IN ('finished', 'failed'))
    EXECUTE FUNCTION metrics_of_verification();

-- A verification's names and claims are stored with it; later people speak of them.
CREATE FUNCTION metrics_of_word() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM metrics_answer_changed(run.interaction_id)
    FROM verification_verification AS run WHERE run.id = NEW.verification_id;
    RETURN NULL;
END $$;
CREATE TRIGGER metrics_name_judged AFTER UPDATE ON verification_mentionverdict
    FOR EACH ROW WHEN (OLD.human_status <> NEW.human_status)
    EXECUTE FUNCTION metrics_of_word();
CREATE TRIGGER metrics_claim_judged AFTER UPDATE ON verification_claimverdict
    FOR EACH ROW WHEN (OLD.human_status <> NEW.human_status)
    EXECUTE FUNCTION metrics_of_word();

CREATE FUNCTION metrics_of_call() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM metrics_answer_changed(run.interaction_id)
    FROM verification_verification AS run WHERE run.id = NEW.verification_id;
    RETURN NULL;
END $$;
CREATE TRIGGER metrics_asked AFTER INSERT ON inference_modelcall
    FOR EACH ROW WHEN (NEW.verification_id IS NOT NULL)
    EXECUTE FUNCTION metrics_of_call();
CREATE TRIGGER metrics_answered AFTER UPDATE ON inference_modelcall
    FOR EACH ROW WHEN (NEW.verification_id IS NOT NULL)
    EXECUTE FUNCTION metrics_of_call();

CREATE FUNCTION metrics_of_item() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        PERFORM metrics_answer_changed(OLD.interaction_id);
        PERFORM metrics_changed(OLD.project_id, OLD.created_at);
        PERFORM metrics_changed(OLD.project_id, OLD.resolved_at);
    END IF;
    IF TG_OP <> 'DELETE' THEN
        PERFORM metrics_answer_changed(NEW.interaction_id);
        PERFORM metrics_changed(NEW.project_id, NEW.created_at);
        PERFORM metrics_changed(NEW.project_id, NEW.resolved_at);
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER metrics_queued AFTER INSERT OR DELETE ON review_reviewitem
    FOR EACH ROW EXECUTE FUNCTION metrics_of_item();
-- Leases and places in the queue are no figures.
CREATE TRIGGER metrics_decided AFTER UPDATE ON review_reviewitem
    FOR EACH ROW WHEN (
        (OLD.state, OLD.human_verdict, OLD.resolved_at, OLD.resolved_by_id,
         OLD.resolved_by_key_id, OLD.verification_id, OLD.reason_kinds,
         OLD.created_at, OLD.taken_at)
        IS DISTINCT FROM
        (NEW.state, NEW.human_verdict, NEW.resolved_at, NEW.resolved_by_id,
         NEW.resolved_by_key_id, NEW.verification_id, NEW.reason_kinds,
         NEW.created_at, NEW.taken_at)
    ) EXECUTE FUNCTION metrics_of_item();

-- What is said of names, facts and verdicts stands in their own rows.
CREATE FUNCTION metrics_of_override() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM metrics_answer_changed(item.interaction_id)
    FROM review_reviewitem AS item WHERE item.id = NEW.item_id;
    RETURN NULL;
END $$;
CREATE TRIGGER metrics_overridden AFTER INSERT OR UPDATE ON review_override
    FOR EACH ROW WHEN (NEW.target = 'claim') EXECUTE FUNCTION metrics_of_override();

CREATE FUNCTION metrics_of_gold() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM metrics_answer_changed(item.interaction_id)
    FROM review_reviewitem AS item
    WHERE item.id = CASE TG_OP WHEN 'DELETE' THEN OLD.item_id ELSE NEW.item_id END;
    RETURN NULL;
END $$;
CREATE TRIGGER metrics_gold AFTER INSERT OR UPDATE OR DELETE ON review_golditem
    FOR EACH ROW EXECUTE FUNCTION metrics_of_gold();

CREATE FUNCTION metrics_of_judgement() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        PERFORM metrics_changed(OLD.project_id, OLD.given_at);
    END IF;
    PERFORM metrics_changed(NEW.project_id, NEW.given_at);
    RETURN NULL;
END $$;
CREATE TRIGGER metrics_gold_judged AFTER INSERT OR UPDATE ON review_judgement
    FOR EACH ROW WHEN (NEW.kind = 'gold') EXECUTE FUNCTION metrics_of_judgement();
"""
DROP = """
DROP TRIGGER metrics_gold_judged ON review_judgement;
DROP TRIGGER metrics_gold ON review_golditem;
DROP TRIGGER metrics_overridden ON review_override;
DROP TRIGGER metrics_decided ON review_reviewitem;
DROP TRIGGER metrics_queued ON review_reviewitem;
DROP TRIGGER metrics_answered ON inference_modelcall;
DROP TRIGGER metrics_asked ON inference_modelcall;
DROP TRIGGER metrics_claim_judged ON verification_claimverdict;
DROP TRIGGER metrics_name_judged ON verification_mentionverdict;
DROP TRIGGER metrics_unverified ON verification_verification;
DROP TRIGGER metrics_reverified ON verification_verification;
DROP TRIGGER metrics_verified ON verification_verification;
DROP TRIGGER metrics_moved ON ingest_interaction;
DROP TRIGGER metrics_removed ON ingest_interaction;
DROP TRIGGER metrics_received ON ingest_interaction;
DROP FUNCTION metrics_of_judgement();
DROP FUNCTION metrics_of_gold();
DROP FUNCTION metrics_of_override();
DROP FUNCTION metrics_of_item();
DROP FUNCTION metrics_of_call();
DROP FUNCTION metrics_of_word();
DROP FUNCTION metrics_of_verification();
DROP FUNCTION metrics_of_moved_interaction();
DROP FUNCTION metrics_of_interactions();
DROP FUNCTION metrics_answer_changed(uuid);
DROP FUNCTION metrics_changed(uuid, timestamptz);
DROP FUNCTION metrics_slice(timestamptz);
"""


class Migration(migrations.Migration):
    dependencies = [
        ("metrics", "0001_tables"),
        ("ingest", "0001_tables"),
        ("inference", "0001_tables"),
        ("verification", "0001_tables"),
        ("review", "0001_tables"),
    ]

    operations = [migrations.RunSQL(CREATE, DROP)]
