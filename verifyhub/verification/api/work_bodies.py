"""Mitigations and deliberations as the JSON bodies of the API."""

from typing import Annotated, Any

from django.http import HttpRequest
from django.urls import reverse
from pydantic import Field
from typing_extensions import TypedDict

from verifyhub.common.contract import MomentText, UriText, UuidText, component, one_of
from verifyhub.engine.mitigation_results import MitigationAction
from verifyhub.verification.api import bodies
from verifyhub.verification.models import Deliberation, MitigationAttempt, Work

# A docstring would describe the field of this class alone, not of those below it.
_OF_ANSWER = "Your id of the answer, or its UUID; null for a text without an answer."


class OwnLinkBody(TypedDict):
    self: UriText


class WorkBody(TypedDict):
    id: UuidText
    state: bodies.StateText
    interaction: Annotated[str | None, Field(description=_OF_ANSWER)]
    task: str
    asked_by: str
    error: Annotated[str, Field(description="Why the last attempt failed.")]
    created_at: MomentText
    finished_at: MomentText | None
    links: OwnLinkBody


class ShownTextBody(TypedDict):
    """The text as shown to readers."""

    applied: bool
    shown: str
    """The text that readers can see; empty if none."""
    text_for_agent: str


class MitigationAttemptBody(WorkBody):
    action: Annotated[str, one_of(MitigationAction)]
    mitigation: Annotated[dict[str, Any], component("Mitigation")] | None
    """The recommendation."""
    offered: bool | None
    """Whether there is a text to use; null until known."""
    text: str
    """The text to mitigate."""
    result: ShownTextBody | Annotated[dict[str, Any], component("Rewrite")] | None


class DeliberationBody(WorkBody):
    draft: str
    steps: list[Annotated[dict[str, Any], component("DeliberationStep")]]
    page: UriText


def mitigation(request: HttpRequest, row: MitigationAttempt) -> MitigationAttemptBody:
    """Return one mitigation of a text, with the result so far."""
    return {
        **_work(request, row, "api-mitigation"),
        "action": row.action,
        "mitigation": row.advice,
        "offered": row.offered,
        "text": row.text,
        "result": row.rewrite.as_dict() if row.rewrite else row.result,
    }


def deliberation(request: HttpRequest, row: Deliberation) -> DeliberationBody:
    """Return one deliberation, with its steps so far."""
    return {
        **_work(request, row, "api-deliberation"),
        "draft": row.text,
        "steps": row.steps,
        "page": request.build_absolute_uri(
            f"/p/{row.project.slug}/deliberations/{row.id}/"
        ),
    }


def _work(request: HttpRequest, row: Work, name: str) -> WorkBody:
    ended = row.finished_at
    return {
        "id": str(row.id),
        "state": row.state,
        "interaction": bodies.public_id(row.interaction) if row.interaction else None,
        "task": row.task,
        "asked_by": row.asked_by,
        "error": row.error,
        "created_at": row.created_at.isoformat(),
        "finished_at": ended.isoformat() if ended else None,
        "links": {"self": request.build_absolute_uri(reverse(name, args=[row.id]))},
    }
