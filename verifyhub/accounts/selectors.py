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
    """Keys of a project, those that work first, newest first."""
    return (
        ApiKey.objects.filter(project_id=project_id)
        .select_related("created_by")
        .order_by(F("revoked_at").desc(nulls_first=True), "-created_at", "id")
    )


def members(project_id: UUID) -> QuerySet[Membership]:
    """People of a project, in the order of their names, with `has_factor`."""
    factors = Authenticator.objects.filter(user=OuterRef("user"), confirmed=True)
    return (
        Membership.objects.filter(project_id=project_id)
        .select_related("user")
        .annotate(has_factor=Exists(factors))
        .order_by("user__username")
    )


def memberships_of(user: User) -> QuerySet[Membership]:
    """A person's projects with their role, in the order of the projects' names."""
    return (
        Membership.objects.filter(user=user)
        .select_related("project")
        .order_by("project__name", "project_id")
    )


def usable_invitations() -> QuerySet[Invitation]:
    """Invitations that can still be accepted, of all projects, newest first."""
    return (
        Invitation.objects.filter(
            accepted_at=None, withdrawn_at=None, expires_at__gt=timezone.now()
        )
        .select_related("project", "created_by")
        .order_by("-created_at", "id")
    )
