"""Mitigations and deliberations as the JSON bodies of the API."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from verifyhub.verification.api import bodies
from verifyhub.verification.models import Deliberation, MitigationAttempt, Work


def mitigation(request: HttpRequest, row: MitigationAttempt) -> dict[str, Any]:
    """One action on one text, and what came of it so far."""
    return {
        **_work(request, row, "api-mitigation"),
        "action": row.action,
        "mitigation": row.advice,
        "offered": row.offered,
        "text": row.text,
        "result": row.rewrite.as_dict() if row.rewrite else row.result,
    }


def deliberation(request: HttpRequest, row: Deliberation) -> dict[str, Any]:
    """One deliberation with its steps as far as they are."""
    return {
        **_work(request, row, "api-deliberation"),
        "draft": row.text,
        "steps": row.steps,
        "page": request.build_absolute_uri(
            f"/p/{row.project.slug}/deliberations/{row.id}/"
        ),
    }


def _work(request: HttpRequest, row: Work, name: str) -> Mapping[str, Any]:
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
