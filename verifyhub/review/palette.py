"""The command palette: find answers, sessions and constraints."""

from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from verifyhub.accounts.permissions import ProjectRequest, can, project_page
from verifyhub.common.http import page_or_fragment
from verifyhub.ingest.models import Interaction, Session
from verifyhub.memory.models import Constraint

# Only the newest answers are searched, since it runs while a reviewer types.
NEWEST = 2000
SHOWN = 6
MOST_CHARACTERS = 200
SHORTEST = 2


@dataclass(frozen=True, slots=True)
class PalettePlace:
    """A page to go to: its kind, name and URL."""

    kind: str
    name: str
    url: str


@project_page("answers.view", "GET")
def go(request: ProjectRequest) -> HttpResponse:
    """Find answers, sessions and constraints."""
    text = request.GET.get("text", "").strip()[:MOST_CHARACTERS]
    places = list(_places(request, text)) if len(text) >= SHORTEST else []
    return page_or_fragment(
        request, "review/go.html", "review/_go.html", {"text": text, "places": places}
    )


def _places(request: ProjectRequest, text: str) -> list[PalettePlace]:
    slug, project = request.project.slug, request.project
    places = [
        PalettePlace(
            _("Answer"),
            answer.task,
            reverse("review:answer-detail", args=[slug, answer.pk]),
        )
        for answer in _answers(project.pk, text)
    ]
    sessions = Session.objects.filter(project=project, key__istartswith=text)
    places += [
        PalettePlace(
            _("Session"),
            session.key,
            reverse("review:run-detail", args=[slug, session.pk]),
        )
        for session in sessions.order_by("key")[:SHOWN]
    ]
    if can(request.membership.role, "memory.view"):
        named = Constraint.objects.filter(project=project, text__icontains=text)
        places += [
            PalettePlace(
                _("Constraint"),
                constraint.text,
                reverse("memory:constraint", args=[slug, constraint.pk]),
            )
            for constraint in named.order_by("text", "pk")[:SHOWN]
        ]
    return places


def _answers(project_id: UUID, text: str) -> QuerySet[Any]:
    """Return answers by client id, UUID, or words of their task."""
    newest = (
        Interaction.objects.filter(project_id=project_id)
        .order_by("-created_at", "-id")
        .values("pk")[:NEWEST]
    )
    condition = Q(task__icontains=text, pk__in=newest) | Q(client_id=text)
    with suppress(ValueError):
        condition |= Q(pk=UUID(text))
    rows = Interaction.objects.filter(condition, project_id=project_id)
    return rows.only("pk", "task").order_by("-created_at", "-id")[:SHOWN]
