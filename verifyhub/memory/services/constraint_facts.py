"""Read the facts that states of constraints are derived from, in a few queries."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypeAlias
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import CharField, Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Cast, Coalesce, Greatest

from verifyhub.accounts.models import ApiKey, Project
from verifyhub.common.prepared import Place, PreparedQuery
from verifyhub.engine.memory.lifecycle import (
    PROVING_GRADES,
    Known,
    UnsupportedUse,
    recurred_at,
)
from verifyhub.engine.thresholds import Thresholds
from verifyhub.memory.models import Constraint, Sighting
from verifyhub.memory.services.changes import Name, name_of
from verifyhub.memory.services.counters import (
    AddedCounts,
    Counted,
    Groups,
    RemovedCounts,
    counters_of,
    first_of,
    grouped,
    spellings,
)
from verifyhub.memory.services.settle_names import settle_reach, valid_findings
from verifyhub.memory.services.words import HumanVerdict, NameCorrections

# Most names with many sightings meet the rule within the first of them.
FIRST_READ = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Facts about some constraints and the names merged into them."""

    names: Mapping[UUID, Collection[Name]]
    words: Mapping[Name, HumanVerdict]
    # Names that a reviewer calls right, to which others have not agreed yet.
    doubted: Collection[Name]
    # When evidence of a proving grade last held the name; None for lesser evidence.
    findings: Mapping[Name, datetime | None]
    counters: Mapping[UUID, Counted]
    recurred: Mapping[UUID, datetime | None]

    @classmethod
    def load(
        cls,
        project: Project,
        constraints: list[Constraint],
        rule: Thresholds,
        *,
        corrections: NameCorrections | None,
        added: AddedCounts | None,
        removed: RemovedCounts | None = None,
    ) -> "Facts":
        """Read the facts.

        Args:
            project: The tenant.
            constraints: Locked by the caller.
            rule: The project's thresholds.
            corrections: What people said of the names, if the caller has read it.
            added: New sightings, if none was removed: names that have met the rule
                are then not checked again.
            removed: Deleted sightings, if nothing else changed.
        """
        names, merged, findings = _names_and_findings(project, constraints)
        every = {name for group in names.values() for name in group}
        corrections = NameCorrections.covering(corrections, project.id, every)
        settle_reach(project, corrections, actor=None, only_waiting=added is not None)
        words = corrections.words(every)
        counters = counters_of(constraints, merged, added, removed, names)
        undecided = {
            row.id: merged.get(row.id, ())
            for row in constraints
            if not any(name in words or name in findings for name in names[row.id])
        }
        recurred = {row.id: row.shadow_at for row in constraints}
        if added is None:
            recurred |= recurred_of(undecided, counters, rule)
        else:
            waiting = {
                row.id: undecided[row.id]
                for row in constraints
                if row.id in undecided
                and row.shadow_at is None
                and added.answers.keys() & {row.id, *undecided[row.id]}
            }
            recurred |= recurred_with(waiting, counters, rule, at=added.at)
        return cls(
            names=names,
            words=words,
            doubted=corrections.doubted(every),
            findings=findings,
            counters=counters,
            recurred=recurred,
        )

    def of(self, constraint: Constraint) -> Known:
        """Return the facts about one constraint."""
        group = self.names[constraint.id]
        words = [self.words[name] for name in group if name in self.words]
        word = max(words, key=lambda word: word.at, default=None)
        findings = [self.findings[name] for name in group if name in self.findings]
        in_force = (
            constraint.state == Constraint.State.ACTIVE
            and constraint.origin == Constraint.Origin.RECURRENCE
        )
        return Known(
            word=word.status if word else None,
            word_at=word.at if word else None,
            doubted=any(name in self.doubted for name in group),
            found=bool(findings),
            proven_at=max((at for at in findings if at), default=None),
            supported=constraint.id in self.counters,
            recurred_at=self.recurred[constraint.id],
            # A longer shadow period does not deactivate an active constraint.
            confirmed=constraint.confirmed_at is not None or in_force,
        )


def _names_and_findings(
    project: Project, constraints: Iterable[Constraint]
) -> tuple[dict[UUID, set[Name]], dict[UUID, set[UUID]], dict[Name, datetime | None]]:
    """Read the names of some constraints, merged ones included, and their findings.

    One query; its cost does not depend on how often a name was found.

    Returns:
        Each constraint's names; the constraints merged into it; and the names with
        findings, each with the time of its latest finding of a proving grade.
    """
    names = {row.id: {name_of(row)} for row in constraints}
    merged: dict[UUID, set[UUID]] = defaultdict(set)
    findings: dict[Name, datetime | None] = {}
    for key, main, kind, name, shown, proven in _GROUPS(
        project=project.id, ids=list(names)
    ):
        if main in names:
            names[main].add((kind, name))
            merged[main].add(key)
        if shown:
            findings[kind, name] = proven
    return names, dict(merged), findings


def _groups(project: Place, ids: Place) -> QuerySet[Constraint, Any]:
    findings = valid_findings(project).filter(
        mention_kind=OuterRef("mention_kind"), mention_key=OuterRef("mention_key")
    )
    # One subquery a grade: each reads the end of an index, however many findings of
    # lower grades there are.
    proven_at = (
        Subquery(
            findings.filter(grade=grade)
            .order_by("-created_at")
            .values("created_at")[:1]
        )
        for grade in PROVING_GRADES
    )
    rows = Constraint.objects.filter(Q(id__any_of=ids) | Q(merged_into__any_of=ids))
    return rows.values_list(
        "id",
        "merged_into_id",
        "mention_kind",
        "mention_key",
        Exists(findings),
        Greatest(*proven_at),
    )


_GROUPS = PreparedQuery(_groups)


Recurred: TypeAlias = dict[UUID, datetime | None]


def recurred_of(
    groups: Groups, counters: Mapping[UUID, Counted], rule: Thresholds
) -> Recurred:
    """Return when names first recurred; None for those that have not.

    Sightings of names whose counters cannot satisfy the rule are not read. Of other
    names the first sightings are read, and all of them only if the first do not
    satisfy the rule: a million sightings usually cost no more than a hundred.

    Args:
        groups: Constraints, each with the names merged into it.
        counters: Their counters as they are now.
        rule: The project's thresholds.
    """
    possible = _possible(groups, counters, rule)
    first = _first_sightings(possible, rule)
    recurred = {key: recurred_at(seen, rule) for key, (seen, _) in first.items()}
    rest = {
        key: possible[key]
        for key, (_, is_all) in first.items()
        if recurred[key] is None and not is_all
    }
    sightings = _sightings_by_constraint(grouped(rest)) if rest else {}
    later = {key: recurred_at(sightings.get(key, ()), rule) for key in rest}
    return dict.fromkeys(groups) | recurred | later


def _first_sightings(
    groups: Groups, rule: Thresholds
) -> dict[UUID, tuple[list[UnsupportedUse], bool]]:
    """Return the first sightings of each group, and whether these are all.

    If a name has more sightings than are read, those of the names merged with it are
    cut at the same time: there is no gap before the last one that is returned.
    """
    if not groups:
        return {}
    most = max(FIRST_READ, rule.recurrence_interactions)
    sightings = Sighting.objects.filter(constraint=OuterRef("pk"), counts=True)
    # From the end of an index.
    in_order = sightings.order_by("seen_at", "id")
    rows = Constraint.objects.filter(id__in=spellings(groups)).values_list(
        "id",
        ArraySubquery(in_order.values("id")[:most]),
        Subquery(in_order.values("seen_at")[most - 1 : most]),
    )
    ends, ids = {}, []
    for key, own, end in rows:
        ids += own
        if end is not None:
            ends[key] = end
    read = _sightings_by_constraint(grouped(groups).filter(pk__in=ids))
    first = {}
    for key, members in groups.items():
        until = min((ends[one] for one in (key, *members) if one in ends), default=None)
        seen = read.get(key, [])
        first[key] = (
            [one for one in seen if until is None or one.at <= until],
            until is None,
        )
    return first


def recurred_with(
    groups: Groups,
    counters: Mapping[UUID, Counted],
    rule: Thresholds,
    *,
    at: datetime,
) -> Recurred:
    """Return when names that had not recurred yet do so with one more sighting.

    Only a window that holds the new sighting can be the first to satisfy the rule.
    Sightings of names that too few owners' keys stated within it are not read: a key
    that repeats one name for ever must not slow down every further answer.

    Args:
        groups: Constraints, each with the names merged into it.
        counters: Their counters as they are now.
        rule: The project's thresholds.
        at: When the new sighting was made (aware).
    """
    possible = _possible(groups, counters, rule)
    if not possible:
        return dict.fromkeys(groups)
    window = timedelta(days=rule.recurrence_days)
    span = at - window, at + window
    owners = _owners_in(span, spellings(possible), rule.recurrence_keys)
    stated = {
        key: members
        for key, members in possible.items()
        if len(set().union(*(owners[member] for member in (key, *members))))
        >= rule.recurrence_keys
    }
    sightings = (
        _sightings_by_constraint(grouped(stated).filter(seen_at__range=span))
        if stated
        else {}
    )
    return {key: recurred_at(sightings.get(key, ()), rule) for key in groups}


def _possible(
    groups: Groups, counters: Mapping[UUID, Counted], rule: Thresholds
) -> Groups:
    return {
        key: members
        for key, members in groups.items()
        if key in counters
        and counters[key]["interactions"] >= rule.recurrence_interactions
        and counters[key]["sessions"] >= rule.recurrence_sessions
        and counters[key]["keys"] >= rule.recurrence_keys
    }


def _owners_in(
    span: tuple[datetime, datetime], ids: Collection[UUID], most: int
) -> dict[UUID, list[str]]:
    """Return the owners whose keys stated some names within a time, at most `most`.

    Each key of the project costs one index lookup, however much it sent.
    """
    statements = Sighting.objects.filter(
        constraint=OuterRef(OuterRef("pk")),
        api_key=OuterRef("pk"),
        counts=True,
        seen_at__range=span,
    )
    owners = (
        ApiKey.objects.filter(project_id=OuterRef("project_id"))
        .alias(said=first_of(statements))
        .filter(said__isnull=False)
        .order_by()
        .values(owner=_owner(""))
        .distinct()
    )
    rows = Constraint.objects.filter(id__in=ids).values_list(
        "id", ArraySubquery(owners[:most])
    )
    return dict(rows)


def _owner(prefix: str) -> Coalesce:
    """Return who owns a key; one without an owner stands for itself."""
    return Coalesce(
        Cast(f"{prefix}created_by_id", CharField()), Cast(f"{prefix}id", CharField())
    )


def _sightings_by_constraint(
    sightings: QuerySet[Any],
) -> dict[UUID, list[UnsupportedUse]]:
    sightings_by_group: dict[UUID, list[UnsupportedUse]] = defaultdict(list)
    for (
        group,
        interaction,
        session,
        key,
        owner,
        agent,
        deployment,
        at,
    ) in sightings.annotate(owner=_owner("api_key__")).values_list(
        "group",
        "interaction_id",
        "session_id",
        "api_key_id",
        "owner",
        "agent",
        "deployment",
        "seen_at",
    ):
        sightings_by_group[group].append(
            UnsupportedUse(
                interaction=str(interaction),
                session=str(session) if session else None,
                key=str(key) if key else None,
                owner=owner,
                agent=agent or None,
                deployment=deployment or None,
                at=at,
            )
        )
    return sightings_by_group
