"""Corrections of names across all sessions of a project; the latest one counts.

Spellings of a package are one name (`mind_auth` and `mind-auth`). Other names are one
only if a lead merged them: `my_file.py` for `my-file.py` is often the very error that a
correction is about.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from verifyhub.common.prepared import Place, PreparedQuery, prepared_cursor
from verifyhub.engine.memory.right_names import is_right_name
from verifyhub.engine.memory.spelling import NameSpelling
from verifyhub.engine.memory.voices import people
from verifyhub.engine.reports import Status
from verifyhub.engine.types import MentionKind
from verifyhub.memory.models import Constraint, MemoryEntry, folded, is_folded_like
from verifyhub.memory.services.changes import Name, name_of

# A superseded correction is active again once the later one is retracted.
NOT_RETRACTED = (MemoryEntry.State.ACTIVE, MemoryEntry.State.SUPERSEDED)
# The first key of the advisory lock, different from every other lock's.
_LOCK_SPACE = 0x6D656D


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanVerdict:
    """The latest valid correction of a name."""

    status: str
    at: datetime


def hold_words(project_id: UUID, *, change: bool) -> None:
    """Lock the corrections of a project until the transaction ends.

    Answers that are remembered share the lock; a change of corrections (`change`)
    excludes them. So no entry is written beside a correction that it contradicts.
    """
    verb = "pg_advisory_xact_lock" + ("" if change else "_shared")
    with prepared_cursor() as cursor:
        cursor.execute(
            f"SELECT {verb}(%s, hashtext(%s))",
            [_LOCK_SPACE, str(project_id)],
        )


@dataclass(frozen=True, kw_only=True)
class NameCorrections:
    """The corrections of some names, and which of these names are merged.

    Attributes:
        merged: Names that a lead merged, each with the one it was merged into.
        apart: Packages, folded, whose spelling matters by a person's decision: "use
            `a-b`; there is no `a_b`".
        corrections: The valid or outranked corrections, oldest first.
        requested: The names that were requested.
    """

    merged: Mapping[Name, Name]
    apart: frozenset[Name]
    corrections: tuple[MemoryEntry, ...]
    requested: frozenset[Name] = frozenset()

    @classmethod
    def covering(
        cls, loaded: "NameCorrections | None", project_id: UUID, names: Collection[Name]
    ) -> "NameCorrections":
        """Return the loaded corrections if they cover all names; else read them.

        Only for callers that hold the lock of `hold_words`.
        """
        if loaded is not None and all(
            loaded.head(name) in loaded._requested_heads for name in names
        ):
            return loaded
        return cls.of(project_id, names)

    @classmethod
    def of(cls, project_id: UUID, names: Collection[Name]) -> "NameCorrections":
        """Read the corrections of some names: two queries unless names are merged."""
        if not names:
            return cls(merged={}, apart=frozenset(), corrections=())
        merged = _merged(project_id, names)
        corrections = cls(
            merged=merged, apart=frozenset(), corrections=(), requested=frozenset(names)
        )
        rows = _CORRECTED(project=project_id, keys=_keys(corrections.spellings(names)))
        apart = frozenset(_fold(name_of(row)) for row in rows if _is_of_spelling(row))
        corrections = replace(corrections, apart=apart)
        heads = {corrections.head(name) for name in names}
        return replace(
            corrections,
            corrections=tuple(
                row for row in rows if corrections.head(name_of(row)) in heads
            ),
        )

    def head(self, name: Name) -> Name:
        """Return the name that represents all names merged with it.

        A spelling of a name may itself be merged into another one, so merges form
        chains, and in rare cases a cycle: then its first name represents all.
        """
        path = [self._own(name)]
        while (into := self._merged_into.get(path[-1])) is not None:
            if into in path:
                return min(path[path.index(into) :])
            path.append(into)
        return path[-1]

    @cached_property
    def _merged_into(self) -> Mapping[Name, Name]:
        return {
            self._own(spelling): self._own(into)
            for spelling, into in self.merged.items()
        }

    @cached_property
    def _requested_heads(self) -> Collection[Name]:
        return {self.head(name) for name in self.requested}

    def _own(self, name: Name) -> Name:
        folded = _fold(name)
        return name if folded in self.apart else folded

    def spellings(self, names: Iterable[Name]) -> set[Name]:
        """Return some names and those merged with them, each as it is spelt."""
        names = set(names)
        heads = {self.head(name) for name in names}
        every = {*self.merged, *self.merged.values()}
        return names | {name for name in every if self.head(name) in heads}

    @cached_property
    def by_head(self) -> Mapping[Name, list[MemoryEntry]]:
        """The corrections by the name that they are about."""
        by_head: dict[Name, list[MemoryEntry]] = defaultdict(list)
        for row in self.corrections:
            by_head[self.head(name_of(row))].append(row)
        return dict(by_head)

    def words(
        self,
        names: Collection[Name],
        *,
        session: UUID | None = None,
        answer: UUID | None = None,
    ) -> dict[Name, HumanVerdict]:
        """Return the latest correction of each name that has one.

        Args:
            names: The names.
            session: The session; None for what applies to every session.
            answer: The answer in question, which may have no session.
        """
        verdicts = {
            name: last_word(self.by_head.get(self.head(name), ()), session, answer)
            for name in names
        }
        return {name: word for name, word in verdicts.items() if word is not None}

    def doubted(self, names: Collection[Name]) -> set[Name]:
        """Return names that are shared as wrong although a reviewer confirmed them.

        Others have not confirmed them yet.
        """
        return {
            name
            for name in names
            if any(
                row.mention_status == Status.VERIFIED
                for row in _waiting(self.by_head.get(self.head(name), ()))
            )
        }

    def waiting(self) -> set[Name]:
        """Return names with a shared correction that others must still confirm."""
        return {
            name_of(row) for rows in self.by_head.values() for row in _waiting(rows)
        }


def last_word(
    rows: Sequence[MemoryEntry], session: UUID | None, answer: UUID | None = None
) -> HumanVerdict | None:
    """Return the latest correction that reaches a session; None for none."""
    for row in reversed(rows):
        if reaches(row, session, answer):
            return HumanVerdict(status=row.mention_status, at=row.created_at)
    return None


def reaches(row: MemoryEntry, session: UUID | None, answer: UUID | None = None) -> bool:
    """Whether a correction applies in a session: its own session's, or a shared one."""
    if row.reach != MemoryEntry.Reach.SESSION:
        return True
    in_session = session is not None and row.session_id == session
    return in_session or (answer is not None and row.interaction_id == answer)


def _waiting(rows: Sequence[MemoryEntry]) -> list[MemoryEntry]:
    """Return the latest correction of each person that others must still confirm."""
    last = {person: row for row in rows for person in people(row.voices or ())}
    waiting = [row for row in last.values() if row.reach == MemoryEntry.Reach.SESSION]
    return list(dict.fromkeys(waiting))


def is_one_of(
    names: Collection[Name], name_corrections: NameCorrections, prefix: str = ""
) -> Q:
    """Return a filter for rows with alias `folded`: some names, in any spelling.

    Args:
        names: The names.
        name_corrections: Knows the packages whose spelling matters.
        prefix: The relation that leads to the row with the name, such as
            `constraint__`.
    """
    kind, key = f"{prefix}mention_kind", f"{prefix}mention_key"
    packages = {
        name
        for name in names
        if name[0] == MentionKind.PACKAGE and _fold(name) not in name_corrections.apart
    }
    condition = Q()
    if packages:
        # The condition of the index on folded packages.
        condition |= Q((kind, MentionKind.PACKAGE.value)) & is_spelt_like(packages)
    keys: dict[str, set[str]] = defaultdict(set)
    for name_kind, name_key in set(names) - packages:
        keys[name_kind].add(name_key)
    for name_kind, name_keys in keys.items():
        condition |= Q((kind, name_kind), (f"{key}__in", name_keys))
    return condition


def is_spelt_like(names: Iterable[Name]) -> Q:
    """Return a filter for rows with alias `folded`: names, ignoring `-_. ` and case."""
    return Q(is_folded_like("folded", _keys(names)))


def _fold(name: Name) -> Name:
    return NameSpelling(*name).folded


def _is_of_spelling(row: MemoryEntry) -> bool:
    right = (row.mention_kind, row.suggestion)
    return bool(row.suggestion) and _fold(right) == _fold(name_of(row)) != right


def _merges(project: Place, keys: Place) -> QuerySet[Constraint, Any]:
    return (
        Constraint.objects.filter(project=project, merged_into__isnull=False)
        .alias(
            own=folded("mention_key"),
            into=folded("merged_into__mention_key"),
            beside=folded("merged_into__merged__mention_key"),
        )
        .filter(
            Q(is_folded_like("own", keys))
            | Q(is_folded_like("into", keys))
            | Q(is_folded_like("beside", keys))
        )
        .values_list(
            "mention_kind",
            "mention_key",
            "merged_into__mention_kind",
            "merged_into__mention_key",
        )
        .distinct()
    )


def _corrected(project: Place, keys: Place) -> QuerySet[MemoryEntry]:
    rows = (
        MemoryEntry.objects.filter(
            project=project, kind=MemoryEntry.Kind.CORRECTION, state__in=NOT_RETRACTED
        )
        .exclude(mention_key="")
        .alias(folded=folded("mention_key"))
        .filter(Q(is_folded_like("folded", keys)))
    )
    return rows.order_by("created_at", "id")


_MERGES, _CORRECTED = PreparedQuery(_merges), PreparedQuery(_corrected)


def _merged(project_id: UUID, names: Collection[Name]) -> dict[Name, Name]:
    """Read the merges of some names, and of those merged with them, in any spelling."""
    merged: dict[Name, Name] = {}
    unread, read = set(_keys(names)), set[str]()
    while unread:
        rows = _MERGES(project=project_id, keys=sorted(unread))
        merged |= {(kind, key): (of_kind, into) for kind, key, of_kind, into in rows}
        read |= unread
        unread = {key for pair in merged.items() for _, key in pair} - read
    return merged


def _keys(names: Iterable[Name]) -> list[str]:
    return sorted({key for _, key in names})


NO_RIGHT_NAME = _("Enter one name of its kind, as it is written, not a sentence.")

UNKNOWN_NAME = _(
    "No tool call of this project has shown this name. Add it as a correction in shared"
    " memory, and have a second person approve it."
)


class SuggestionError(ValueError):
    """The text is not a name of its kind, so it cannot be suggested to agents."""


def check_right_name(kind: str, suggestion: str) -> str:
    """Return a right name without surrounding white space; empty for none.

    Raises:
        SuggestionError: If it is no name of the kind.
    """
    suggestion = suggestion.strip()
    if suggestion and not is_right_name(kind, suggestion):
        raise SuggestionError(str(NO_RIGHT_NAME))
    return suggestion
