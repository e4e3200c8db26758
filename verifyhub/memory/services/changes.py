"""Shared code of services that settle memory: names, and changes of rows."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias
from uuid import UUID

from django.contrib.auth.models import AbstractBaseUser
from django.db import models

from verifyhub.accounts.models import ApiKey, Project
from verifyhub.common.prepared import prepared_cursor
from verifyhub.engine.thresholds import Thresholds
from verifyhub.memory.models import Constraint, MemoryEntry

# A name: the kind of thing that it names, and its key.
Name: TypeAlias = tuple[str, str]
# Who decides: a person, or a key that acts as itself.
Actor: TypeAlias = AbstractBaseUser | ApiKey


@dataclass(frozen=True, slots=True, kw_only=True)
class RowChange:
    """A row that settling changed, with the changed fields before and after."""

    row: models.Model
    before: Mapping[str, Any]
    after: Mapping[str, Any]

    @classmethod
    def setting(cls, row: models.Model, field: str, value: Any) -> "RowChange":
        """Set a field of a row, which the caller saves, and return the change."""
        before = getattr(row, field)
        setattr(row, field, value)
        return cls(row=row, before={field: before}, after={field: value})


def name_of(row: MemoryEntry | Constraint) -> Name:
    """Return the name a row is about."""
    return row.mention_kind, row.mention_key


def thresholds_of(project: Project) -> Thresholds:
    """Return the engine's cut-offs as the project has set them."""
    return Thresholds.with_overrides(project.thresholds)


def hold_keys(interaction_ids: Collection[UUID | None]) -> bool:
    """Lock the keys of answers, so that none is revoked before memory is written.

    Otherwise a revocation could settle the constraints just before these answers
    support one of them. Writers take this lock before any other, as revocation does.

    Returns:
        Whether one of them is revoked already.
    """
    with prepared_cursor() as cursor:
        # A shared lock, so that answers of one key do not wait for each other. Django
        # offers none.
        cursor.execute(
            "SELECT revoked_at IS NOT NULL FROM accounts_apikey AS key WHERE id IN"
            " (SELECT api_key_id FROM ingest_interaction WHERE id = ANY(%s))"
            " ORDER BY id FOR SHARE OF key",
            [[key for key in interaction_ids if key is not None]],
        )
        return any(is_revoked for (is_revoked,) in cursor.fetchall())
