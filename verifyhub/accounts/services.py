"""Writes: projects, memberships and API keys."""

import hashlib
import secrets
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.db import models, transaction
from django.utils import timezone

from verifyhub.accounts.models import ApiKey, Membership, Project, Role, Scope, User
from verifyhub.accounts.steps import AFTER_KEY_REVOCATION, AFTER_PROJECT_CREATION
from verifyhub.audit.services import record_event
from verifyhub.common.db import update_if

KEY_PREFIX = "vh_"
MIN_SECRET_LENGTH = 32
VISIBLE_CHARACTERS = 8
# A person's own settings.
SETTINGS = (
    "email",
    "language",
    "time_zone",
    "theme",
    "key_mode",
    "moves_on",
    "queue_columns",
)


class WeakSecretError(ValueError):
    """A given API key does not begin with `vh_` or is too short."""


class KeyAlreadyRevokedError(Exception):
    """The key was revoked before."""


class LastAdminError(Exception):
    """The project would be left without an admin who can sign in."""


def secret_digest(secret: str) -> str:
    """Return the stored form of a secret: SHA-256, 64 hexadecimal digits."""
    return hashlib.sha256(secret.encode()).hexdigest()


def check_secret(secret: str) -> None:
    """Refuse an invalid secret of an API key.

    Raises:
        WeakSecretError: If it does not begin with `vh_` or has under 32 characters.
    """
    if not secret.startswith(KEY_PREFIX) or len(secret) < MIN_SECRET_LENGTH:
        raise WeakSecretError(
            f"An API key starts with {KEY_PREFIX} and has at least {MIN_SECRET_LENGTH} "
            "characters"
        )


@transaction.atomic
def issue_api_key(
    *,
    project: Project,
    name: str,
    scopes: Iterable[str] = tuple(Scope.values),
    created_by: User | None = None,
    expires_at: datetime | None = None,
    secret: str | None = None,
) -> tuple[ApiKey, str]:
    """Create an API key and return it with its secret, which is never shown again.

    Args:
        project: The tenant.
        name: The key's purpose, for people.
        scopes: Values of `Scope`.
        created_by: Who requested it; None for the system.
        expires_at: When it expires (aware); None for never.
        secret: The operator's own secret; by default 256 random bits.

    Raises:
        WeakSecretError: If `secret` is invalid.
    """
    secret = secret or KEY_PREFIX + secrets.token_urlsafe(32)
    check_secret(secret)
    key = ApiKey.objects.create(
        project=project,
        name=name,
        prefix=secret[:VISIBLE_CHARACTERS],
        secret_sha256=secret_digest(secret),
        scopes=list(scopes),
        created_by=created_by,
        expires_at=expires_at,
    )
    record_event(
        "accounts.api_key_issued",
        key,
        created_by,
        after={"name": name, "prefix": key.prefix, "scopes": key.scopes},
    )
    return key, secret


@transaction.atomic
def revoke_api_key(*, key: ApiKey, actor: User | None) -> ApiKey:
    """Revoke a key permanently, and withdraw its influence on memory.

    Raises:
        KeyAlreadyRevokedError: If it was revoked before.
    """
    if not update_if(key, expected={"revoked_at": None}, revoked_at=timezone.now()):
        raise KeyAlreadyRevokedError(str(key))
    record_event(
        "accounts.api_key_revoked",
        key,
        actor,
        before={"name": key.name, "prefix": key.prefix},
    )
    for step in AFTER_KEY_REVOCATION:
        step(key)
    return key


@transaction.atomic
def create_project(*, slug: str, name: str, actor: models.Model | None) -> Project:
    """Create a tenant."""
    project = Project.objects.create(slug=slug, name=name)
    record_event(
        "accounts.project_created", project, actor, after={"slug": slug, "name": name}
    )
    for step in AFTER_PROJECT_CREATION:
        step(project)
    return project


@transaction.atomic
def set_role(
    *, project: Project, user: User, role: Role, actor: User | None
) -> Membership:
    """Give a person a role in a project, or change it.

    Raises:
        LastAdminError: If it takes the role from the last active admin.
    """
    if role != Role.ADMIN:
        check_admin_remains(project=project, without=user)
    row = Membership.objects.filter(project=project, user=user).first()
    before = {"role": row.role} if row else {}
    membership, _ = Membership.objects.update_or_create(
        project=project, user=user, defaults={"role": role}
    )
    if before.get("role") != role:
        record_event(
            "accounts.role_set",
            membership,
            actor,
            before=before,
            after={"user": user.get_username(), "role": role},
        )
    return membership


def check_admin_remains(*, project: Project, without: User) -> None:
    """Refuse to leave a project without an admin; call it in the change's transaction.

    The project's row is locked, so that of two admins who leave concurrently one is
    refused.

    Raises:
        LastAdminError: If `without` is an admin and no other active person is.
    """
    project.lock()
    admins = Membership.objects.filter(
        project=project, role=Role.ADMIN, user__is_active=True
    )
    rows = list(admins.values_list("user_id", flat=True))
    if rows == [without.pk]:
        raise LastAdminError(
            f"{without} is the only admin of {project.slug}: make another member admin "
            "first"
        )


@transaction.atomic
def set_thresholds(
    *, project: Project, thresholds: dict[str, float | int | str], actor: User
) -> Project:
    """Store a project's thresholds, validated by the caller."""
    before = project.thresholds
    project.thresholds = thresholds
    project.save(update_fields=["thresholds"])
    record_event(
        "accounts.thresholds_set", project, actor, before=before, after=thresholds
    )
    return project


@transaction.atomic
def set_tool_rules(
    *, project: Project, rules: list[dict[str, str]], actor: User
) -> Project:
    """Store a project's rules about tools, validated by the caller."""
    before = project.tool_rules
    project.tool_rules = rules
    project.save(update_fields=["tool_rules"])
    record_event(
        "accounts.tool_rules_set",
        project,
        actor,
        before={"rules": before},
        after={"rules": rules},
    )
    return project


@transaction.atomic
def change_project(
    *,
    project: Project,
    values: Mapping[str, Any],
    actor: models.Model | None,
    action: str,
) -> Project:
    """Store some of a project's settings, validated by the caller.

    Args:
        project: The tenant.
        values: Values by field of the project.
        actor: The user or API key that changes them; None for the operator.
        action: The audit action.
    """
    before = {name: getattr(project, name) for name in values}
    for name, value in values.items():
        setattr(project, name, value)
    project.save(update_fields=list(values))
    record_event(action, project, actor, before=before, after=dict(values))
    return project


def prefer_strictness(*, membership: Membership, strictness: str) -> None:
    """Store a person's strictness for the verifications that they request.

    Args:
        membership: The person in the project.
        strictness: A preset; empty to follow the project's.
    """
    Membership.objects.filter(pk=membership.pk).update(strictness=strictness)
    membership.strictness = strictness


@transaction.atomic
def save_settings(*, user: User, values: Mapping[str, Any]) -> None:
    """Store a person's display settings.

    Args:
        user: The person; only they may change their settings.
        values: Valid values by field of SETTINGS; others do not change.
    """
    before = {name: getattr(user, name) for name in SETTINGS}
    after = before | {name: values[name] for name in SETTINGS if name in values}
    if after == before:
        return
    for name, value in after.items():
        setattr(user, name, value)
    user.save(update_fields=list(SETTINGS))
    record_event(
        "accounts.settings_saved",
        user,
        user,
        before=_without_address(before),
        after=_without_address(after),
    )


def _without_address(values: Mapping[str, Any]) -> dict[str, Any]:
    """Replace the address by whether there is one, since audit events are permanent."""
    return {**values, "email": "set" if values["email"] else ""}


@transaction.atomic
def change_password(*, user: User, password: str) -> None:
    """Set a person's password; the audit event does not contain it.

    Args:
        user: The person.
        password: The new one, validated by a form.
    """
    user.set_password(password)
    user.save(update_fields=["password"])
    record_event("accounts.password_changed", user, user)
