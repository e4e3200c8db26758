"""SQL that counts decisions: on answers received in a period, and by their own day.

The first sections read the relations of `answers_sql.ANSWERS`.
"""

from dataclasses import replace

from verifyhub.metrics.counting.answers_sql import MODEL, SOME
from verifyhub.metrics.counting.section import CountQuery, where

# Review items of answers received that day.
_ITEMS = CountQuery(
    "items",
    {
        "open": where("state = 'open'"),
        "decided": where("is_decided"),
        "overridden": where("is_decided AND human_verdict NOT IN ('', judged)"),
        "wrong": where("is_decided AND final_verdict = 'reject'"),
    },
    """SELECT @name, whose, ARRAY[agent], @numbers
FROM item GROUP BY whose, agent""",
)


def _of_check(
    select: str, *, changed: str, flagged: str, cleared: str, passed: str, missed: str
) -> CountQuery:
    """Return the decisions on one check's results, with a condition for each number."""
    numbers = {
        "decided": "count(*)",
        "changed": where(changed),
        "flagged": where(flagged),
        "cleared": where(cleared),
        "passed": where(passed),
        "missed": where(missed),
    }
    return CountQuery("checks", numbers, select)


# By each reason of the review item, and once without a reason.
_VERDICTS = _of_check(
    """SELECT @name, a.whose,
    ARRAY['verdict', why.reason, a.agent], @numbers
FROM answer AS a, LATERAL (
    SELECT '' AS reason UNION SELECT unnest(a.reason_kinds)
) AS why
WHERE a.is_decided GROUP BY a.whose, why.reason, a.agent""",
    changed="a.decision <> a.verdict",
    flagged="a.verdict <> 'accept'",
    cleared="a.verdict <> 'accept' AND a.decision = 'accept'",
    passed="a.verdict = 'accept'",
    missed="a.verdict = 'accept' AND a.decision = 'reject'",
)

_NAMES = _of_check(
    """SELECT @name, whose, ARRAY['names', reason, agent], @numbers
FROM mention WHERE is_decided GROUP BY whose, reason, agent""",
    changed="stands <> status",
    flagged="status = 'unverified'",
    cleared="status = 'unverified' AND stands = 'verified'",
    passed="status = 'verified'",
    missed="status = 'verified' AND stands = 'unverified'",
)

# Claims of work done: the newest current decision on each.
_COMPLETION = _of_check(
    """SELECT @name, a.whose,
    ARRAY['completion', claim.status, a.agent], @numbers
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
) AS reviewed ON true
WHERE a.is_decided AND claim.status IS NOT NULL
GROUP BY a.whose, claim.status, a.agent""",
    changed="reviewed.after <> claim.status",
    flagged="flagged",
    cleared="flagged AND reviewed.after = 'supported'",
    passed="claim.status = 'supported'",
    missed=(
        "claim.status = 'supported'"
        " AND reviewed.after IN ('contradicted', 'unattempted')"
    ),
)

_FACTS = _of_check(
    """SELECT @name, a.whose, ARRAY['facts', c.reason, a.agent], @numbers
FROM answer AS a
JOIN verification_claimverdict AS c ON c.verification_id = a.run
WHERE a.is_decided AND c.status IN ('contradicted', 'verified')
GROUP BY a.whose, c.reason, a.agent""",
    changed=(
        "(c.status, c.human_status) IN (('contradicted', 'right'), ('verified',"
        " 'wrong'))"
    ),
    flagged="c.status = 'contradicted'",
    cleared="c.status = 'contradicted' AND c.human_status = 'right'",
    passed="c.status = 'verified'",
    missed="c.status = 'verified' AND c.human_status = 'wrong'",
)

OF_DECIDED = (_ITEMS, _VERDICTS, _NAMES, _COMPLETION, _FACTS)

# By the day of opening: items opened, and those still open.
_OPENED = CountQuery(
    "opened",
    {
        "opened": "count(*)",
        "open": where("item.state = 'open'"),
    },
    """SELECT @name, date_bin(%(bin)s, item.created_at, %(origin)s), part,
    ARRAY[]::text[], @numbers
FROM review_reviewitem AS item
JOIN ingest_interaction AS i ON i.id = item.interaction_id @part
WHERE item.project_id = %(project)s AND @opened AND @some
GROUP BY 2, part""",
)

# By the day of the decision and reviewer: decisions, and seconds of timed ones. Gold
# counts like any answer, or the count would reveal it.
_DECISIONS = CountQuery(
    "decisions",
    {
        "decisions": "count(*)",
        "changed": where("changed"),
        "timed": "count(spent) FILTER (WHERE spent BETWEEN 0 AND 7200)",
        "seconds": "coalesce(sum(spent) FILTER (WHERE spent BETWEEN 0 AND 7200), 0)",
        "seconds_squared": (
            "coalesce(sum(spent * spent) FILTER (WHERE spent BETWEEN 0 AND 7200), 0)"
        ),
    },
    """SELECT @name, date_bin(%(bin)s, at, %(origin)s), part, ARRAY[who],
@numbers
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
    SELECT item.interaction_id, judgement.given_at, 'user ' || judgement.reviewer_id,
        judgement.verdict <> judged.verdict, judgement.seconds
    FROM review_judgement AS judgement
    JOIN review_reviewitem AS item ON item.id = judgement.item_id
    JOIN verification_verification AS judged ON judged.id = item.verification_id
    WHERE judgement.project_id = %(project)s AND @given
      AND judgement.kind = 'gold' AND judgement.state = 'given'
) AS decision
JOIN ingest_interaction AS i ON i.id = decision.interaction_id @part
WHERE @some
GROUP BY 2, part, who""",
)

_PART = f"""CROSS JOIN LATERAL (SELECT {MODEL} AS model) AS named
CROSS JOIN LATERAL (
    SELECT ARRAY[i.agent_name, i.agent_tier, named.model] AS part
) AS whose"""
OF_ACTS = tuple(
    replace(one, select=one.select.replace("@part", _PART).replace("@some", SOME))
    for one in (_OPENED, _DECISIONS)
)
# The time of each.
MOMENTS = {
    "@opened": "item.created_at",
    "@resolved": "item.resolved_at",
    "@given": "judgement.given_at",
}
