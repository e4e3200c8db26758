"""Pages and their htmx fragments."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, TypeVar
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_POST

T = TypeVar("T")


def uuid_in(text: str) -> UUID | None:
    """Return a parameter as an id; None for any other text."""
    try:
        return UUID(text)
    except ValueError:
        return None


def posted_from(
    page: str, *names: str
) -> Callable[[Callable[..., HttpResponseBase]], Callable[..., HttpResponseBase]]:
    """Accept only POST, and redirect other requests to the page of the form.

    An invalid form is shown again under the URL it was posted to, which a browser
    requests by GET when it reloads or goes back.

    Args:
        page: The URL name of the page with the form.
        names: The arguments of the page's URL, besides a slug.
    """

    def decorate(
        view: Callable[..., HttpResponseBase],
    ) -> Callable[..., HttpResponseBase]:
        posted = require_POST(view)

        @wraps(view)
        def led(request: Any, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if request.method in {"GET", "HEAD"}:
                passed_on = {"slug", *names}
                own = {name: kwargs[name] for name in passed_on & kwargs.keys()}
                answer: HttpResponseBase = redirect(page, **own)
                return answer
            return posted(request, *args, **kwargs)

        return led

    return decorate


def page_or_fragment(
    request: HttpRequest,
    page: str,
    fragment: str,
    context: Mapping[str, Any],
    *,
    status: int = 200,
) -> HttpResponse:
    """Render the whole page, or for an htmx request only the fragment inside it.

    Both have the same URL, so caches must vary by the request's header.
    """
    template = fragment if getattr(request, "htmx", False) else page
    response = render(request, template, dict(context), status=status)
    patch_vary_headers(response, ["HX-Request"])
    return response


def or_404(row: T | None) -> T:
    """Return a row that was looked up.

    Raises:
        Http404: If there is none.
    """
    if row is None:
        raise Http404
    return row


def project_of(request: HttpRequest) -> dict[str, Any]:
    """Add the `project` of a page to its template context; None outside a project."""
    return {"project": getattr(request, "project", None)}
