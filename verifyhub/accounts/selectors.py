"""Reads of API keys, members and invitations."""

from uuid import UUID

from django.db.models import Exists, F, OuterRef, QuerySet
from django.utils import timezone

from verifyhub.accounts.models import (
    ApiKey,
    Authenticator,
    Invitation,
    Membership,
    User,
)


def api_keys(project_id: UUID) -> QuerySet[ApiKey]:
    """Return the keys of a project, valid ones first, newest first."""
    return (
        ApiKey.objects.filter(project_id=project_id)
        .select_related("created_by")
        .order_by(F("revoked_at").desc(nulls_first=True), "-created_at", "id")
    )


def members(project_id: UUID) -> QuerySet[Membership]:
    """Return the members of a project by name, with `has_factor`."""
    factors = Authenticator.objects.filter(user=OuterRef("user"), confirmed=True)
    return (
        Membership.objects.filter(project_id=project_id)
        .select_related("user")
        .annotate(has_factor=Exists(factors))
        .order_by("user__username")
    )


def memberships_of(user: User) -> QuerySet[Membership]:
    """Return a person's projects with their role, by the projects' names."""
    return (
        Membership.objects.filter(user=user)
        .select_related("project")
        .order_by("project__name", "project_id")
    )


def usable_invitations() -> QuerySet[Invitation]:
    """Return the invitations that can be accepted, of all projects, newest first."""
    return (
        Invitation.objects.filter(
            accepted_at=None, withdrawn_at=None, expires_at__gt=timezone.now()
        )
        .select_related("project", "created_by")
        .order_by("-created_at", "id")
    )
