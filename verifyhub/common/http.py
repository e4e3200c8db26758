"""Pages and their htmx fragments."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_POST
from django_htmx.middleware import HtmxDetails


class HtmxHttpRequest(HttpRequest):
    """A request as the htmx middleware leaves it."""

    htmx: HtmxDetails


def uuid_in(text: str) -> UUID | None:
    """Return the id that a parameter holds; None for any other text."""
    try:
        return UUID(text)
    except ValueError:
        return None


def posted_from(
    page: str, *names: str
) -> Callable[[Callable[..., HttpResponseBase]], Callable[..., HttpResponseBase]]:
    """Accept only POST, and redirect other requests to the page of the form.

    A form that was refused is answered under the address it was sent to, which a
    browser that reloads or returns asks for by GET.

    Args:
        page: The URL name of the page that holds the form.
        names: Of the address's arguments that the page's takes, beside a slug.
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

    Both come from one URL, so caches must tell them apart by the request's header.
    """
    template = fragment if getattr(request, "htmx", False) else page
    response = render(request, template, dict(context), status=status)
    patch_vary_headers(response, ["HX-Request"])
    return response
