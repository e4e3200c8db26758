"""Writes: members of projects, and accounts."""

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import models, transaction
from django.utils.text import slugify

from verifyhub.accounts.models import Membership, Project, Role, User
from verifyhub.accounts.services import (
    change_project,
    check_admin_remains,
    create_project,
    set_role,
)
from verifyhub.audit.services import record_event

MAX_SLUG = 60


class PeopleError(ValueError):
    """An act on projects or people is not possible; the message says why."""


class NotAMemberError(PeopleError):
    """The person is not in the project."""


@transaction.atomic
def start_project(*, name: str, admin: User | None, slug: str = "") -> Project:
    """Make a project with its first admin.

    Args:
        name: For people.
        admin: Its first admin; None to set one later.
        slug: Its part of addresses; by default made from the name.

    Raises:
        PeopleError: If the name gives no slug or another project has it.
    """
    name, short_name = name.strip(), (slug or slugify(name))[:MAX_SLUG].strip("-")
    if not name or not short_name or slugify(short_name) != short_name:
        raise PeopleError(
            "The name of a project needs a letter from a to z or a digit; its short"
            " name has only those and hyphens"
        )
    if Project.objects.filter(slug=short_name).exists():
        raise PeopleError(f"A project {short_name} already exists")
    project = create_project(slug=short_name, name=name, actor=admin)
    if admin is not None:
        set_role(project=project, user=admin, role=Role.ADMIN, actor=admin)
    return project


@transaction.atomic
def rename_project(*, project: Project, name: str, actor: models.Model | None) -> None:
    """Give a project another name; its address stays, so that links go on working."""
    name = name.strip()
    if not name:
        raise PeopleError("A project needs a name")
    if name == project.name:
        return
    change_project(
        project=project,
        values={"name": name},
        actor=actor,
        action="accounts.project_renamed",
    )


@transaction.atomic
def remove_member(*, project: Project, user: User, actor: User | None) -> None:
    """End a person's membership; what they decided stays.

    What they had in review is dealt out to others by `review.deal_items`.

    Args:
        project: Where from.
        user: The member to remove.
        actor: Who does it: the person, where they leave; None for the system.

    Raises:
        NotAMemberError: If the person is not in the project.
        LastAdminError: If they are its last admin.
    """
    check_admin_remains(project=project, without=user)
    row = Membership.objects.filter(project=project, user=user).first()
    if row is None:
        raise NotAMemberError(f"{user} is not a member of {project.slug}")
    left = actor is not None and actor.pk == user.pk
    record_event(
        "accounts.project_left" if left else "accounts.member_removed",
        row,
        actor,
        before={"user": user.get_username(), "role": row.role},
    )
    row.delete()


@transaction.atomic
def hand_over(
    *,
    project: Project,
    giver: User,
    receiver: User,
    keeps: Role | None,
    actor: User | None,
) -> None:
    """Make another member admin, and give up being one.

    Args:
        project: Which.
        giver: The current admin.
        receiver: A member who becomes admin.
        keeps: The giver's role from then on; None to leave the project.
        actor: Who does it: the giver, or None for the system.

    Raises:
        NotAMemberError: If one of them is not in the project.
        PeopleError: If the giver is no admin, or the receiver cannot sign in or is the
            giver.
    """
    roles = dict(
        Membership.objects.select_for_update()
        .filter(project=project, user__in=[giver, receiver])
        .order_by("id")
        .values_list("user_id", "role")
    )
    for user in (giver, receiver):
        if user.pk not in roles:
            raise NotAMemberError(f"{user} is not a member of {project.slug}")
    if roles[giver.pk] != Role.ADMIN:
        raise PeopleError(f"{giver} is not an admin of {project.slug}")
    if giver.pk == receiver.pk or not receiver.is_active:
        raise PeopleError(f"{receiver} cannot become admin of {project.slug}")
    set_role(project=project, user=receiver, role=Role.ADMIN, actor=actor)
    if keeps is None:
        remove_member(project=project, user=giver, actor=actor)
    else:
        set_role(project=project, user=giver, role=keeps, actor=actor)


@transaction.atomic
def create_user(*, username: str, email: str, actor: User | None) -> User:
    """Make an account without a password: a link lets its owner choose one.

    Raises:
        PeopleError: If the name or the address cannot be used, or the name is taken.
    """
    user = User(username=User.normalize_username(username.strip()), email=email.strip())
    user.set_unusable_password()
    try:
        user.clean_fields()
        if user.email:
            validate_email(user.email)
    except ValidationError as error:
        raise PeopleError(" ".join(error.messages)) from error
    if User.objects.filter(username__iexact=user.username).exists():
        raise PeopleError(f"An account {user.username} already exists")
    user.save()
    record_event(
        "accounts.user_created",
        user,
        actor,
        after={"username": user.username, "email": "set" if user.email else ""},
    )
    return user


@transaction.atomic
def set_active(*, user: User, is_active: bool, actor: User | None) -> None:
    """Enable or disable an account; its sessions end with the next request.

    Raises:
        LastAdminError: If a project would be left without an active admin.
    """
    if user.is_active == is_active:
        return
    if not is_active:
        projects = Project.objects.filter(
            memberships__user=user, memberships__role=Role.ADMIN
        )
        for project in projects.order_by("id"):
            check_admin_remains(project=project, without=user)
    user.is_active = is_active
    user.save(update_fields=["is_active"])
    record_event(
        "accounts.user_enabled" if is_active else "accounts.user_disabled", user, actor
    )
