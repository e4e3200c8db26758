"""Search evidence for and against a claim: the run, then the project's knowledge."""

import threading
from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from verifyhub.accounts.models import Project
from verifyhub.common.db import connection_of_thread
from verifyhub.common.logs import get_logger
from verifyhub.engine import types
from verifyhub.engine.local_models.embedder import default_embedder
from verifyhub.engine.passages import (
    Candidate,
    Embedder,
    PassageOrigin,
    PassageSearch,
)
from verifyhub.engine.passages import Passage as EnginePassage
from verifyhub.engine.ports import ModelError
from verifyhub.engine.reports import Status
from verifyhub.engine.retrieval.run_search import (
    RunSearch,
    passages_of,
    reciprocal_rank_fusion,
)
from verifyhub.ingest.models import Interaction
from verifyhub.knowledge.models import EmbeddingSpace, Passage
from verifyhub.knowledge.selectors import (
    by_meaning,
    by_words,
    serving_space,
    similarities,
)
from verifyhub.knowledge.services.spaces import embedder_of, mark_due, wanted_space
from verifyhub.knowledge.services.values import storable
from verifyhub.memory.models import MemoryEntry

logger = get_logger(__name__)

# Results of each kind of search, before they are merged.
RANKED = 40
# Results of the run and of the knowledge each, before both are merged.
KEPT = 12


def search_for(
    interaction_row: Interaction,
    engine_interaction: types.Interaction,
    *,
    embedded: bool = True,
) -> PassageSearch:
    """Return a search over the passages of a run and its project's knowledge.

    Args:
        interaction_row: The answer's row; its session's findings are searched as well.
        engine_interaction: The same run as the engine reads it.
        embedded: See `search_in`.
    """
    return search_in(
        interaction_row.project,
        engine_interaction,
        session_id=interaction_row.session_id,
        embedded=embedded,
    )


def search_in(
    project: Project,
    engine_interaction: types.Interaction,
    *,
    session_id: UUID | None = None,
    embedded: bool = True,
) -> PassageSearch:
    """Return the same search for a run without a row, such as a text without a run.

    Args:
        project: The tenant.
        engine_interaction: The run with sources and tool calls.
        session_id: The session whose findings are searched besides shared ones.
        embedded: Whether passages of the run are ranked by meaning too, which takes
            most of the time; local signs only compare words.
    """
    knowledge = _knowledge(project, session_id)
    embedder = knowledge.embedder or default_embedder() if embedded else None
    run = RunSearch(passages_of(engine_interaction), embedder=embedder)
    return JoinedSearch([run, knowledge])


def search_knowledge(*, project: Project, text: str, limit: int) -> list[Candidate]:
    """Search a project's knowledge, without any run; see `PassageSearch.search`."""
    (candidates,) = _knowledge(project, None).search([text], limit=limit)
    return candidates


def _knowledge(project: Project, session_id: UUID | None) -> "ProjectPassages":
    sync_findings(project=project, session_id=session_id)
    if Passage.objects.filter(project=project).exists():
        wanted_space(project)
    space = serving_space(project)
    embedder: Embedder | None = None
    if space is not None:
        try:
            embedder = embedder_of(space)
        except ModelError as error:
            logger.warning("knowledge.words_only", reason=error.reason)
            space = None
    return ProjectPassages(project, session_id, space, embedder)


class ProjectPassages:
    """A `PassageSearch` over one project's rows; threads may share it."""

    def __init__(
        self,
        project: Project,
        session_id: UUID | None,
        space: EmbeddingSpace | None,
        embedder: Embedder | None,
    ) -> None:
        """Bind a project; nothing is read before the first search.

        Args:
            project: The tenant.
            session_id: The session whose findings are searched besides shared ones.
            space: The space of the vectors; None to rank by words alone.
            embedder: The embedder of the space.
        """
        self._project, self._session_id = project, session_id
        self._space, self.embedder = space, embedder
        self._home = threading.get_ident()

    def search(self, claims: Sequence[str], *, limit: int = 3) -> list[list[Candidate]]:
        """Return the best passages of each claim; see `PassageSearch.search`.

        If the embedding model fails, they are ranked by words alone.
        """
        if not claims:
            return []
        with connection_of_thread(self._home):
            vectors = self._vectors(claims)
            return [
                self._candidates(claim, vector, limit)
                for claim, vector in zip(claims, vectors, strict=True)
            ]

    def _vectors(self, claims: Sequence[str]) -> Sequence[Sequence[float] | None]:
        rows = Passage.objects.filter(project=self._project)
        if self.embedder is None or not rows.exists():
            return [None] * len(claims)
        try:
            return self.embedder.embed(claims)
        except ModelError as error:
            logger.warning("knowledge.words_only", reason=error.reason)
            return [None] * len(claims)

    def _candidates(
        self, claim: str, vector: Sequence[float] | None, limit: int
    ) -> list[Candidate]:
        near: dict[int, float] = {}
        if self._space is not None and vector is not None:
            near = by_meaning(
                self._space, vector, limit=RANKED, session=self._session_id
            )
        words = by_words(self._project, claim, limit=RANKED, session=self._session_id)
        fused = reciprocal_rank_fusion(
            [[str(key) for key in ranking] for ranking in (near, words)]
        )
        rows = self._rows([int(key) for key, _ in fused])
        chosen = [(int(key), score) for key, score in fused if int(key) in rows][:limit]
        unknown = [key for key, _ in chosen if key not in near]
        if self._space is not None and vector is not None:
            near |= similarities(self._space, vector, unknown)
        return [
            Candidate(passage=rows[key], score=score, similarity=near.get(key))
            for key, score in chosen
        ]

    def _rows(self, ids: Sequence[int]) -> dict[int, EnginePassage]:
        """Load passages that are still valid: findings must equal their entries."""
        rows = Passage.objects.filter(project=self._project, pk__in=ids).defer("search")
        entries = {
            entry.pk: entry
            for entry in entries_in_force(
                self._project, self._session_id, timezone.now()
            ).filter(pk__in=[row.finding_id for row in rows if row.finding_id])
        }
        passages, stale = {}, []
        for row in rows:
            entry = entries.get(row.finding_id) if row.finding_id else None
            if row.finding_id and (entry is None or as_sentence(entry) != row.text):
                stale.append(row.pk)
            else:
                origin = PassageOrigin(row.origin)
                passages[row.pk] = EnginePassage(
                    id=f"{origin}:{row.pk}",
                    origin=origin,
                    ref=str(row.document_id or row.finding_id),
                    title=row.title,
                    text=row.text,
                    span=(row.start, row.end),
                )
        if stale:
            # The next search creates it again with its new text.
            Passage.objects.filter(project=self._project, pk__in=stale).delete()
        return passages


class JoinedSearch:
    """A `PassageSearch` over several others, with new passage ids."""

    def __init__(self, searches: Sequence[PassageSearch]) -> None:
        self._searches = searches

    def search(self, claims: Sequence[str], *, limit: int = 3) -> list[list[Candidate]]:
        """Return the best of all; see `PassageSearch.search`.

        Ranks of each search count, and the similarity across all of them, since they
        use the same model.
        """
        most = max(KEPT, limit)
        rankings_by_search = [
            search.search(claims, limit=most) for search in self._searches
        ]
        return [
            _joined(rankings, limit)
            for rankings in zip(*rankings_by_search, strict=True)
        ]


def _joined(rankings: Sequence[Sequence[Candidate]], limit: int) -> list[Candidate]:
    by_id = {
        candidate.passage.id: candidate for ranking in rankings for candidate in ranking
    }
    near = [
        candidate for candidate in by_id.values() if candidate.similarity is not None
    ]
    near.sort(
        key=lambda candidate: (-(candidate.similarity or 0.0), candidate.passage.id)
    )
    orders = [*rankings, near]
    fused = reciprocal_rank_fusion(
        [[candidate.passage.id for candidate in order] for order in orders]
    )
    return [
        Candidate(
            passage=by_id[key].passage,
            score=score,
            similarity=by_id[key].similarity,
        )
        for key, score in fused[:limit]
    ]


# Findings of memory become passages when a search needs them.
#
# A session's findings, and shared ones, change with every answer, and most are never
# searched. So they become passages when claims of their session, or a person, first
# search (ADR 0035). Each result is compared with its entry, so that retracted, expired
# and reworded ones are removed at once.

# The newest entries of one search; older ones follow with the next.
MOST = 200


@transaction.atomic
def sync_findings(*, project: Project, session_id: UUID | None) -> int:
    """Create missing passages of a session's active entries; delete stale ones.

    Returns:
        How many passages were created.
    """
    existing = Passage.objects.filter(finding=OuterRef("pk"))
    rows = entries_in_force(project, session_id, timezone.now()).filter(
        ~Exists(existing)
    )
    fresh = [
        _passage(row)
        for row in rows.order_by("-created_at", "-id")[:MOST]
        if row.text.strip()
    ]
    if fresh:
        Passage.objects.bulk_create(fresh, ignore_conflicts=True)
        mark_due(project)
    return len(fresh)


def entries_in_force(project: Project, session_id: UUID | None, now: datetime) -> "Any":
    """Return active entries that support a fact: shared, or of the session."""
    condition = Q(scope=MemoryEntry.Scope.PROJECT)
    if session_id is not None:
        condition |= Q(session_id=session_id)
    return MemoryEntry.objects.filter(
        condition,
        Q(expires_at__isnull=True) | Q(expires_at__gt=now),
        project=project,
        state=MemoryEntry.State.ACTIVE,
        kind__in=(MemoryEntry.Kind.FINDING, MemoryEntry.Kind.CORRECTION),
    )


def as_sentence(entry: MemoryEntry) -> str:
    """Return an entry as a sentence of evidence."""
    name, instead = storable(entry.text).strip(), storable(entry.suggestion).strip()
    if entry.kind == MemoryEntry.Kind.FINDING:
        return f"{name} exists: evidence showed it."
    if entry.mention_status == Status.VERIFIED:
        return f"{name} is right: a reviewer said so."
    if instead:
        return f"{name} is wrong: a reviewer said that {instead} is right."
    return f"{name} is wrong: a reviewer said so."


def _passage(entry: MemoryEntry) -> Passage:
    text = as_sentence(entry)
    shared = entry.scope == MemoryEntry.Scope.PROJECT
    return Passage(
        project_id=entry.project_id,
        origin=Passage.Origin.FINDING,
        finding=entry,
        session_id=None if shared else entry.session_id,
        text=text,
        end=len(text),
    )
