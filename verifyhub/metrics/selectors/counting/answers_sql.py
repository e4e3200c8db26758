"""SQL that counts what was received in a stretch of time, in one statement.

One snapshot for all sections, so that they fit together. Each SELECT gives the name of
its section, the beginning of the day (UTC) or slice, whose answers they are (agent,
tier, model), the key, and the numbers in the order of `tally.MEASURES`.
"""

# As the run's metadata names it, else the tier.
MODEL = """CASE WHEN jsonb_typeof(i.metadata -> 'model') = 'string'
                AND i.metadata ->> 'model' <> ''
           THEN left(i.metadata ->> 'model', 200) ELSE i.agent_tier END"""
SOME = """(%(agent)s = '' OR i.agent_name = %(agent)s)
      AND (%(tier)s = '' OR i.agent_tier = %(tier)s)
      AND (%(model)s = '' OR named.model = %(model)s)"""

# What an answer is known to be, of gold first, then as people last decided it; the
# newest finished verification, and whether somebody decided about it.
ANSWERS = """
WITH answer AS MATERIALIZED (
    SELECT i.id, i.session_id, date_bin(%(bin)s, i.created_at, %(origin)s) AS day,
        i.agent_name AS agent, ARRAY[i.agent_name, i.agent_tier, named.model] AS part,
        i.run_cost_microdollars AS run_cost,
        i.parent <> '' AND EXISTS (
            SELECT FROM ingest_interaction AS earlier
            WHERE earlier.project_id = i.project_id
              AND earlier.client_id = i.parent AND earlier.task = i.task
              AND earlier.created_at <= i.created_at
        ) AS is_retry,
        coalesce(
            (
                SELECT gold.verdict
                FROM review_golditem AS gold
                JOIN review_reviewitem AS item ON item.id = gold.item_id
                WHERE item.interaction_id = i.id AND gold.retired_at IS NULL
                ORDER BY gold.created_at DESC, gold.id LIMIT 1
            ),
            (
                SELECT coalesce(nullif(item.human_verdict, ''), judged.verdict)
                FROM review_reviewitem AS item
                JOIN verification_verification AS judged
                    ON judged.id = item.verification_id
                WHERE item.interaction_id = i.id
                  AND item.state IN ('confirmed', 'overridden')
                ORDER BY item.resolved_at DESC NULLS LAST, item.id LIMIT 1
            )
        ) AS truth,
        v.id AS run, v.verdict, v.report, v.confidence, v.coverage, v.self_confidence,
        v.duration_ms, item.id AS item, item.state AS item_state,
        coalesce(item.state IN ('confirmed', 'overridden'), false) AS is_decided,
        coalesce(nullif(item.human_verdict, ''), v.verdict) AS decision,
        item.reason_kinds
    FROM unnest(%(since)s::timestamptz[], %(until)s::timestamptz[])
        AS stretch (since, until)
    JOIN ingest_interaction AS i ON i.project_id = %(project)s
        AND i.created_at >= stretch.since AND i.created_at < stretch.until
    CROSS JOIN LATERAL (SELECT @model AS model) AS named
    LEFT JOIN LATERAL (
        SELECT * FROM verification_verification AS run
        WHERE run.interaction_id = i.id AND run.state = 'finished'
        ORDER BY run.number DESC LIMIT 1
    ) AS v ON true
    LEFT JOIN review_reviewitem AS item ON item.verification_id = v.id
    WHERE @some
), mention AS MATERIALIZED (
    SELECT a.id AS answer, a.day, a.part, a.agent, a.is_decided, a.run, a.session_id,
        m.kind, m.key, m.text, m.status, m.reason, m.human_status,
        coalesce(nullif(m.human_status, ''), m.status) AS stands
    FROM answer AS a
    JOIN verification_mentionverdict AS m ON m.verification_id = a.run
    WHERE m.status = 'verified' OR m.reason <> ALL(%(uncounted)s)
), named AS (
    SELECT run, count(*) AS names,
        count(*) FILTER (WHERE status = 'unverified') AS unverified,
        count(*) FILTER (WHERE stands = 'unverified') AS invented
    FROM mention GROUP BY run
), finding AS MATERIALIZED (
    SELECT a.day, a.part, a.agent, a.id AS answer, c.value ->> 'name' AS name,
        c.value ->> 'outcome' AS outcome, c.value -> 'details' AS details
    FROM answer AS a, jsonb_array_elements(a.report -> 'checks') AS c
), call AS MATERIALIZED (
    SELECT a.day, a.part, a.id AS answer, a.run_cost, c.verification_id, c.tier,
        c.purpose, c.outcome, c.charged_tokens, c.cost_microdollars AS cost,
        c.is_estimate, c.latency_ms,
        c.outcome NOT IN ('running', 'cached', 'budget') AS is_made
    FROM answer AS a
    JOIN verification_verification AS run ON run.interaction_id = a.id
    JOIN inference_modelcall AS c ON c.verification_id = run.id
    WHERE c.project_id = %(project)s
)
""".replace("@model", MODEL).replace("@some", SOME)

_NUMBERS = """ARRAY[
    count(*), count(a.run),
    count(*) FILTER (WHERE a.verdict = 'accept'),
    count(*) FILTER (WHERE a.verdict = 'uncertain'),
    count(*) FILTER (WHERE a.verdict = 'reject'),
    count(*) FILTER (WHERE a.coverage = 0),
    count(*) FILTER (WHERE a.run IS NOT NULL AND NOT a.is_retry),
    count(*) FILTER (WHERE a.verdict = 'accept' AND NOT a.is_retry),
    count(*) FILTER (WHERE a.run IS NOT NULL AND a.is_retry),
    count(*) FILTER (WHERE named.invented > 0),
    coalesce(sum(named.names), 0), coalesce(sum(named.unverified), 0),
    count(*) FILTER (WHERE a.report -> 'goal' ->> 'state' = 'achieved'),
    count(*) FILTER (WHERE a.report -> 'goal' ->> 'state' = 'not_achieved'),
    count(*) FILTER (WHERE a.run IS NOT NULL AND a.truth IS NOT NULL),
    count(*) FILTER (WHERE a.run IS NOT NULL AND a.truth = 'reject'),
    count(*) FILTER (WHERE a.verdict <> 'accept' AND a.truth IS NOT NULL),
    count(*) FILTER (WHERE a.verdict <> 'accept' AND a.truth = 'accept'),
    count(*) FILTER (WHERE a.verdict = 'accept' AND a.truth IS NOT NULL),
    count(*) FILTER (WHERE a.verdict = 'accept' AND a.truth = 'reject')
]::numeric[]"""

_ANSWERS = """SELECT 'answers', a.day, a.part, a.part, @numbers
FROM answer AS a LEFT JOIN named ON named.run = a.run
GROUP BY a.day, a.part""".replace("@numbers", _NUMBERS)

_TOOLS = """SELECT 'tools', a.day, a.part, ARRAY[used.tool], @numbers
FROM answer AS a
JOIN LATERAL (
    SELECT DISTINCT t.tool FROM ingest_toolcall AS t WHERE t.interaction_id = a.id
) AS used ON true
LEFT JOIN named ON named.run = a.run
GROUP BY a.day, a.part, used.tool""".replace("@numbers", _NUMBERS)

_CONFIDENCE = """SELECT 'confidence', a.day, a.part,
    ARRAY[coalesce(
        CASE WHEN a.confidence < 1 THEN floor(a.confidence * 10)
             WHEN a.confidence = 1 THEN 9 END::int::text, ''
    )],
    ARRAY[count(*), count(*) FILTER (WHERE a.verdict <> 'accept')]::numeric[]
FROM answer AS a WHERE a.run IS NOT NULL GROUP BY a.day, a.part, 4"""

# The lower bound keeps the six highest bits: see `durations`.
_DURATIONS = """SELECT 'durations', a.day, a.part, ARRAY[bin.low::text],
    ARRAY[count(*)]::numeric[]
FROM answer AS a, LATERAL (
    SELECT greatest(0, 27 - position(B'1' IN a.duration_ms::bit(32))) AS shift
) AS place, LATERAL (SELECT a.duration_ms >> shift << shift AS low) AS bin
WHERE a.duration_ms IS NOT NULL GROUP BY a.day, a.part, bin.low"""

_KINDS = """SELECT 'kinds', day, part, ARRAY[kind], ARRAY[
    count(*), count(*) FILTER (WHERE status = 'unverified'),
    count(*) FILTER (WHERE status = 'unverified' AND human_status = 'verified')
]::numeric[]
FROM mention GROUP BY day, part, kind"""

_OUTCOMES = """SELECT 'outcomes', day, part, ARRAY[name, outcome], ARRAY[
    count(*), count(spent.ms), coalesce(round(sum(spent.ms) * 1000), 0)
]::numeric[]
FROM finding, LATERAL (
    SELECT CASE WHEN jsonb_typeof(details -> 'duration_ms') = 'number'
                THEN (details ->> 'duration_ms')::numeric END AS ms
) AS spent
WHERE name IS NOT NULL AND outcome IS NOT NULL
GROUP BY day, part, name, outcome"""

_SPECIALISTS = """SELECT 'specialists', day, part, ARRAY[agent], ARRAY[
    count(*) FILTER (WHERE passed AND NOT failed AND NOT unsettled),
    count(*) FILTER (WHERE failed),
    count(*) FILTER (WHERE unsettled AND NOT failed)
]::numeric[]
FROM (
    SELECT day, part, agent, bool_or(outcome = 'passed') AS passed,
        bool_or(outcome = 'failed') AS failed,
        bool_or(outcome = 'inconclusive') AS unsettled
    FROM finding WHERE starts_with(name, 'level_') GROUP BY day, part, agent, answer
) AS level
GROUP BY day, part, agent"""

_ERRORS = """SELECT 'errors', day, part, ARRAY[e.key],
    ARRAY[sum(e.value::numeric)]::numeric[]
FROM finding, jsonb_each_text(
    CASE WHEN jsonb_typeof(details -> 'errors_by_category') = 'object'
         THEN details -> 'errors_by_category' END
) AS e
WHERE starts_with(name, 'level_') GROUP BY day, part, e.key"""

_WARNINGS = """SELECT 'warnings', a.day, a.part, ARRAY[w.value ->> 'code'],
    ARRAY[count(DISTINCT a.id)]::numeric[]
FROM answer AS a, jsonb_array_elements(a.report -> 'warnings') AS w
WHERE w.value ->> 'code' IS NOT NULL GROUP BY a.day, a.part, w.value ->> 'code'"""

_CLAIMS = """SELECT 'claims', a.day, a.part, ARRAY[c.value ->> 'status'],
    ARRAY[count(*)]::numeric[]
FROM answer AS a, jsonb_array_elements(a.report -> 'completion_claims') AS c
WHERE c.value ->> 'status' IS NOT NULL GROUP BY a.day, a.part, c.value ->> 'status'"""

_SELF = """SELECT 'self_confidence', a.day, a.part, ARRAY[a.agent], ARRAY[
    count(*), sum(round(1e6 * over)), sum(round(1e6 * over * over))
]::numeric[]
FROM answer AS a, LATERAL (
    SELECT (a.self_confidence - a.confidence)::numeric AS over
) AS gap
WHERE over IS NOT NULL GROUP BY a.day, a.part, a.agent"""

_CALLS = """SELECT 'calls', day, part, ARRAY[tier, purpose], ARRAY[
    count(*) FILTER (WHERE is_made),
    count(*) FILTER (WHERE is_made AND outcome <> 'ok'),
    count(*) FILTER (WHERE outcome = 'cached'),
    count(*) FILTER (WHERE outcome = 'budget'),
    coalesce(sum(charged_tokens), 0),
    coalesce(sum(cost) FILTER (WHERE is_made), 0),
    coalesce(sum(cost::numeric * cost) FILTER (WHERE is_made), 0),
    count(cost) FILTER (WHERE is_made),
    count(*) FILTER (WHERE is_made AND cost IS NULL),
    count(*) FILTER (WHERE is_estimate),
    coalesce(sum(latency_ms), 0)
]::numeric[]
FROM call GROUP BY day, part, tier, purpose"""

_SPENDING = """SELECT 'spending', day, part, ARRAY[]::text[], ARRAY[
    count(*), count(cost), coalesce(sum(cost), 0), coalesce(sum(cost * cost), 0)
]::numeric[]
FROM (
    SELECT day, part, sum(
        CASE WHEN is_made THEN cost WHEN outcome = 'cached' THEN 0 END
    ) AS cost
    FROM call GROUP BY day, part, verification_id HAVING bool_or(outcome <> 'budget')
) AS verdict
GROUP BY day, part"""

_RUNS = """SELECT 'runs', day, part, ARRAY[]::text[], ARRAY[
    count(*), sum(run_cost), sum(cost), sum(run_cost::numeric * run_cost),
    sum(cost * cost), sum(run_cost * cost)
]::numeric[]
FROM (
    SELECT day, part, answer, run_cost, sum(cost) AS cost
    FROM (
        SELECT day, part, answer, run_cost, sum(cost) AS cost
        FROM call WHERE run_cost IS NOT NULL
        GROUP BY day, part, answer, run_cost, verification_id
        HAVING bool_or(cost IS NOT NULL AND outcome <> 'budget')
    ) AS checked
    GROUP BY day, part, answer, run_cost
) AS run
GROUP BY day, part"""

OF_ANSWERS = {
    "answers": _ANSWERS,
    "tools": _TOOLS,
    "confidence": _CONFIDENCE,
    "durations": _DURATIONS,
    "kinds": _KINDS,
    "outcomes": _OUTCOMES,
    "specialists": _SPECIALISTS,
    "errors": _ERRORS,
    "warnings": _WARNINGS,
    "claims": _CLAIMS,
    "self_confidence": _SELF,
    "calls": _CALLS,
    "spending": _SPENDING,
    "runs": _RUNS,
}
# Not summed like the others: who said it where, to count sessions once.
NAMES = """SELECT day, part, kind, key, max(text), max(reason), count(DISTINCT answer),
    array_agg(DISTINCT session_id) FILTER (WHERE session_id IS NOT NULL)
FROM mention
WHERE status = 'unverified' AND human_status <> 'verified'
GROUP BY day, part, kind, key"""
