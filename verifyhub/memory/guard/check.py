"""Check a draft for wrong names before it is sent.

The engine extracts the draft's names, which are then looked up by key in indexes. No
process keeps a copy, so drafts are checked against committed rows (ADR 0019).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from uuid import UUID

from django.db import connection
from rapidfuzz.fuzz import ratio
from rapidfuzz.process import extract

from verifyhub.accounts.models import Project
from verifyhub.engine.grounding.suggest import Suggester
from verifyhub.engine.ledger.sources import LedgerSource, LedgerTier
from verifyhub.engine.mentions.extract import NamesOf, family
from verifyhub.engine.text.lookalike import is_disguised, skeleton
from verifyhub.engine.types import Mention, MentionKind, Span
from verifyhub.memory.guard.names import (
    POOLS,
    SYMBOLS,
    SnapshotQuery,
    holds,
    name_key,
    query_of,
)
from verifyhub.memory.models import Constraint, Snapshot

MAX_TEXT_LENGTH = 100_000
# Keys of constraints are truncated to it (`engine.memory.distill`).
MAX_KEY_LENGTH = 500
# Names of one draft for which a similar one is looked up.
MAX_SUGGESTIONS = 50
# Neighbours of a name in the index, on each of four sides, and how many of them, the
# most similar, the engine compares.
NEIGHBOURS = 24
LIKELIEST = 8

# A merged spelling is caught by the constraint that it is merged into.
_CONSTRAINTS = """
SELECT coalesce(main.id, own.id), own.mention_kind, own.mention_key,
coalesce(main.suggestion, own.suggestion)
FROM memory_constraint AS own
LEFT JOIN memory_constraint AS main ON main.id = own.merged_into_id
WHERE own.project_id = %(project)s AND coalesce(main.state, own.state) = %(state)s
AND own.mention_kind = ANY(%(kinds)s) AND own.mention_key = ANY(%(keys)s)
ORDER BY own.mention_kind
"""
_SNAPSHOT_NAMES = """
SELECT pool, key, text FROM memory_snapshotname
WHERE project_id = %(project)s AND pool = ANY(%(pools)s) AND key = ANY(%(keys)s)
"""
_NEIGHBOURS = """
SELECT DISTINCT asked.number, near.pool, near.text
FROM unnest(%(pools)s::text[], %(keys)s::text[])
    WITH ORDINALITY AS asked(pool, key, number)
CROSS JOIN LATERAL (
    (SELECT pool, text FROM memory_snapshotname AS n
     WHERE n.project_id = %(project)s AND n.pool = asked.pool
     AND n.key >= asked.key COLLATE "C" ORDER BY n.key LIMIT %(most)s)
    UNION ALL
    (SELECT pool, text FROM memory_snapshotname AS n
     WHERE n.project_id = %(project)s AND n.pool = asked.pool
     AND n.key < asked.key COLLATE "C" ORDER BY n.key DESC LIMIT %(most)s)
    UNION ALL
    (SELECT pool, text FROM memory_snapshotname AS n
     WHERE n.project_id = %(project)s AND n.pool = asked.pool
     AND reverse(n.key) >= reverse(asked.key) COLLATE "C"
     ORDER BY reverse(n.key) LIMIT %(most)s)
    UNION ALL
    (SELECT pool, text FROM memory_snapshotname AS n
     WHERE n.project_id = %(project)s AND n.pool = asked.pool
     AND reverse(n.key) < reverse(asked.key) COLLATE "C"
     ORDER BY reverse(n.key) DESC LIMIT %(most)s)
) AS near
ORDER BY 1, 2, 3
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftFinding:
    """One occurrence of a wrong name in a draft.

    Attributes:
        span: Half-open, in code points of the draft.
        reason: `constraint`, or `not_in_snapshot`.
        suggestion: The right name, if one is known; hostile text like every name.
        constraint: The constraint that catches the name.
    """

    text: str
    kind: MentionKind
    span: Span
    reason: str
    suggestion: str | None
    constraint: UUID | None = None


@dataclass(frozen=True, slots=True)
class _Ban:
    """An active constraint."""

    id: UUID
    kind: str
    key: str
    suggestion: str


@dataclass(frozen=True, slots=True)
class _Hit:
    query: SnapshotQuery
    constraint: _Ban | None = None


def guard(*, project: Project, text: str) -> tuple[DraftFinding, ...]:
    """Check a draft against active constraints and the project's snapshots.

    Names that the draft negates, proposes or supposes are no findings, nor are names
    of standard libraries. A package or symbol that no snapshot contains is a finding
    only if the project has a whole snapshot of its ecosystem, or of its symbols.

    Returns:
        One finding for each occurrence, in the order of the text. At most four queries.
    """
    return look_up(project, text, NamesOf(text, every_hyphen=True))


def nearest_names(
    project: Project,
    mentions: list[Mention],
    *,
    complete: Iterable[str],
    real: list[str],
) -> dict[Mention, str]:
    """Return the real name most similar to each name that does not exist, if any.

    Args:
        project: The tenant.
        mentions: Names that are known not to exist.
        complete: The pools that the project has a whole snapshot of.
        real: Names known from evidence, in addition to the snapshots.

    Returns:
        The names; one of a snapshot is preferred to one of the evidence. At most one
        query.
    """
    pools = frozenset(complete)
    hits = [
        _Hit(query_of(mention, mention.text, complete=pools, partial=pools))
        for mention in mentions
    ]
    nearest = dict(_suggestions(mentions, real)) if real else {}
    return nearest | (_nearest(project, hits, pools) if pools else {})


def look_up(project: Project, text: str, names: NamesOf) -> tuple[DraftFinding, ...]:
    """Check the names of a text against constraints and snapshots.

    Only for wrong names the text is checked for words that excuse them.
    """
    mentions = list(names.mentions())
    if not mentions:
        return ()
    complete, partial_pools = _pools(project)
    queries = [
        query_of(mention, text, complete=complete, partial=partial_pools)
        for mention in mentions
    ]
    banned = _constraints_on(project, mentions)
    missing = _missing(project, [query for query in queries if query.pools])
    hits = [
        _Hit(query, constraint)
        for query in queries
        if (
            (constraint := banned.get(query.mention))
            and not names.excuse(query.mention)
        )
        or (query in missing and not names.exemption(query.mention))
    ]
    near = _nearest(project, hits, complete)
    findings = [finding for hit in hits for finding in _findings(text, hit, near)]
    return tuple(sorted(findings, key=lambda finding: finding.span))


def _pools(project: Project) -> tuple[frozenset[str], frozenset[str]]:
    """Return the pools with a whole snapshot, and all pools with any names."""
    rows = list(Snapshot.objects.filter(project=project).values_list("pools", "origin"))
    complete = frozenset(pool for pools, _ in rows for pool in pools)
    learned = any(origin == Snapshot.Origin.LEARNED for _, origin in rows)
    return complete, frozenset(POOLS) if learned else complete


def _constraints_on(project: Project, mentions: list[Mention]) -> dict[Mention, _Ban]:
    """Return the active constraint on each mention or on a look-alike of it."""
    families = {family(mention.kind) for mention in mentions}
    with connection.cursor() as cursor:
        cursor.execute(
            _CONSTRAINTS,
            {
                "project": project.pk,
                "state": Constraint.State.ACTIVE.value,
                "kinds": [k.value for k in MentionKind if family(k) in families],
                "keys": list({key for mention in mentions for key in _keys(mention)}),
            },
        )
        rows = [_Ban(*row) for row in cursor.fetchall()]
    exact = {(row.kind, row.key): row for row in rows}
    by_name = {(family(MentionKind(row.kind)), row.key): row for row in rows}
    bans: dict[Mention, _Ban] = {}
    for mention in mentions:
        for key in _keys(mention):
            row = exact.get((mention.kind, key)) or by_name.get(
                (family(mention.kind), key)
            )
            if row is not None:
                bans.setdefault(mention, row)
    return bans


def _keys(mention: Mention) -> list[str]:
    """Return the keys that a constraint on a mention may have, its own first."""
    keys = [mention.key[:MAX_KEY_LENGTH]]
    if is_disguised(mention.key):
        keys.append(skeleton(mention.key)[:MAX_KEY_LENGTH])
    return keys


def _missing(project: Project, queries: list[SnapshotQuery]) -> set[SnapshotQuery]:
    """Return the queries that no snapshot of the project satisfies."""
    if not queries:
        return set()
    names = {name for query in queries for name in query.names}
    with connection.cursor() as cursor:
        cursor.execute(
            _SNAPSHOT_NAMES,
            {
                "project": project.pk,
                "pools": list({pool for pool, _ in names}),
                "keys": list({key for _, key in names}),
            },
        )
        rows = cursor.fetchall()
    texts: dict[tuple[str, str], set[str]] = {}
    for pool, key, text in rows:
        texts.setdefault((pool, key), set()).add(text)
    return {
        query
        for query in queries
        if not any(
            holds(query, name[0], text)
            for name in query.names
            for text in texts.get(name, ())
        )
    }


def _nearest(
    project: Project, hits: list[_Hit], complete: Iterable[str]
) -> dict[Mention, str]:
    """Return the real name most similar to each wrong one, if there is one.

    The index yields the names with the most similar beginnings or ends; the engine
    selects among them by the same rule as for names of a trace.
    """
    open_ = [
        hit.query
        for hit in hits
        if hit.query.near and not (hit.constraint and hit.constraint.suggestion)
    ][:MAX_SUGGESTIONS]
    asked = [
        (pool, name_key(pool, query.near))
        for query in open_
        for pool in query.pools or _pools_of(query, complete)
    ]
    if not asked:
        return {}
    pools, keys = [pool for pool, _ in asked], [key for _, key in asked]
    with connection.cursor() as cursor:
        cursor.execute(
            _NEIGHBOURS,
            {"project": project.pk, "pools": pools, "keys": keys, "most": NEIGHBOURS},
        )
        rows = _likeliest(keys, cursor.fetchall())
    nearest: dict[Mention, str] = {}
    for symbols in (False, True):
        names = [text for pool, text in rows if (pool == SYMBOLS) is symbols]
        same = [query.mention for query in open_ if (SYMBOLS in query.pools) is symbols]
        nearest.update(_suggestions(same, names))
    return nearest


def _likeliest(
    keys: list[str], rows: list[tuple[int, str, str]]
) -> list[tuple[str, str]]:
    """Select the neighbours most similar to each key; rows give its number, from 1."""
    likeliest: dict[tuple[str, str], None] = {}
    for number, own in groupby(rows, key=itemgetter(0)):
        near = [(pool, text) for _, pool, text in own]
        texts = [text.lower() for _, text in near]
        best = extract(keys[number - 1].lower(), texts, scorer=ratio, limit=LIKELIEST)
        likeliest.update(dict.fromkeys(near[at] for _, _, at in best))
    return sorted(likeliest)


def _pools_of(query: SnapshotQuery, complete: Iterable[str]) -> list[str]:
    asked_pools = {pool for pool, _ in query.names}
    return [pool for pool in POOLS if pool in asked_pools and pool in complete]


def _suggestions(
    mentions: list[Mention], names: list[str]
) -> Iterator[tuple[Mention, str]]:
    # With a bracket after it a name counts as callable, as in a definition.
    text = "\n".join(f"{name} {name}(" for name in names)
    source = LedgerSource(tool_call=0, field="", text=text, tier=LedgerTier.OBSERVED)
    suggester = Suggester(mentions, [source])
    full_names = {
        last: name
        for name in reversed(names)
        for last in (name.replace("/", ".").split(".")[-1], name)
    }
    for mention in mentions:
        suggestion = suggester.nearest(mention).suggestion
        if suggestion in full_names:
            yield mention, full_names[suggestion]


def _findings(text: str, hit: _Hit, near: dict[Mention, str]) -> Iterator[DraftFinding]:
    mention, constraint = hit.query.mention, hit.constraint
    suggestion = constraint.suggestion if constraint else ""
    for start, end in mention.spans:
        yield DraftFinding(
            text=text[start:end],
            kind=mention.kind,
            span=(start, end),
            reason="constraint" if constraint else "not_in_snapshot",
            suggestion=suggestion or near.get(mention),
            constraint=constraint.id if constraint else None,
        )
