"""Serve the API's description, created once in each process; it needs no key."""

import json
import threading
from functools import lru_cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

_making = threading.Lock()


@require_safe
def openapi(_request: HttpRequest) -> HttpResponse:
    """Show the document."""
    with _making:
        data = _document()
    return HttpResponse(
        data,
        content_type="application/vnd.oai.openapi+json",
        headers={"Content-Disposition": 'inline; filename="VerifyHub.json"'},
    )


@lru_cache(maxsize=1)
def _document() -> bytes:
    # Takes half a second; unindented, since it would be two megabytes otherwise.
    from drf_spectacular.generators import SchemaGenerator

    generator: Any = SchemaGenerator
    document = generator().get_schema(request=None, public=True)
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()
