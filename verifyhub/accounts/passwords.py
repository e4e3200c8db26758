"""Writes: links with which people set a password.

The token is Django's: signed with the server's key over the password's hash and the
last sign-in, and not stored. So it becomes invalid when it is used, when the person
signs in or changes the password, and after `PASSWORD_RESET_TIMEOUT`.
"""

from django.conf import settings
from django.contrib.auth.tokens import default_token_generator
from django.db import transaction
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from verifyhub.accounts.models import Membership, Project, Role, User
from verifyhub.audit.services import record_event


class PasswordLinkRefusedError(Exception):
    """The admin may not create a password link for this person.

    An admin manages one project, but a password gives access to all of the person's.
    """


def may_make_link(*, actor: User, user: User) -> bool:
    """Whether an admin may create a password link: if they manage all their projects.

    Only the operator may create one for Django's staff users.
    """
    if user.is_staff or user.is_superuser or actor.pk == user.pk:
        return False
    ruled = Membership.objects.filter(user=actor, role=Role.ADMIN)
    memberships = Membership.objects.filter(user=user)
    beyond = memberships.exclude(project__in=ruled.values("project"))
    return memberships.exists() and not beyond.exists()


@transaction.atomic
def make_password_link(
    *, user: User, actor: User | None, project: Project | None = None
) -> str:
    """Return a link with which a person sets a new password.

    Args:
        user: The person.
        actor: The admin who requests it; None for the operator.
        project: Where the admin asked, for the record.

    Raises:
        PasswordLinkRefusedError: If the admin may not make it.
    """
    if actor is not None and not may_make_link(actor=actor, user=user):
        raise PasswordLinkRefusedError
    record_event(
        "accounts.password_link_made",
        user,
        actor,
        after={"user": user.get_username()},
        project_id=project.id if project else None,
    )
    return password_link(user)


def password_link(user: User) -> str:
    """Return the URL at which this person can choose a password, once."""
    code = urlsafe_base64_encode(force_bytes(user.pk))
    token = default_token_generator.make_token(user)
    return settings.ROOT_URL + reverse("accounts:password-set", args=[code, token])
