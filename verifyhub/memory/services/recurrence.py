"""Whether names recurred, read from as few of their sightings as can tell."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Any, TypeAlias
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import CharField, OuterRef, QuerySet
from django.db.models.functions import Cast, Coalesce

from verifyhub.accounts.models import ApiKey
from verifyhub.engine.memory.recurrence import UnsupportedUse, recurred_at
from verifyhub.engine.thresholds import Thresholds
from verifyhub.memory.models import Constraint, Sighting
from verifyhub.memory.services.counters import (
    Counted,
    Groups,
    first_of,
    grouped,
    spellings,
)

Recurred: TypeAlias = dict[UUID, datetime | None]


def recurred_of(
    groups: Groups, counters: Mapping[UUID, Counted], rule: Thresholds
) -> Recurred:
    """Tell when names first recurred, from all their sightings.

    Those whose counters cannot satisfy the rule are not read.

    Args:
        groups: Constraints, each with the names merged into it.
        counters: Their counters as they are now.
        rule: The project's thresholds.
    """
    possible = _possible(groups, counters, rule)
    seen = _sightings_by_constraint(grouped(possible)) if possible else {}
    return {key: recurred_at(seen.get(key, ()), rule) for key in groups}


def recurred_with(
    groups: Groups,
    counters: Mapping[UUID, Counted],
    rule: Thresholds,
    *,
    at: datetime,
) -> Recurred:
    """Tell whether names that had not recurred yet do so with one sighting more.

    Only a window that holds the new sighting can be the first to satisfy the rule. Of
    names that the keys of too few owners stated in that time nothing is read: whoever
    repeats a name for ever must not make every further answer dearer.

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
    heard = {
        key: members
        for key, members in possible.items()
        if len(set().union(*(owners[one] for one in (key, *members))))
        >= rule.recurrence_keys
    }
    seen = (
        _sightings_by_constraint(grouped(heard).filter(seen_at__range=span))
        if heard
        else {}
    )
    return {key: recurred_at(seen.get(key, ()), rule) for key in groups}


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
    span: tuple[datetime, datetime], ids: Collection[UUID], enough: int
) -> dict[UUID, list[str]]:
    """Return whose keys stated some names within a time, `enough` of them at most.

    Each key of the project is one look into an index, however much it sent.
    """
    said = Sighting.objects.filter(
        constraint=OuterRef(OuterRef("pk")),
        api_key=OuterRef("pk"),
        counts=True,
        seen_at__range=span,
    )
    owners = (
        ApiKey.objects.filter(project_id=OuterRef("project_id"))
        .alias(said=first_of(said))
        .filter(said__isnull=False)
        .order_by()
        .values(owner=_owner(""))
        .distinct()
    )
    rows = Constraint.objects.filter(id__in=ids).values_list(
        "id", ArraySubquery(owners[:enough])
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
    found: dict[UUID, list[UnsupportedUse]] = defaultdict(list)
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
        found[group].append(
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
    return found
