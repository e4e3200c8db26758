"""What the detection service takes and gives, as JSON."""

from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from verifyhub.common.api import ApiProblem
from verifyhub.common.contract import FormatError
from verifyhub.engine.layer_results import LayerName, RiskLevel
from verifyhub.ingest.formats.fields import Fields
from verifyhub.verification.models import Detection
from verifyhub.verification.services import Asked, Subject

MAX_SOURCES = 1000
MAX_CAP = 2**31 - 1
SUBJECT = ("text", "task", "context", "sources")
ASKED = ("risk", "layers", "max_latency_ms", "max_cost_microdollars")


def subject_and_asked(data: Any, layer: str = "") -> tuple[Subject, Asked]:
    """Read a text and what is wanted of the layers.

    Args:
        data: The parsed body.
        layer: The one layer that the address names; empty where the body may choose.

    Raises:
        ApiProblem: 400 with the field that cannot be used.
    """
    known = tuple(name for name in ASKED if not layer or name != "layers")
    try:
        fields = Fields("", data, SUBJECT + known)
        subject = Subject(
            text=fields.required_text("text"),
            task=fields.text("task") or "",
            context=fields.text("context") or "",
            sources=_sources(fields),
        )
        return subject, _asked(fields, layer)
    except FormatError as error:
        raise refusal(error) from error


def asked_of(data: Any) -> Asked:
    """Read what is wanted of the layers for a text that is stored already.

    Raises:
        ApiProblem: 400 with the field that cannot be used.
    """
    try:
        return _asked(Fields("", data or {}, ASKED), "")
    except FormatError as error:
        raise refusal(error) from error


def risk_request(data: Any) -> tuple[str, str, str]:
    """Read text, context and, where somebody decides it, the level.

    Raises:
        ApiProblem: 400 with the field that cannot be used.
    """
    try:
        fields = Fields("", data, ("text", "context", "risk"))
        return (
            fields.required_text("text"),
            fields.text("context") or "",
            _risk(fields),
        )
    except FormatError as error:
        raise refusal(error) from error


def refusal(error: FormatError) -> ApiProblem:
    """Return a field that cannot be used as a reply."""
    return ApiProblem(
        400,
        f"The request is refused: {error}",
        errors=((error.field, error.message),),
    )


def body(request: HttpRequest, row: Detection) -> dict[str, Any]:
    """Return a run of layers as the API tells it."""
    ended = row.finished_at
    return {
        "id": str(row.id),
        "state": row.state,
        "interaction": str(row.interaction_id) if row.interaction_id else None,
        "asked_by": row.asked_by,
        "asked": row.asked,
        "created_at": row.created_at.isoformat(),
        "finished_at": ended.isoformat() if ended else None,
        "error": row.error,
        "result": row.result,
        "links": {
            "self": request.build_absolute_uri(reverse("api-detection", args=[row.id])),
            "page": request.build_absolute_uri(
                reverse("verification:detection", args=[row.project.slug, row.id])
            ),
        },
    }


def _asked(fields: Fields, layer: str) -> Asked:
    return Asked(
        risk=_risk(fields),
        layers=(layer,) if layer else _layers(fields),
        max_latency_ms=_cap(fields, "max_latency_ms"),
        max_cost_microdollars=_cap(fields, "max_cost_microdollars"),
    )


def _risk(fields: Fields) -> str:
    level = fields.text("risk")
    if level is not None and level not in set(RiskLevel):
        fields.fail("risk", f"must be one of {', '.join(RiskLevel)}.")
    return level or ""


def _layers(fields: Fields) -> tuple[str, ...]:
    names = fields.of_type("layers", list, "an array of layers") or []
    if not all(isinstance(name, str) and name in set(LayerName) for name in names):
        fields.fail("layers", f"may hold {', '.join(LayerName)}.")
    return tuple(dict.fromkeys(names))


def _cap(fields: Fields, name: str) -> int | None:
    value = fields.get(name)
    if value is None:
        return None
    if type(value) is not int or not 1 <= value <= MAX_CAP:
        fields.fail(name, f"must be a whole number from 1 to {MAX_CAP}.")
    return int(value)


def _sources(fields: Fields) -> list[Any]:
    sources = fields.of_type("sources", list, "an array of sources", sort=False) or []
    if len(sources) > MAX_SOURCES:
        fields.fail("sources", f"has more than {MAX_SOURCES} sources.")
    if not all(isinstance(one, str | dict) for one in sources):
        fields.fail("sources", "may hold strings, or objects with title and text.")
    return list(sources)
