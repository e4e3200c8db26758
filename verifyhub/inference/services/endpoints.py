"""Endpoints of a project and their keys, which are never shown again."""

import string
from typing import Any

from django.db import IntegrityError, models, transaction
from django.utils.translation import gettext as _

from verifyhub.accounts.models import Project
from verifyhub.audit.services import record_event
from verifyhub.common.egress_words import ALLOWABLE, egress_words, how_to_allow
from verifyhub.engine.llm.endpoint import Dialect
from verifyhub.inference.adapters import why_blocked
from verifyhub.inference.errors import ModelSettingError
from verifyhub.inference.models import EMBEDDING, ModelEndpoint
from verifyhub.inference.sealing import UnsealError, reseal, seal

MAX_KEY = 1000
VERSION_CHARACTERS = frozenset(string.ascii_letters + string.digits + "-.")


SETTINGS = ("name", "dialect", "base_url", "api_version")


@transaction.atomic
def save_endpoint(
    *,
    project: Project,
    values: ModelEndpoint,
    actor: models.Model | None,
    endpoint: ModelEndpoint | None = None,
    key: str = "",
    drop_key: bool = False,
) -> ModelEndpoint:
    """Add an endpoint, or change one.

    A stored key is only sent to the address that it was entered for: a change of
    address or dialect requires the key again.

    Args:
        project: The tenant.
        values: A row with the new settings, not saved.
        actor: Who changes it.
        endpoint: The endpoint to change; None for a new one.
        key: The key; empty to keep the stored one.
        drop_key: Whether to delete the stored key.

    Raises:
        ModelSettingError: If a value is invalid; then nothing is changed.
    """
    row = endpoint or ModelEndpoint(project=project)
    before = _described(row) if endpoint else {}
    _check(values)
    moved = (row.base_url, row.dialect) != (values.base_url, values.dialect)
    _check_key(key, is_lost=bool(row.sealed_key) and moved and not drop_key)
    for name in SETTINGS:
        setattr(row, name, getattr(values, name))
    if key:
        row.sealed_key = seal(key, row=row.id)
    elif drop_key or moved:
        row.sealed_key = ""
    try:
        with transaction.atomic():
            row.save()
    except IntegrityError as error:
        raise ModelSettingError(
            "name", _("Another endpoint of this project has this name.")
        ) from error
    kept = "given" if key else "kept" if row.sealed_key else "none"
    record_event(
        "inference.endpoint_saved",
        row,
        actor,
        before=before,
        after={**_described(row), "key": kept},
    )
    return row


@transaction.atomic
def delete_endpoint(*, endpoint: ModelEndpoint, actor: models.Model | None) -> None:
    """Delete an endpoint with its key.

    Raises:
        ModelSettingError: If a tier or the embedding model still uses it.
    """
    used = sorted({row.tier for row in endpoint.tier_models.all()})
    if endpoint.embedding_choices.exists():
        used.append(EMBEDDING)
    if used:
        raise ModelSettingError(
            "endpoint",
            _("It is still used by: %(list)s. Change that first.")
            % {"list": ", ".join(used)},
        )
    record_event(
        "inference.endpoint_deleted", endpoint, actor, before=_described(endpoint)
    )
    endpoint.delete()


@transaction.atomic
def reseal_keys() -> tuple[int, list[str]]:
    """Seal every stored key under the current VERIFYHUB_SECRET_KEY.

    Returns:
        How many were sealed, and the endpoints whose key cannot be opened, as
        `project/name`.
    """
    done, unreadable = 0, []
    rows = ModelEndpoint.objects.exclude(sealed_key="").select_related("project")
    for row in rows.select_for_update(of=("self",)).order_by("id"):
        try:
            row.sealed_key = reseal(row.sealed_key, row=row.id)
        except UnsealError:
            unreadable.append(f"{row.project.slug}/{row.name}")
        else:
            row.save(update_fields=["sealed_key"])
            done += 1
    return done, unreadable


def how_to_allow_model(base_url: str) -> str:
    """Return how the operator can allow models at an address."""
    return how_to_allow(
        base_url, purpose="models", setting="VERIFYHUB_MODEL_ALLOW_PRIVATE"
    )


def _check(values: ModelEndpoint) -> None:
    if not values.name.strip() or not values.name.isprintable():
        raise ModelSettingError("name", _("Give it a name of plain characters."))
    if values.dialect not in set(Dialect):
        raise ModelSettingError("dialect", _("This dialect is not known."))
    if any(mark in values.base_url for mark in "?#"):
        raise ModelSettingError("base_url", _("Leave out what follows ? or #."))
    blocked = why_blocked(values.base_url)
    if blocked:
        refusal = _("This address cannot be used: %(why)s.")
        message = refusal % {"why": egress_words(blocked)}
        if blocked in ALLOWABLE:
            message = f"{message} {how_to_allow_model(values.base_url)}"
        raise ModelSettingError("base_url", message)
    if set(values.api_version) - VERSION_CHARACTERS:
        raise ModelSettingError("api_version", _("Letters, digits, - and . only."))


def _check_key(key: str, *, is_lost: bool) -> None:
    """Check a new key; without one, a stored key must not be lost."""
    plain = key.isascii() and key.isprintable() and " " not in key
    if len(key) > MAX_KEY or not plain:
        raise ModelSettingError(
            "key",
            _("A key has at most %(n)s plain characters and no spaces.")
            % {"n": MAX_KEY},
        )
    if is_lost and not key:
        raise ModelSettingError(
            "key",
            _(
                "Enter the key again, or state that there is none: a key is"
                " never sent to a different address."
            ),
        )


def _described(row: ModelEndpoint) -> dict[str, Any]:
    """Return the settings for the audit log, without the key."""
    return {name: getattr(row, name) for name in SETTINGS}
