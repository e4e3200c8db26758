"""Pages and their htmx fragments."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django_htmx.middleware import HtmxDetails


class HtmxHttpRequest(HttpRequest):
    """A request as the htmx middleware leaves it."""

    htmx: HtmxDetails


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
