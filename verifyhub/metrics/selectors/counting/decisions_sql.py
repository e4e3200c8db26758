"""SQL that counts what people decided: of answers received then, and by their own day.

The first sections read the relations of `answers_sql.ANSWERS`.
"""

from verifyhub.metrics.selectors.counting.answers_sql import MODEL, SOME

_ITEMS = """SELECT 'items', whose, ARRAY[agent], ARRAY[
    count(*) FILTER (WHERE state = 'open'),
    count(*) FILTER (WHERE is_decided),
    count(*) FILTER (WHERE is_decided AND human_verdict NOT IN ('', judged)),
    count(*) FILTER (WHERE is_decided AND said = 'reject')
]::numeric[]
FROM item GROUP BY whose, agent"""

# By each reason that put the answer before people, and once without a reason.
_VERDICTS = """SELECT 'checks', a.whose,
    ARRAY['verdict', why.reason, a.agent], ARRAY[
    count(*), count(*) FILTER (WHERE a.decision <> a.verdict),
    count(*) FILTER (WHERE a.verdict <> 'accept'),
    count(*) FILTER (WHERE a.verdict <> 'accept' AND a.decision = 'accept'),
    count(*) FILTER (WHERE a.verdict = 'accept'),
    count(*) FILTER (WHERE a.verdict = 'accept' AND a.decision = 'reject')
]::numeric[]
FROM answer AS a, LATERAL (
    SELECT '' AS reason UNION SELECT unnest(a.reason_kinds)
) AS why
WHERE a.is_decided GROUP BY a.whose, why.reason, a.agent"""

_NAMES = """SELECT 'checks', whose, ARRAY['names', reason, agent], ARRAY[
    count(*), count(*) FILTER (WHERE stands <> status),
    count(*) FILTER (WHERE status = 'unverified'),
    count(*) FILTER (WHERE status = 'unverified' AND stands = 'verified'),
    count(*) FILTER (WHERE status = 'verified'),
    count(*) FILTER (WHERE status = 'verified' AND stands = 'unverified')
]::numeric[]
FROM mention WHERE is_decided GROUP BY whose, reason, agent"""

# Claims of work done: the newest decision on one that stands.
_COMPLETION = """SELECT 'checks', a.whose,
    ARRAY['completion', claim.status, a.agent], ARRAY[
    count(*), count(*) FILTER (WHERE said.after <> claim.status),
    count(*) FILTER (WHERE flagged),
    count(*) FILTER (WHERE flagged AND said.after = 'supported'),
    count(*) FILTER (WHERE claim.status = 'supported'),
    count(*) FILTER (
        WHERE claim.status = 'supported'
          AND said.after IN ('contradicted', 'unattempted')
    )
]::numeric[]
FROM answer AS a
CROSS JOIN LATERAL (
    SELECT c.value ->> 'status' AS status, c.place - 1 AS place,
        c.value ->> 'status' IN ('contradicted', 'unattempted') AS flagged
    FROM jsonb_array_elements(a.completion_claims)
        WITH ORDINALITY AS c (value, place)
) AS claim
LEFT JOIN LATERAL (
    SELECT o.after FROM review_override AS o
    WHERE o.item_id = a.item AND o.target = 'claim' AND o.undone_at IS NULL
      AND o.subject -> 'index' = to_jsonb(claim.place)
    ORDER BY o.created_at DESC, o.id LIMIT 1
) AS said ON true
WHERE a.is_decided AND claim.status IS NOT NULL
GROUP BY a.whose, claim.status, a.agent"""

_FACTS = """SELECT 'checks', a.whose, ARRAY['facts', c.reason, a.agent], ARRAY[
    count(*),
    count(*) FILTER (WHERE (c.status, c.human_status) IN (
        ('contradicted', 'right'), ('verified', 'wrong')
    )),
    count(*) FILTER (WHERE c.status = 'contradicted'),
    count(*) FILTER (WHERE c.status = 'contradicted' AND c.human_status = 'right'),
    count(*) FILTER (WHERE c.status = 'verified'),
    count(*) FILTER (WHERE c.status = 'verified' AND c.human_status = 'wrong')
]::numeric[]
FROM answer AS a
JOIN verification_claimverdict AS c ON c.verification_id = a.run
WHERE a.is_decided AND c.status IN ('contradicted', 'verified')
GROUP BY a.whose, c.reason, a.agent"""

OF_DECIDED = {
    "items": _ITEMS,
    "verdict": _VERDICTS,
    "names": _NAMES,
    "completion": _COMPLETION,
    "facts": _FACTS,
}

_OPENED = """SELECT 'opened', date_bin(%(bin)s, item.created_at, %(origin)s), part,
    ARRAY[]::text[],
    ARRAY[count(*), count(*) FILTER (WHERE item.state = 'open')]::numeric[]
FROM review_reviewitem AS item
JOIN ingest_interaction AS i ON i.id = item.interaction_id @part
WHERE item.project_id = %(project)s AND @opened AND @some
GROUP BY 2, part"""

# Gold counts like the answer that it looks like, or the count would tell it.
_DECISIONS = """SELECT 'decisions', date_bin(%(bin)s, at, %(origin)s), part, ARRAY[who],
ARRAY[
    count(*), count(*) FILTER (WHERE changed),
    count(spent) FILTER (WHERE spent BETWEEN 0 AND 7200),
    coalesce(sum(spent) FILTER (WHERE spent BETWEEN 0 AND 7200), 0),
    coalesce(sum(spent * spent) FILTER (WHERE spent BETWEEN 0 AND 7200), 0)
]::numeric[]
FROM (
    SELECT item.interaction_id, item.resolved_at AS at,
        coalesce('user ' || item.resolved_by_id, 'key ' || item.resolved_by_key_id, '')
            AS who,
        item.human_verdict NOT IN ('', judged.verdict) AS changed,
        round(extract(epoch FROM item.resolved_at - item.taken_at)) AS spent
    FROM review_reviewitem AS item
    JOIN verification_verification AS judged ON judged.id = item.verification_id
    WHERE item.project_id = %(project)s AND @resolved
      AND item.state IN ('confirmed', 'overridden') AND item.state <> 'open'
    UNION ALL
    SELECT item.interaction_id, said.given_at, 'user ' || said.reviewer_id,
        said.verdict <> judged.verdict, said.seconds
    FROM review_judgement AS said
    JOIN review_reviewitem AS item ON item.id = said.item_id
    JOIN verification_verification AS judged ON judged.id = item.verification_id
    WHERE said.project_id = %(project)s AND @given
      AND said.kind = 'gold' AND said.state = 'given'
) AS decision
JOIN ingest_interaction AS i ON i.id = decision.interaction_id @part
WHERE @some
GROUP BY 2, part, who"""

_PART = f"""CROSS JOIN LATERAL (SELECT {MODEL} AS model) AS named
CROSS JOIN LATERAL (
    SELECT ARRAY[i.agent_name, i.agent_tier, named.model] AS part
) AS whose"""
BY_THEIR_DAY = {
    section: text.replace("@part", _PART).replace("@some", SOME)
    for section, text in (("opened", _OPENED), ("decisions", _DECISIONS))
}
# What each of them is dated by.
MOMENTS = {
    "@opened": "item.created_at",
    "@resolved": "item.resolved_at",
    "@given": "said.given_at",
}
