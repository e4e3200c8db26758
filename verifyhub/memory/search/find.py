"""Search memory by words, by similar names, and by filters.

Misspelt names are found by their trigrams: `mind_auht` finds `mind-auth`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from heapq import nlargest
from typing import Any
from uuid import UUID

from django.contrib.postgres.lookups import TrigramWordSimilar
from django.contrib.postgres.search import (
    SearchQuery,
    SearchRank,
    SearchVectorExact,
    TrigramWordSimilarity,
)
from django.db.models import Exists, F, Model, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Greatest
from django.db.models.lookups import Contains

from verifyhub.accounts.models import Project
from verifyhub.ingest.models import Interaction
from verifyhub.memory.models import Constraint, MemoryEntry
from verifyhub.memory.models.search_expressions import searched_text, words

CONSTRAINT = "constraint"
# At most so many matching rows are ranked, the newest.
MAX_CANDIDATES = 10_000
MAX_RANKED = 500
# If fewer rows contain the text, similar names are looked for as well.
FEW = 50
# A shorter text has no trigram.
MIN_NAME = 3
MAX_TEXT = 200

_JOINTS = re.compile(r"(?<=\S)-|[/._:@]")
_OPERATORS = re.compile(r'["\s]|^-')


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchFilters:
    """Filters of a search; empty values do not filter.

    Attributes:
        text: Search terms: words, "a phrase", or, -not.
        kind: A kind of entry, or `constraint`.
        state: Of an entry or of a constraint.
        scope: `session`, or `project` for what is shared with every session.
        session: The client's name of the session.
        answer: The interaction that it was learned from.
        since: When it was learned at the earliest (aware).
        until: When it was learned, exclusive (aware).
    """

    text: str = ""
    kind: str = ""
    state: str = ""
    scope: str = ""
    session: str = ""
    agent: str = ""
    grade: str = ""
    source: str = ""
    answer: UUID | None = None
    since: datetime | None = None
    until: datetime | None = None

    @property
    def only_entries(self) -> bool:
        """Whether a filter is set that constraints do not have."""
        return bool(
            self.scope == MemoryEntry.Scope.SESSION
            or self.session
            or self.agent
            or self.grade
            or self.source
            or self.answer
        )


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A row that matches, and how well; higher is better."""

    rank: float
    created_at: datetime
    pk: UUID
    model: type[MemoryEntry] | type[Constraint]


def entries(
    project: Project, filters: SearchFilters, *, near: bool = True
) -> QuerySet[MemoryEntry]:
    """Return the entries that match, unordered; see `matches` for `near`."""
    if filters.kind == CONSTRAINT:
        return MemoryEntry.objects.none()
    values = {
        "kind": filters.kind,
        "state": filters.state,
        "scope": filters.scope,
        "session__key": filters.session,
        "grade": filters.grade,
        "source": filters.source,
        "interaction_id": filters.answer,
    }
    rows = MemoryEntry.objects.filter(
        project=project, **{field: value for field, value in values.items() if value}
    )
    rows = _within(rows, filters)
    if filters.agent:
        sent = Interaction.objects.filter(
            id=OuterRef("interaction_id"), project=project, agent_name=filters.agent
        )
        rows = rows.filter(Exists(sent))
    return rows.filter(matches(filters.text, near=near)) if filters.text else rows


def constraints(
    project: Project, filters: SearchFilters, *, near: bool = True
) -> QuerySet[Constraint]:
    """Return the constraints that match, unordered; see `matches` for `near`."""
    if filters.kind not in {"", CONSTRAINT} or filters.only_entries:
        return Constraint.objects.none()
    rows = _within(Constraint.objects.filter(project=project), filters)
    if filters.state:
        rows = rows.filter(state=filters.state)
    return rows.filter(matches(filters.text, near=near)) if filters.text else rows


def _within(rows: QuerySet[Any], filters: SearchFilters) -> QuerySet[Any]:
    if filters.since:
        rows = rows.filter(created_at__gte=filters.since)
    return rows.filter(created_at__lt=filters.until) if filters.until else rows


def matches(text: str, *, near: bool = True) -> Q:
    """Return a filter for rows that match a search text.

    Args:
        text: The search terms.
        near: Whether rows with a similar name match too.
    """
    of_words = Q(SearchVectorExact(words(), _query(text)))
    name = name_in(text)
    if not name:
        return of_words
    # The cheaper condition first: rows from the index are rechecked.
    holds = Q(Contains(searched_text(), name.upper())) | of_words
    similar = TrigramWordSimilar(searched_text(), Value(name.upper()))
    return holds | Q(similar) if near else holds


def name_in(text: str) -> str:
    """Return the text if it is a single name, to find similar ones; else empty."""
    text = text.strip()
    letters = sum(character.isalnum() for character in text)
    return "" if _OPERATORS.search(text) or letters < MIN_NAME else text


def _query(text: str) -> SearchQuery:
    taken_apart = _JOINTS.sub(" ", text)
    return SearchQuery(taken_apart, config="simple", search_type="websearch")


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """The results of a search, best first; `is_cut` if older rows match as well."""

    hits: list[SearchHit]
    is_cut: bool


def search(project: Project, filters: SearchFilters) -> SearchResult:
    """Rank the matches of a text, entries and constraints together.

    A few queries, each with a bounded number of rows. Similar names are looked for
    only if few rows contain the text itself: where agents invent many names of one
    kind, all of them are similar.
    """
    hits: list[SearchHit] = []
    is_cut = False
    for find in (entries, constraints):
        rows: QuerySet[Any] = find(project, filters, near=False)
        newest, more = _candidates(rows)
        if len(newest) < FEW and name_in(filters.text):
            newest, more = _candidates(find(project, filters))
        is_cut = is_cut or more
        hits.extend(_ranked(rows.model, newest, filters.text))
    hits.sort(key=lambda hit: (hit.rank, hit.created_at, hit.pk), reverse=True)
    return SearchResult(hits=hits, is_cut=is_cut)


def _candidates(rows: QuerySet[Any]) -> tuple[list[UUID], bool]:
    """Return the newest rows that match, and whether there are more.

    First without an order: with one, the planner may scan all rows from the newest on
    for a rare word.
    """
    newest_matches = list(
        rows.order_by().values_list("created_at", "pk")[: MAX_CANDIDATES + 1]
    )
    if len(newest_matches) > MAX_CANDIDATES:
        newest = rows.order_by("-created_at", "-pk").values_list("pk", flat=True)
        return list(newest[:MAX_RANKED]), True
    return [pk for _, pk in nlargest(MAX_RANKED, newest_matches)], len(
        newest_matches
    ) > MAX_RANKED


def _ranked(model: type[Model], ids: list[UUID], text: str) -> Iterator[SearchHit]:
    rank: Any = SearchRank(words(), _query(text))
    if name := name_in(text):
        rank = Greatest(rank, TrigramWordSimilarity(name.upper(), searched_text()))
    rows = model._default_manager.filter(pk__in=ids).annotate(rank=rank)
    for score, created_at, pk in rows.values_list("rank", "created_at", "pk"):
        yield SearchHit(score, created_at, pk, model)  # type: ignore[arg-type]


def rows_of(project: Project, hits: list[SearchHit]) -> list[MemoryEntry | Constraint]:
    """Load the rows of some hits, in their order."""
    ids = [hit.pk for hit in hits]
    loaded: dict[UUID, MemoryEntry | Constraint] = {
        row.pk: row
        for row in MemoryEntry.objects.filter(
            project=project, pk__in=ids
        ).select_related("session")
    }
    loaded |= {
        row.pk: row for row in Constraint.objects.filter(project=project, pk__in=ids)
    }
    return [loaded[pk] for pk in ids if pk in loaded]


def newest(project: Project, filters: SearchFilters) -> QuerySet[Any]:
    """Return the rows that match a search without a text, newest first."""
    rows: QuerySet[Any] = (
        constraints(project, filters)
        if filters.kind == CONSTRAINT
        else entries(project, filters).select_related("session")
    )
    return rows.order_by(F("created_at").desc(), F("pk").desc())
