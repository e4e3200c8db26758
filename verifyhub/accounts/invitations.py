"""Writes: invitation links to a project."""

import secrets
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from verifyhub.accounts.models import Invitation, Membership, Project, Role, User
from verifyhub.accounts.selectors import usable_invitations
from verifyhub.accounts.services import secret_digest, set_role
from verifyhub.audit.services import record_event
from verifyhub.common.db import update_if

DEFAULT_DAYS = 7
OPEN = {"accepted_at": None, "withdrawn_at": None}


class InvitationClosedError(Exception):
    """The invitation was accepted or withdrawn, or has expired."""


class AlreadyMemberError(Exception):
    """The person is already a member; the invitation stays open."""


def find_invitation(token: str) -> Invitation | None:
    """Return the invitation of a link, if it can still be accepted."""
    return usable_invitations().filter(token_sha256=secret_digest(token)).first()


@transaction.atomic
def invite(
    *,
    project: Project,
    role: Role,
    actor: User | None,
    email: str = "",
    days: int = DEFAULT_DAYS,
) -> tuple[Invitation, str]:
    """Create an invitation and return it with its link, which is never shown again.

    Args:
        project: The project.
        role: The person's role.
        actor: The admin who invites; None for the operator.
        email: The address that the link is sent to, for the list; may be empty.
        days: How long it is valid.
    """
    token = secrets.token_urlsafe(32)
    row = Invitation.objects.create(
        project=project,
        role=role,
        email=email,
        token_sha256=secret_digest(token),
        created_by=actor,
        expires_at=timezone.now() + timedelta(days=days),
    )
    record_event(
        "accounts.person_invited",
        row,
        actor,
        after={"role": role, "email": "set" if email else ""},
    )
    return row, settings.ROOT_URL + reverse("accounts:join-link", args=[token])


@transaction.atomic
def withdraw_invitation(*, invitation: Invitation, actor: User | None) -> None:
    """Revoke an invitation's link.

    Raises:
        InvitationClosedError: If it was accepted or withdrawn.
    """
    if not update_if(invitation, expected=OPEN, withdrawn_at=timezone.now()):
        raise InvitationClosedError
    record_event("accounts.invitation_withdrawn", invitation, actor)


@transaction.atomic
def accept_invitation(*, token: str, user: User) -> Membership:
    """Accept an invitation, once.

    Raises:
        InvitationClosedError: If the link is invalid (any more).
        AlreadyMemberError: If they are a member: a link changes no role.
    """
    row = find_invitation(token)
    if row is None:
        raise InvitationClosedError
    if Membership.objects.filter(project=row.project, user=user).exists():
        raise AlreadyMemberError
    changes = {"accepted_at": timezone.now(), "accepted_by": user}
    if not update_if(row, expected=OPEN, **changes):
        raise InvitationClosedError
    record_event("accounts.invitation_accepted", row, user)
    return set_role(project=row.project, user=user, role=Role(row.role), actor=user)


@transaction.atomic
def sign_up(*, token: str, user: User) -> Membership:
    """Create an account for an invited person, and add it to the project.

    Args:
        token: The invitation's token.
        user: A new, unsaved account with a validated password.

    Raises:
        InvitationClosedError: If the link is invalid (any more).
    """
    user.save()
    record_event(
        "accounts.user_created",
        user,
        user,
        after={"username": user.username, "email": "set" if user.email else ""},
    )
    return accept_invitation(token=token, user=user)
