"""Rows for `bench.metrics` and `bench.years`, created by SQL.

`n` numbers the answers, the newest first. There are twenty agents, twenty answers per
session, two tools, two names and a report of about a kilobyte each. Every fifth answer
used a model, and every second one is in the queue or decided, by five people.
"""

from datetime import UTC, datetime
from typing import Any

TABLES = (
    "ingest_session",
    "ingest_interaction",
    "ingest_toolcall",
    "verification_verification",
    "verification_mentionverdict",
    "inference_modelcall",
    "review_reviewitem",
    "review_override",
    "review_golditem",
    "review_judgement",
    "learning_judgedanswer",
    "learning_labelledexample",
    "learning_calibrationsample",
    "memory_constraint",
    "memory_sighting",
)
COUNTS = (
    "metrics_slicecount",
    "metrics_daycount",
    "metrics_dayname",
    "metrics_totalname",
)
# Like ids of `common.db.new_id` at a time: neighbours in time are neighbours in
# indexes.
_ID = """(lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0')
    || '7' || right(gen_random_uuid()::text, 21))::uuid"""
_ANSWERS = """
WITH numbered AS (
    SELECT n, at, @id AS id, @id AS run,
        md5(%(project)s::text || n / 20)::uuid AS session,
        'agent-' || n %% 20 AS agent,
        CASE n %% 3 WHEN 0 THEN 'large' ELSE 'small' END AS tier,
        CASE n %% 4 WHEN 0 THEN 'reject' WHEN 1 THEN 'uncertain' ELSE 'accept' END
            AS verdict,
        'ghost' || (n::bigint * n) %% 5003 || '.py' AS ghost
    FROM generate_series(%(last)s, %(first)s, -1) AS n, LATERAL (
        SELECT %(until)s::timestamptz - make_interval(secs => n * %(apart)s) AS at
    ) AS moment
), session AS (
    INSERT INTO ingest_session (created_at, id, project_id, key)
    SELECT DISTINCT ON (numbered.session) at, numbered.session, %(project)s::uuid,
        numbered.session::text
    FROM numbered ON CONFLICT DO NOTHING
), answer AS (
    INSERT INTO ingest_interaction (created_at, id, project_id, content_sha256, task,
        answer, agent_name, agent_tier, agent_role, parent, goal, verification_type,
        verification_results, tool_call_count, session_id, run_cost_microdollars)
    SELECT at, id, %(project)s, '', 'Part ' || n, 'In `price.py`.', agent, tier, '',
        '', '', '', '[]', 2, session, 10000
    FROM numbered
), used AS (
    INSERT INTO ingest_toolcall (index, call_id, tool, input, output, status,
        interaction_id, project_id)
    SELECT place, '', 'tool-' || (n + 7 * place) %% 12, '{}', 'done', 'ok', id,
        %(project)s
    FROM numbered, generate_series(0, 1) AS place
), run AS (
    INSERT INTO verification_verification (created_at, id, project_id, interaction_id,
        number, state, token, attempts, error, strictness, report, verdict,
        human_verdict, action, mention_count, unverified_count, engine_version,
        confidence, coverage, duration_ms, finished_at, self_confidence)
    SELECT at, run, %(project)s, id, 1, 'finished', 0, 1, '', '',
        jsonb_build_object('summary', repeat('In the file a name stands. ', %(words)s),
            'warnings', jsonb_build_array(jsonb_build_object('code', 'W' || n %% 9)),
            'completion_claims', jsonb_build_array(jsonb_build_object('status',
                CASE n %% 5 WHEN 0 THEN 'contradicted' ELSE 'supported' END)),
            'checks', (SELECT jsonb_agg(jsonb_build_object('name', name, 'outcome',
                CASE n %% 4 WHEN 0 THEN 'failed' ELSE 'passed' END,
                'details', jsonb_build_object('duration_ms', 1.5)))
                FROM unnest(ARRAY['level_1_structure', 'level_2_schema', 'grounding',
                    'claims', 'secrets']) AS name)),
        verdict, '', '', 2, 1, '', (n %% 100) / 100.0, 1, 5 + n %% 400, at,
        CASE WHEN n %% 3 = 0 THEN 0.9 END
    FROM numbered
), named AS (
    INSERT INTO verification_mentionverdict (id, project_id, verification_id, index,
        text, kind, key, status, reason, grade, suggestion, human_status)
    SELECT @id, %(project)s, run, place, name, 'file', name,
        CASE WHEN place = 1 AND n %% 4 < 2 THEN 'unverified' ELSE 'verified' END,
        CASE WHEN place = 1 AND n %% 4 < 2 THEN 'not_found' ELSE 'found_exact' END,
        '', '', ''
    FROM numbered, LATERAL (
        VALUES (0, 'price.py'), (1, ghost)
    ) AS mention (place, name)
), asked AS (
    INSERT INTO inference_modelcall (created_at, id, project_id, verification_id,
        purpose, tier, endpoint_name, model, prompt_version, opinion_key, outcome,
        cost_microdollars, charged_tokens, is_estimate, is_overstated, latency_ms,
        reserved_microdollars, reserved_tokens, reserved_ms)
    SELECT at, gen_random_uuid(), %(project)s, run, 'cross_tier', 'medium', '', '',
        '', '', 'ok', 1000 + n %% 500, 900, false, false, 700, 0, 0, 0
    FROM numbered WHERE n %% 5 = 0
), judged AS (
    INSERT INTO learning_judgedanswer (created_at, interaction_id, verification_id,
        answered_at, session_key, agent, model, tools, attempt, verdict,
        human_verdict, counted, unverified, moved, arms, facts, project_id)
    SELECT at, id, run, at, session::text, agent, tier, '{}', 1, verdict, '', 2,
        (n %% 4 < 2)::int, 0,
        jsonb_build_object('constraints', n / 20 %% 10 = 0), '{}', %(project)s
    FROM numbered
), item AS (
    INSERT INTO review_reviewitem (created_at, id, project_id, verification_id,
        interaction_id, reasons, reason_kinds, risk, state, human_verdict, taken_at,
        resolved_at, resolved_by_id, version, rank, ranked_at, agent_name,
        machine_verdict, due_at, round)
    SELECT at, @id, %(project)s, run, id, '{x}', '{unverified_names}', 0.5,
        CASE WHEN decided THEN 'overridden' ELSE 'open' END,
        CASE WHEN decided THEN 'accept' ELSE '' END,
        CASE WHEN decided THEN at + interval '59 minutes' END,
        CASE WHEN decided THEN at + interval '1 hour' END,
        CASE WHEN decided THEN (%(users)s::bigint[])[1 + n / 8 %% 5] END, 0,
        ln(0.02 + random()) / ln(2) - extract(epoch FROM at) / 3600 / 72, at, agent,
        'reject', NULL, 1
    FROM numbered, LATERAL (
        SELECT n %% 8 = 0 OR at < %(waits_since)s::timestamptz AS decided
    ) AS state
    WHERE n %% 4 < 2
    RETURNING id, project_id, resolved_by_id, resolved_at
) @beside
INSERT INTO review_override (created_at, id, project_id, item_id, target, subject,
    before, after, reason, reason_codes, reviewer_id, effects)
SELECT resolved_at, gen_random_uuid(), project_id, id, 'verdict', '{}', 'reject',
    'accept', '', '{}', resolved_by_id, '[]'
FROM item WHERE resolved_by_id IS NOT NULL
"""


def answers(*beside: str) -> str:
    """Return the statement that stores answers, with parameters from `placed`.

    Args:
        beside: Further parts of the statement: names and queries `AS (INSERT …)` over
            `numbered`, which has a row for each answer.
    """
    more = "".join(f", {one}" for one in beside)
    return _ANSWERS.replace("@beside", more).replace("@id", _ID)


def placed(
    first: int,
    last: int,
    *,
    until: datetime | None = None,
    apart: float = 7,
    waits_since: datetime | str = "-infinity",
    words: int = 20,
) -> dict[str, Any]:
    """Return the parameters of `answers`, except the project and the users.

    Args:
        first, last: The numbers of the newest and the oldest answer.
        until: The time of number 0 (aware); by default now.
        apart: Seconds between two answers.
        waits_since: Older answers are decided, and an eighth of the newer ones.
        words: How often a report's summary repeats its text.
    """
    return {
        "first": first,
        "last": last,
        "until": until or datetime.now(UTC),
        "apart": apart,
        "waits_since": waits_since,
        "words": words,
    }


# Rows besides the sums, for the newest answers: gold, items that two people judged,
# decisions that label a score.
PEOPLE = (
    """
    INSERT INTO review_golditem (created_at, id, verdict, note, item_id, marked_by_id,
        project_id)
    SELECT created_at, gen_random_uuid(), 'accept', '', id, resolved_by_id, project_id
    FROM review_reviewitem
    WHERE project_id = %(project)s AND state = 'overridden'
    ORDER BY created_at DESC LIMIT 300
    """,
    """
    WITH shared AS (
        UPDATE review_reviewitem SET reviews_wanted = 2 WHERE id IN (
            SELECT id FROM review_reviewitem
            WHERE project_id = %(project)s AND state = 'overridden'
            ORDER BY created_at DESC LIMIT 3000
        ) RETURNING id, resolved_at
    )
    INSERT INTO review_judgement (created_at, id, kind, round, state, verdict,
        decision, seconds, blind, given_at, item_id, project_id, reviewer_id)
    SELECT resolved_at, gen_random_uuid(), 'review', 1, 'given',
        CASE WHEN random() < 0.8 THEN 'accept' ELSE 'reject' END, '{}', 60, false,
        resolved_at, id, %(project)s, (%(users)s::bigint[])[place]
    FROM shared, generate_series(1, 2) AS place
    """,
    """
    WITH decided AS (
        SELECT item.*, row_number() OVER (ORDER BY created_at DESC) AS place
        FROM review_reviewitem AS item
        WHERE project_id = %(project)s AND state = 'overridden'
        ORDER BY created_at DESC LIMIT 30000
    ), example AS (
        INSERT INTO learning_labelledexample (created_at, id, verification_id,
            override_id, target, subject, subject_kind, subject_key, machine, person,
            reason, task_excerpt, answer_excerpt, likeness, state, active, decided_at,
            interaction_id, project_id)
        SELECT resolved_at, gen_random_uuid(), verification_id, gen_random_uuid(),
            'verdict', '', '', '', 'reject', 'accept', '', '', '', '', '', false,
            resolved_at, interaction_id, project_id
        FROM decided
        RETURNING id, decided_at, project_id
    )
    INSERT INTO learning_calibrationsample (created_at, check_name, score, label,
        active, at, project_id, example_id)
    SELECT decided_at, 'verdict', random(), random() < 0.7, true, decided_at,
        project_id, id
    FROM example
    """,
)
# Constraints with an experiment.
EXPERIMENT = (
    """
    INSERT INTO memory_constraint (created_at, id, mention_kind, mention_key, text,
        suggestion, state, origin, pinned, interaction_count, session_count,
        retired_reason, updated_at, project_id, active_at, shadow_at, first_seen_at,
        last_seen_at)
    SELECT now(), gen_random_uuid(), 'file', name, name, '', 'active', 'recurrence',
        false, 200, 200, '', now(), %(project)s, now() - interval '30 days',
        now() - interval '40 days', now() - interval '60 days', now()
    FROM (SELECT DISTINCT 'ghost' || (n::bigint * n) %% 5003 || '.py' AS name
          FROM generate_series(1, 20) AS n) AS names
    ON CONFLICT DO NOTHING
    """,
    """
    INSERT INTO memory_sighting (created_at, interaction_id, counts, constraint_id,
        project_id, session_id, seen_at)
    SELECT i.created_at, i.id, true, c.id, c.project_id, i.session_id, i.created_at
    FROM memory_constraint AS c
    JOIN verification_mentionverdict AS m ON m.project_id = c.project_id
        AND m.kind = c.mention_kind AND m.key = c.mention_key
        AND m.status = 'unverified'
    JOIN verification_verification AS run ON run.id = m.verification_id
    JOIN ingest_interaction AS i ON i.id = run.interaction_id
    WHERE c.project_id = %(project)s
    ON CONFLICT DO NOTHING
    """,
    """
    INSERT INTO learning_holdout (created_at, id, kind, share, salt, changed_at,
        project_id)
    VALUES (now(), gen_random_uuid(), 'constraints', 10, 'bench', now(), %(project)s)
    ON CONFLICT DO NOTHING
    """,
)
