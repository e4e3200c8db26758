"""Acts on many rows of a list, and the way back to it."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.db import transaction
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse

from verifyhub.accounts.permissions import ProjectRequest

# Rows of one page: what can be selected in one form.
MAX_SELECTED = 100


def selected_ids(request: ProjectRequest, name: str) -> list[UUID]:
    """Return the ids that were selected under a name; invalid ones are left out."""
    ids = []
    for value in request.POST.getlist(name)[:MAX_SELECTED]:
        try:
            ids.append(UUID(value))
        except ValueError:
            continue
    return ids


def is_done(
    act: Callable[..., Any], refusals: tuple[type[Exception], ...], **arguments: Any
) -> bool:
    """Call a service for one of many rows; return whether it was not refused."""
    try:
        with transaction.atomic():
            act(**arguments)
    except refusals:
        return False
    return True


def back_to(request: ProjectRequest, page: str) -> HttpResponse:
    """Redirect to the list: only the query string is the client's."""
    back = QueryDict(request.POST.get("back", ""))
    return redirect(reverse(page, args=[request.project.slug], query=back))
