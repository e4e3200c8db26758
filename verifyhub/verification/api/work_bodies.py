"""Mitigations and deliberations as the JSON bodies of the API."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from django.http import HttpRequest
from django.urls import reverse
from pydantic import Field
from typing_extensions import TypedDict

from verifyhub.common.api_bodies import RowBody, read_from
from verifyhub.common.contract import UriText, component, one_of
from verifyhub.common.queued_row import WorkState
from verifyhub.engine.mitigation_results import MitigationAction
from verifyhub.verification.api import bodies
from verifyhub.verification.models import Deliberation, MitigationAttempt, Work

# A docstring would describe the field of this class alone, not of those below it.
_OF_ANSWER = "Your id of the answer, or its UUID; null for a text without an answer."


class OwnLinkBody(TypedDict):
    self: UriText


class WorkBody(RowBody):
    id: UUID
    state: WorkState
    interaction: Annotated[str | None, Field(description=_OF_ANSWER)]
    task: str
    asked_by: str
    error: Annotated[str, Field(description="Why the last attempt failed.")]
    created_at: datetime
    finished_at: datetime | None
    links: OwnLinkBody


class ShownTextBody(TypedDict):
    """The text as shown to readers."""

    applied: bool
    shown: str
    """The text that readers can see; empty if none."""
    text_for_agent: str


class MitigationAttemptBody(WorkBody):
    action: Annotated[str, one_of(MitigationAction)]
    mitigation: Annotated[
        Annotated[dict[str, Any], component("Mitigation")] | None, read_from("advice")
    ]
    """The recommendation."""
    offered: bool | None
    """Whether there is a text to use; null until known."""
    text: str
    """The text to mitigate."""
    result: ShownTextBody | Annotated[dict[str, Any], component("Rewrite")] | None


class DeliberationBody(WorkBody):
    draft: Annotated[str, read_from("text")]
    steps: list[Annotated[dict[str, Any], component("DeliberationStep")]]
    page: UriText


def mitigation(request: HttpRequest, row: MitigationAttempt) -> dict[str, Any]:
    """Return one mitigation of a text, with the result so far."""
    return MitigationAttemptBody.of(
        row,
        result=row.rewrite.as_dict() if row.rewrite else row.result,
        **_of_work(request, row, "api-mitigation"),
    )


def deliberation(request: HttpRequest, row: Deliberation) -> dict[str, Any]:
    """Return one deliberation, with its steps so far."""
    page = f"/p/{row.project.slug}/deliberations/{row.id}/"
    return DeliberationBody.of(
        row,
        page=request.build_absolute_uri(page),
        **_of_work(request, row, "api-deliberation"),
    )


def _of_work(request: HttpRequest, row: Work, name: str) -> dict[str, Any]:
    return {
        "interaction": bodies.public_id(row.interaction) if row.interaction else None,
        "links": {"self": request.build_absolute_uri(reverse(name, args=[row.id]))},
    }
