"""Webhooks of a project: add, change, pause, resume and disable them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Annotated, Any, Literal

from django.db import IntegrityError, models, transaction
from django.db.models import F, Max
from django.utils.translation import gettext as _
from django.utils.translation import override
from pydantic import ConfigDict, Field, JsonValue

from verifyhub.accounts.models import Project
from verifyhub.audit.services import record_event
from verifyhub.common.contract import AS_WHOLE, CONTROLS, ContractModel, FieldError
from verifyhub.common.egress_words import ALLOWABLE, egress_words, how_to_allow
from verifyhub.common.jobs import enqueue_on_commit
from verifyhub.events.adapters import why_refused
from verifyhub.events.catalogue import EventType
from verifyhub.events.formats.evaluations import READERS
from verifyhub.events.formats.standard_webhooks import new_secret
from verifyhub.events.models import Event, WebhookDelivery, WebhookEndpoint
from verifyhub.events.services.outbox import publish
from verifyhub.events.services.secrets import keep_headers, keep_secret

State = WebhookEndpoint.State
MAX_NAME = WebhookEndpoint.MAX_NAME
MAX_ENDPOINTS = 50
MAX_HEADERS = 10
MAX_HEADER = 2000
MAX_TYPES = 50
MAX_OVERLAP_HOURS = 7 * 24
# They use their own headers instead of a signature.
COLLECTORS: list[JsonValue] = [
    str(form) for form in WebhookEndpoint.Form if form != WebhookEndpoint.Form.WEBHOOK
]
# Headers of the request itself, which cannot be set.
OWN_HEADERS = frozenset({"host", "content-length", "content-type", "user-agent"})


Name = Annotated[
    str,
    Field(
        max_length=WebhookEndpoint.MAX_NAME,
        json_schema_extra={
            "pattern": rf"^[^{CONTROLS}]*[^\s{CONTROLS}][^{CONTROLS}]*$"
        },
    ),
]
# An https URL; for a collector including its path, such as `/v1/logs`.
Url = Annotated[
    str,
    Field(
        max_length=WebhookEndpoint.MAX_URL,
        json_schema_extra={"pattern": r"^https?://[^#\s]+$"},
    ),
]
Types = Annotated[tuple[EventType, ...], Field(max_length=MAX_TYPES)]
HeaderValue = Annotated[
    str, Field(max_length=MAX_HEADER, json_schema_extra={"pattern": "^[ -~]*$"})
]
Headers = Annotated[
    Mapping[str, HeaderValue],
    Field(
        json_schema_extra={
            "maxProperties": MAX_HEADERS,
            "propertyNames": {
                "maxLength": 100,
                "pattern": "^[-_]*[A-Za-z0-9][A-Za-z0-9_-]*$",
            },
        }
    ),
]


class WebhookError(FieldError):
    """A value of a receiver is invalid."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookChange(ContractModel):
    """Fields of a webhook to change; omitted fields do not change."""

    name: Name | None = None
    url: Url | None = None
    types: Types | None = None
    headers: Headers | None = field(default=None, repr=False)
    """Headers for collectors, such as `Authorization`; never returned."""
    state: Literal["active", "paused"] | None = None
    """`paused` holds events; `active` sends them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookValues(ContractModel):
    """The settings of a webhook."""

    __pydantic_config__ = ConfigDict(
        **ContractModel.__pydantic_config__,
        json_schema_extra={
            "anyOf": [
                {"properties": {"headers": {"maxProperties": 0}}},
                {"required": ["form"], "properties": {"form": {"enum": COLLECTORS}}},
            ]
        },
    )

    name: Name
    url: Url
    form: WebhookEndpoint.Form = WebhookEndpoint.Form.WEBHOOK
    """What to send: signed events, or evaluations over OTLP."""
    types: Types = ()
    """Event types to send; empty for all supported types."""
    headers: Headers | None = field(default=None, repr=False)
    """Headers for collectors, such as `Authorization`; never returned. If omitted, the
    stored headers do not change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rotation(ContractModel):
    """How to rotate a secret."""

    overlap_hours: Annotated[int, Field(ge=0, le=MAX_OVERLAP_HOURS), AS_WHOLE] = 24
    """How long the previous secret also signs."""


@transaction.atomic
def add_webhook(
    *, project: Project, values: WebhookValues, actor: models.Model | None
) -> tuple[WebhookEndpoint, str]:
    """Add a receiver of events from now on.

    Returns:
        The receiver, and its secret, which is never shown again; empty for one without
        signatures.

    Raises:
        WebhookError: If a value is invalid; then nothing is added.
    """
    if WebhookEndpoint.objects.filter(project=project).count() >= MAX_ENDPOINTS:
        raise WebhookError(
            "name", _("A project has at most %(n)s webhooks.") % {"n": MAX_ENDPOINTS}
        )
    newest = Event.objects.filter(project=project).aggregate(Max("position"))
    row = WebhookEndpoint(
        project=project,
        form=values.form,
        cursor=newest["position__max"] or 0,
        created_by=str(actor)[:200] if actor else "",
    )
    secret = ""
    if row.signs:
        secret = new_secret()
        keep_secret(row, secret)
    _write(row, values)
    record_event("events.webhook_added", row, actor, after=_described(row))
    return row, secret


@transaction.atomic
def change_webhook(
    *, endpoint: WebhookEndpoint, values: WebhookValues, actor: models.Model | None
) -> WebhookEndpoint:
    """Change a receiver; waiting deliveries go to its new address.

    Headers are only sent to the address that they were entered for: a change of address
    requires them again.

    Raises:
        WebhookError: If a value is invalid; then nothing is changed.
    """
    before = _described(endpoint)
    if values.form != endpoint.form:
        raise WebhookError("form", _("The form of a webhook cannot be changed."))
    if values.url != endpoint.url and values.headers is None:
        endpoint.sealed_headers = ""
    _write(endpoint, values)
    record_event(
        "events.webhook_changed",
        endpoint,
        actor,
        before=before,
        after=_described(endpoint),
    )
    return endpoint


@transaction.atomic
def rotate_secret(
    *,
    endpoint: WebhookEndpoint,
    overlap_hours: int,
    now: datetime,
    actor: models.Model | None,
) -> str:
    """Rotate a receiver's secret; the previous one also signs for a while.

    Args:
        endpoint: A receiver with signatures.
        overlap_hours: How long the previous secret also signs; 0 ends it at once.
        now: The time (aware).
        actor: Who rotates it.

    Returns:
        The new secret, which is never shown again.

    Raises:
        WebhookError: If the receiver has no signatures, or the overlap is too long.
    """
    if not endpoint.signs:
        raise WebhookError("form", _("Requests to it are not signed."))
    if not 0 <= overlap_hours <= MAX_OVERLAP_HOURS:
        message = _("The previous secret can stay valid for 0 to %(n)s hours.") % {
            "n": MAX_OVERLAP_HOURS
        }
        raise WebhookError("overlap_hours", message)
    row = WebhookEndpoint.objects.select_for_update().get(pk=endpoint.pk)
    secret = new_secret()
    endpoint.sealed_old_secret = row.sealed_secret if overlap_hours else ""
    endpoint.old_secret_until = (
        now + timedelta(hours=overlap_hours) if overlap_hours else None
    )
    keep_secret(endpoint, secret)
    endpoint.save(
        update_fields=["sealed_secret", "sealed_old_secret", "old_secret_until"]
    )
    after = {"overlap_hours": overlap_hours}
    record_event("events.webhook_secret_rotated", endpoint, actor, after=after)
    return secret


@transaction.atomic
def delete_webhook(*, endpoint: WebhookEndpoint, actor: models.Model | None) -> None:
    """Delete a receiver with its log and waiting deliveries."""
    record_event("events.webhook_deleted", endpoint, actor, before=_described(endpoint))
    endpoint.delete()


@transaction.atomic
def pause_webhook(*, endpoint: WebhookEndpoint, actor: models.Model | None) -> None:
    """Pause a receiver; events wait until it is resumed."""
    _stop(endpoint, State.PAUSED, "", {})
    record_event(
        "events.webhook_paused", endpoint, actor, after={"state": State.PAUSED}
    )


@transaction.atomic
def resume_webhook(*, endpoint: WebhookEndpoint, actor: models.Model | None) -> None:
    """Resume a receiver; waiting events are sent first."""
    before = {"state": endpoint.state, "reason": _english_reason(endpoint)}
    endpoint.state, endpoint.state_reason = State.ACTIVE, ""
    endpoint.state_params = {}
    endpoint.failures, endpoint.failing_since = 0, None
    endpoint.quiet_until = None
    endpoint.save(
        update_fields=[
            "state",
            "state_reason",
            "state_params",
            "failures",
            "failing_since",
            "quiet_until",
        ]
    )
    endpoint.deliveries.filter(state=WebhookDelivery.State.HELD).update(
        state=WebhookDelivery.State.PENDING, next_at=None
    )
    enqueue_on_commit("events.deliver")
    record_event(
        "events.webhook_resumed",
        endpoint,
        actor,
        before=before,
        after={"state": State.ACTIVE},
    )


def disable_webhook(
    *,
    endpoint: WebhookEndpoint,
    reason: str,
    params: Mapping[str, Any] = MappingProxyType({}),
) -> None:
    """Disable a failing receiver, and publish an event.

    In the caller's transaction. Waiting events are kept until the receiver is resumed.

    Args:
        endpoint: The receiver.
        reason: One of `error_words.REASONS`.
        params: The parameters of the reason.
    """
    if not _stop(endpoint, State.DISABLED, reason, params):
        return
    wording = _english_reason(endpoint)
    after = {"state": State.DISABLED, "reason": wording}
    record_event("events.webhook_disabled", endpoint, None, after=after)
    publish(
        project=endpoint.project,
        type=EventType.WEBHOOK_DISABLED,
        data={"webhook": {"name": endpoint.name, "reason": wording}},
        subject={"webhook": str(endpoint.id)},
    )


def _english_reason(endpoint: WebhookEndpoint) -> str:
    """Return why a webhook is disabled, in English for programs and the audit log."""
    with override("en"):
        return endpoint.reason_words


def _stop(
    endpoint: WebhookEndpoint, state: State, reason: str, params: Mapping[str, Any]
) -> bool:
    active = WebhookEndpoint.objects.filter(pk=endpoint.pk, state=State.ACTIVE)
    why = {"state_reason": reason, "state_params": dict(params)}
    if not active.update(state=state, **why):
        return False
    endpoint.state, endpoint.state_reason = state, reason
    endpoint.state_params = why["state_params"]
    endpoint.deliveries.filter(state=WebhookDelivery.State.PENDING).update(
        state=WebhookDelivery.State.HELD
    )
    return True


def _write(row: WebhookEndpoint, values: WebhookValues) -> None:
    _check(row, values)
    row.name, row.url = values.name.strip(), values.url
    row.types = list(dict.fromkeys(values.types))
    if values.headers is not None:
        keep_headers(row, values.headers)
    try:
        with transaction.atomic():
            row.save()
    except IntegrityError as error:
        message = _("Another webhook of this project has this name.")
        raise WebhookError("name", message) from error


def _check(row: WebhookEndpoint, values: WebhookValues) -> None:
    name = values.name.strip()
    if not name or not values.name.isprintable() or len(name) > MAX_NAME:
        raise WebhookError("name", _("Give it a name of at most 100 plain characters."))
    if values.form not in WebhookEndpoint.Form.values:
        raise WebhookError("form", _("Unknown form."))
    if "#" in values.url or len(values.url) > WebhookEndpoint.MAX_URL:
        raise WebhookError("url", _("The address is too long, or contains a #."))
    refused = why_refused(values.url)
    if refused:
        refusal = _("Requests to this address are not allowed: %(why)s.")
        message = refusal % {"why": egress_words(refused)}
        if refused in ALLOWABLE:
            how = how_to_allow(
                values.url,
                purpose="webhooks",
                setting="VERIFYHUB_WEBHOOK_ALLOW_PRIVATE",
            )
            message = f"{message} {how}"
        raise WebhookError("url", message)
    types = EventType.values if row.signs else [str(type_name) for type_name in READERS]
    unknown = [type_name for type_name in values.types if type_name not in types]
    if unknown:
        raise WebhookError(
            "types",
            _("This webhook cannot receive these types: %(list)s.")
            % {"list": unknown[0]},
        )
    if values.headers:
        _check_headers(row, values.headers)


def _check_headers(row: WebhookEndpoint, headers: Mapping[str, str]) -> None:
    if row.signs:
        raise WebhookError(
            "headers", _("A signed webhook accepts no additional headers.")
        )
    if len(headers) > MAX_HEADERS:
        raise WebhookError(
            "headers", _("At most %(n)s headers are allowed.") % {"n": MAX_HEADERS}
        )
    for name, value in headers.items():
        plain = name.isascii() and name.replace("-", "").replace("_", "").isalnum()
        if not plain or len(name) > 100 or name.lower() in OWN_HEADERS:
            raise WebhookError(
                "headers",
                _("This header cannot be sent: %(list)s.") % {"list": name[:100]},
            )
        if not (value.isascii() and value.isprintable() and len(value) <= MAX_HEADER):
            message = _("The value of %(list)s is too long or not plain.") % {
                "list": name
            }
            raise WebhookError("headers", message)


def count_failure(endpoint: WebhookEndpoint, *, now: datetime, wait: float) -> None:
    """Record a failed attempt, and pause its receiver for some seconds."""
    WebhookEndpoint.objects.filter(pk=endpoint.pk).update(
        failures=F("failures") + 1,
        failing_since=endpoint.failing_since or now,
        quiet_until=now + timedelta(seconds=wait) if wait else None,
    )


def count_success(
    endpoint: WebhookEndpoint, *, now: datetime, duration_ms: int
) -> None:
    """Record a successful attempt, which resets its receiver's failures."""
    WebhookEndpoint.objects.filter(pk=endpoint.pk).update(
        failures=0,
        failing_since=None,
        quiet_until=None,
        last_success_at=now,
        last_duration_ms=duration_ms,
    )


def _described(row: WebhookEndpoint) -> dict[str, Any]:
    """Return the settings for the audit log, without secrets and headers."""
    return {
        "name": row.name,
        "url": row.url,
        "form": row.form,
        "types": row.types,
        "headers": "given" if row.sealed_headers else "none",
    }
