"""SQL that counts the answers of a period, in one statement.

All sections use one snapshot, so that they are consistent. Each SELECT returns the name
of its section, a number for the day (UTC) or slice and for agent, tier and model, the
key, and the numbers, each with its name.
"""

from verifyhub.ingest.selectors import PARENT_ID
from verifyhub.metrics.counting.section import CountQuery, where

# The model from the run's metadata, or else the tier.
MODEL = """CASE WHEN jsonb_typeof(i.metadata -> 'model') = 'string'
                AND i.metadata ->> 'model' <> ''
           THEN left(i.metadata ->> 'model', 200) ELSE i.agent_tier END"""
SOME = """(%(agent)s = '' OR i.agent_name = %(agent)s)
      AND (%(tier)s = '' OR i.agent_tier = %(tier)s)
      AND (%(model)s = '' OR named.model = %(model)s)"""
PARENT = PARENT_ID.format(row="i")

# Rows of other tables are looked up by index for each answer: OFFSET 0 prevents a scan
# of a large table if the planner overestimates a day.
ANSWERS = (
    """
WITH received AS MATERIALIZED (
    SELECT i.id, i.session_id, i.run_cost_microdollars AS run_cost,
        i.agent_name AS agent, i.agent_tier AS tier, named.model,
        date_bin(%(bin)s, i.created_at, %(origin)s) AS day,
        dense_rank() OVER (ORDER BY date_bin(%(bin)s, i.created_at, %(origin)s),
            i.agent_name, i.agent_tier, named.model) AS whose,
        i.parent <> '' AND EXISTS (
            SELECT FROM ingest_interaction AS earlier
            WHERE earlier.id = @parent AND earlier.task = i.task
              AND earlier.created_at <= i.created_at
        ) AS is_retry
    FROM ingest_interaction AS i
    CROSS JOIN LATERAL (SELECT @model AS model) AS named
    WHERE i.project_id = %(project)s AND @created AND @some
), item AS MATERIALIZED (
    SELECT received.id AS answer, received.whose, received.agent, item.id,
        item.verification_id AS run, item.state, item.human_verdict,
        item.resolved_at, item.reason_kinds, judged.verdict AS judged,
        item.state IN ('confirmed', 'overridden') AS is_decided,
        coalesce(nullif(item.human_verdict, ''), judged.verdict) AS final_verdict,
        gold.verdict AS gold, gold.created_at AS gold_at, gold.id AS gold_id
    FROM received
    CROSS JOIN LATERAL (
        SELECT * FROM review_reviewitem AS item
        WHERE item.interaction_id = received.id OFFSET 0
    ) AS item
    CROSS JOIN LATERAL (
        SELECT run.verdict FROM verification_verification AS run
        WHERE run.id = item.verification_id OFFSET 0
    ) AS judged
    LEFT JOIN LATERAL (
        SELECT * FROM review_golditem AS gold
        WHERE gold.item_id = item.id AND gold.retired_at IS NULL OFFSET 0
    ) AS gold ON true
), known AS (
    -- Gold first, then as people last decided it.
    SELECT DISTINCT ON (answer) answer, coalesce(gold, final_verdict) AS truth
    FROM item WHERE gold IS NOT NULL OR is_decided
    ORDER BY answer, gold IS NULL, gold_at DESC NULLS LAST, gold_id,
        resolved_at DESC NULLS LAST, id
), answer AS MATERIALIZED (
    -- The newest finished verification, and what somebody decided about it.
    SELECT received.id, received.session_id, received.whose, received.agent,
        received.run_cost, received.is_retry, known.truth, v.id AS run, v.verdict,
        report.checks, report.warnings, report.completion_claims, report.goal,
        -- Without their evidence, which is long.
        jsonb_path_query_array(report."values", '$[*].kind') AS value_kinds,
        jsonb_path_query_array(report."values", '$[*].status') AS value_statuses,
        v.confidence, v.coverage, v.self_confidence, v.duration_ms,
        item.id AS item, coalesce(item.is_decided, false) AS is_decided,
        item.final_verdict AS decision, item.reason_kinds
    FROM received
    LEFT JOIN LATERAL (
        SELECT * FROM verification_verification AS run
        WHERE run.interaction_id = received.id AND run.state = 'finished'
        ORDER BY run.number DESC LIMIT 1
    ) AS v ON true
    -- Opens the report once.
    LEFT JOIN LATERAL jsonb_to_record(v.report) AS report (
        checks jsonb, warnings jsonb, completion_claims jsonb, goal jsonb,
        "values" jsonb
    ) ON true
    LEFT JOIN item ON item.run = v.id
    LEFT JOIN known ON known.answer = received.id
), mention AS MATERIALIZED (
    SELECT a.id AS answer, a.whose, a.agent, a.is_decided, a.run, a.session_id,
        m.kind, m.key, m.text, m.status, m.reason, m.human_status,
        coalesce(nullif(m.human_status, ''), m.status) AS stands
    FROM answer AS a
    CROSS JOIN LATERAL (
        SELECT * FROM verification_mentionverdict AS m
        WHERE m.verification_id = a.run
          AND (m.status = 'verified' OR m.reason <> ALL(%(uncounted)s)) OFFSET 0
    ) AS m
), named AS (
    SELECT run, count(*) AS names,
        count(*) FILTER (WHERE status = 'unverified') AS unverified,
        count(*) FILTER (WHERE stands = 'unverified') AS invented
    FROM mention GROUP BY run
), value AS MATERIALIZED (
    -- Settled ones of runs that were held against the trace, and those that people
    -- judged, with the newest word that stands.
    SELECT a.whose, a.run, held.kind,
        coalesce(reviewed.after = 'wrong', held.status = 'unsupported') AS is_wrong
    FROM answer AS a
    CROSS JOIN LATERAL ROWS FROM (
        jsonb_array_elements_text(a.value_kinds),
        jsonb_array_elements_text(a.value_statuses)
    ) WITH ORDINALITY AS held (kind, status, place)
    LEFT JOIN LATERAL (
        SELECT o.after FROM review_override AS o
        WHERE o.item_id = a.item AND o.target = 'value' AND o.undone_at IS NULL
          AND o.subject -> 'index' = to_jsonb(held.place - 1)
        ORDER BY o.created_at DESC, o.id DESC LIMIT 1
    ) AS reviewed ON true
    WHERE reviewed.after IS NOT NULL OR held.status <> 'unchecked' AND (
        a.checks @> '[{"name": "values", "outcome": "passed"}]'
        OR a.checks @> '[{"name": "values", "outcome": "failed"}]'
    )
), valued AS (
    SELECT run, count(*) FILTER (WHERE is_wrong) AS wrong FROM value GROUP BY run
), finding AS MATERIALIZED (
    SELECT a.whose, a.agent, a.id AS answer, c.value ->> 'name' AS name,
        c.value ->> 'outcome' AS outcome, c.value -> 'details' AS details
    FROM answer AS a, jsonb_array_elements(a.checks) AS c
), call AS MATERIALIZED (
    SELECT a.whose, a.id AS answer, a.run_cost, c.verification_id, c.tier,
        c.purpose, c.outcome, c.charged_tokens, c.cost_microdollars AS cost,
        c.is_estimate, c.latency_ms,
        c.outcome NOT IN ('running', 'cached', 'budget') AS is_made
    FROM received AS a
    CROSS JOIN LATERAL (
        SELECT run.id FROM verification_verification AS run
        WHERE run.interaction_id = a.id OFFSET 0
    ) AS run
    CROSS JOIN LATERAL (
        SELECT * FROM inference_modelcall AS c
        WHERE c.verification_id = run.id AND c.project_id = %(project)s OFFSET 0
    ) AS c
), invented AS (
    -- Names without evidence.
    SELECT whose, kind, key, max(text) AS text, max(reason) AS reason,
        count(DISTINCT answer) AS answers,
        coalesce(array_agg(DISTINCT session_id::text)
            FILTER (WHERE session_id IS NOT NULL), '{}') AS sessions
    FROM mention
    WHERE status = 'unverified' AND human_status <> 'verified'
    GROUP BY whose, kind, key
), placed AS MATERIALIZED (
    -- Those in the most answers first, and of every agent as many as of the others.
    SELECT ranked.*, row_number() OVER (
        PARTITION BY day ORDER BY of_agent, answers DESC, kind, key, whose
    ) AS place
    FROM (
        SELECT invented.*, row_number() OVER (
            PARTITION BY whose ORDER BY answers DESC, kind, key
        ) AS of_agent
        FROM invented
    ) AS ranked
    JOIN (SELECT DISTINCT whose, day FROM received) AS part USING (whose)
)
SELECT made.section, part.day, part.part, coalesce(made.key, part.part), made.numbers
FROM (
@sections
) AS made (section, whose, key, numbers)
JOIN (
    SELECT DISTINCT whose, day, ARRAY[agent, tier, model] AS part FROM received
) AS part ON part.whose = made.whose
""".replace("@model", MODEL)
    .replace("@parent", PARENT)
    .replace("@some", SOME)
)


ANSWER_NUMBERS = {
    "received": "count(*)",
    "checked": "count(a.run)",
    "accepted": where("a.verdict = 'accept'"),
    "uncertain": where("a.verdict = 'uncertain'"),
    "rejected": where("a.verdict = 'reject'"),
    "unsettled": where("a.coverage = 0"),
    "first": where("a.run IS NOT NULL AND NOT a.is_retry"),
    "first_passed": where("a.verdict = 'accept' AND NOT a.is_retry"),
    "retries": where("a.run IS NOT NULL AND a.is_retry"),
    "invented": where("named.invented > 0"),
    "names": "coalesce(sum(named.names), 0)",
    "names_unverified": "coalesce(sum(named.unverified), 0)",
    "values_checked": "count(valued.run)",
    "values_unsupported": where("valued.wrong > 0"),
    "goals_reached": where("a.goal ->> 'state' = 'achieved'"),
    "goals_missed": where("a.goal ->> 'state' = 'not_achieved'"),
    "known": where("a.run IS NOT NULL AND a.truth IS NOT NULL"),
    "wrong": where("a.run IS NOT NULL AND a.truth = 'reject'"),
    "flagged_known": where("a.verdict <> 'accept' AND a.truth IS NOT NULL"),
    "flagged_right": where("a.verdict <> 'accept' AND a.truth = 'accept'"),
    "accepted_known": where("a.verdict = 'accept' AND a.truth IS NOT NULL"),
    "accepted_wrong": where("a.verdict = 'accept' AND a.truth = 'reject'"),
}

# By agent, tier and model.
_ANSWERS = CountQuery(
    "answers",
    ANSWER_NUMBERS,
    """SELECT @name, a.whose, NULL::text[], @numbers
FROM answer AS a LEFT JOIN named ON named.run = a.run
LEFT JOIN valued ON valued.run = a.run
GROUP BY a.whose""",
)

# By tool: an answer counts for each tool that it used.
_TOOLS = CountQuery(
    "tools",
    ANSWER_NUMBERS,
    """SELECT @name, a.whose, ARRAY[used.tool], @numbers
FROM answer AS a
JOIN LATERAL (
    SELECT DISTINCT t.tool FROM ingest_toolcall AS t WHERE t.interaction_id = a.id
) AS used ON true
LEFT JOIN named ON named.run = a.run
LEFT JOIN valued ON valued.run = a.run
GROUP BY a.whose, used.tool""",
)

# By tenth of confidence; empty without one.
_CONFIDENCE = CountQuery(
    "confidence",
    {
        "answers": "count(*)",
        "flagged": where("a.verdict <> 'accept'"),
    },
    """SELECT @name, a.whose,
    ARRAY[coalesce(
        CASE WHEN a.confidence < 1 THEN floor(a.confidence * 10)
             WHEN a.confidence = 1 THEN 9 END::int::text, ''
    )], @numbers
FROM answer AS a WHERE a.run IS NOT NULL GROUP BY a.whose, 3""",
)

# By the lower bound of a bin of milliseconds with the six highest bits: see
# `durations`.
_DURATIONS = CountQuery(
    "durations",
    {"verifications": "count(*)"},
    """SELECT @name, a.whose, ARRAY[bin.low::text], @numbers
FROM answer AS a, LATERAL (
    SELECT greatest(0, 27 - position(B'1' IN a.duration_ms::bit(32))) AS shift
) AS place, LATERAL (SELECT a.duration_ms >> shift << shift AS low) AS bin
WHERE a.duration_ms IS NOT NULL GROUP BY a.whose, bin.low""",
)

_KINDS = CountQuery(
    "kinds",
    {
        "names": "count(*)",
        "unverified": where("status = 'unverified'"),
        "cleared": where("status = 'unverified' AND human_status = 'verified'"),
    },
    """SELECT @name, whose, ARRAY[kind], @numbers
FROM mention GROUP BY whose, kind""",
)

_VALUES = CountQuery(
    "values",
    {
        "values": "count(*)",
        "unsupported": where("is_wrong"),
    },
    """SELECT @name, whose, ARRAY[kind], @numbers
FROM value WHERE kind IS NOT NULL GROUP BY whose, kind""",
)

_OUTCOMES = CountQuery(
    "outcomes",
    {
        "answers": "count(*)",
        "timed": "count(spent.ms)",
        "microseconds": "coalesce(round(sum(spent.ms) * 1000), 0)",
    },
    """SELECT @name, whose, ARRAY[name, outcome], @numbers
FROM finding, LATERAL (
    SELECT CASE WHEN jsonb_typeof(details -> 'duration_ms') = 'number'
                THEN (details ->> 'duration_ms')::numeric END AS ms
) AS spent
WHERE name IS NOT NULL AND outcome IS NOT NULL
GROUP BY whose, name, outcome""",
)

# Answers in which the levels passed, failed, or were inconclusive.
_SPECIALISTS = CountQuery(
    "specialists",
    {
        "passed": where("passed AND NOT failed AND NOT unsettled"),
        "failed": where("failed"),
        "open": where("unsettled AND NOT failed"),
    },
    """SELECT @name, whose, ARRAY[agent], @numbers
FROM (
    SELECT whose, agent, bool_or(outcome = 'passed') AS passed,
        bool_or(outcome = 'failed') AS failed,
        bool_or(outcome = 'inconclusive') AS unsettled
    FROM finding WHERE starts_with(name, 'level_') GROUP BY whose, agent, answer
) AS level
GROUP BY whose, agent""",
)

_ERRORS = CountQuery(
    "errors",
    {"errors": "sum(e.value::numeric)"},
    """SELECT @name, whose, ARRAY[e.key], @numbers
FROM finding, jsonb_each_text(
    CASE WHEN jsonb_typeof(details -> 'errors_by_category') = 'object'
         THEN details -> 'errors_by_category' END
) AS e
WHERE starts_with(name, 'level_') GROUP BY whose, e.key""",
)

_WARNINGS = CountQuery(
    "warnings",
    {"answers": "count(DISTINCT a.id)"},
    """SELECT @name, a.whose, ARRAY[w.value ->> 'code'], @numbers
FROM answer AS a, jsonb_array_elements(a.warnings) AS w
WHERE w.value ->> 'code' IS NOT NULL GROUP BY a.whose, w.value ->> 'code'""",
)

_CLAIMS = CountQuery(
    "claims",
    {"claims": "count(*)"},
    """SELECT @name, a.whose, ARRAY[c.value ->> 'status'], @numbers
FROM answer AS a, jsonb_array_elements(a.completion_claims) AS c
WHERE c.value ->> 'status' IS NOT NULL GROUP BY a.whose, c.value ->> 'status'""",
)

# The agent's confidence less the verdict's, in millionths, and its square.
_SELF = CountQuery(
    "self_confidence",
    {
        "answers": "count(*)",
        "over": "sum(round(1e6 * over))",
        "over_squared": "sum(round(1e6 * over * over))",
    },
    """SELECT @name, a.whose, ARRAY[a.agent], @numbers
FROM answer AS a, LATERAL (
    SELECT (a.self_confidence - a.confidence)::numeric AS over
) AS gap
WHERE over IS NOT NULL GROUP BY a.whose, a.agent""",
)

CALLS = CountQuery(
    "calls",
    {
        "calls": where("is_made"),
        "failed": where("is_made AND outcome <> 'ok'"),
        "cached": where("outcome = 'cached'"),
        "held_back": where("outcome = 'budget'"),
        "tokens": "coalesce(sum(charged_tokens), 0)",
        "cost": "coalesce(sum(cost) FILTER (WHERE is_made), 0)",
        "cost_squared": "coalesce(sum(cost::numeric * cost) FILTER (WHERE is_made), 0)",
        "priced": "count(cost) FILTER (WHERE is_made)",
        "unpriced": where("is_made AND cost IS NULL"),
        "estimated": where("is_estimate"),
        "latency_ms": "coalesce(sum(latency_ms), 0)",
    },
    """SELECT @name, whose, ARRAY[tier, purpose], @numbers
FROM call GROUP BY whose, tier, purpose""",
)

# Verifications that called a model; cost in micro-dollars, and its square.
_SPENDING = CountQuery(
    "spending",
    {
        "verdicts": "count(*)",
        "priced": "count(cost)",
        "cost": "coalesce(sum(cost), 0)",
        "cost_squared": "coalesce(sum(cost * cost), 0)",
    },
    """SELECT @name, whose, ARRAY[]::text[], @numbers
FROM (
    SELECT whose, sum(
        CASE WHEN is_made THEN cost WHEN outcome = 'cached' THEN 0 END
    ) AS cost
    FROM call GROUP BY whose, verification_id HAVING bool_or(outcome <> 'budget')
) AS verdict
GROUP BY whose""",
)

# Runs with a known cost, and the cost of their verification, in micro-dollars, with the
# sums for the interval of their ratio.
_RUNS = CountQuery(
    "runs",
    {
        "runs": "count(*)",
        "run_cost": "sum(run_cost)",
        "check_cost": "sum(cost)",
        "run_squared": "sum(run_cost::numeric * run_cost)",
        "check_squared": "sum(cost * cost)",
        "product": "sum(run_cost * cost)",
    },
    """SELECT @name, whose, ARRAY[]::text[], @numbers
FROM (
    SELECT whose, answer, run_cost, sum(cost) AS cost
    FROM (
        SELECT whose, answer, run_cost, sum(cost) AS cost
        FROM call WHERE run_cost IS NOT NULL
        GROUP BY whose, answer, run_cost, verification_id
        HAVING bool_or(cost IS NOT NULL AND outcome <> 'budget')
    ) AS checked
    GROUP BY whose, answer, run_cost
) AS run
GROUP BY whose""",
)

OF_ANSWERS = (
    _ANSWERS,
    _TOOLS,
    _CONFIDENCE,
    _DURATIONS,
    _KINDS,
    _VALUES,
    _OUTCOMES,
    _SPECIALISTS,
    _ERRORS,
    _WARNINGS,
    _CLAIMS,
    _SELF,
    CALLS,
    _SPENDING,
    _RUNS,
)
# Not summed like the others: the key contains the spelling, the reason, and the
# sessions, to count each session once.
NAMES = """SELECT 'names', whose, ARRAY[kind, key, text, reason] || sessions,
    ARRAY[answers]::numeric[]
FROM invented"""
MOST_NAMES = NAMES.replace("invented", "placed WHERE place <= %(most_names)s")
UNLISTED = """SELECT 'unlisted', whose, '{}'::text[],
    ARRAY[count(*), sum(answers)]::numeric[]
FROM placed WHERE place > %(most_names)s GROUP BY whose"""
