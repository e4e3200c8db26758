"""Reports of browsers about violations of the content security policy.

A report means that a page is broken, that a browser extension interferes, or that an
agent's text became markup. Anybody may send one, so it is only logged (ADR 0085).
"""

import json
import time
from collections import deque
from typing import Any

import structlog
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

MOST_BYTES = 8192
MOST_A_MINUTE = 30
MINUTE = 60.0
# The fields of a report that are logged, truncated to the maximum below.
FIELDS = (
    *("document-uri", "effective-directive", "blocked-uri", "source-file"),
    *("line-number", "script-sample"),
)
MOST_CHARACTERS = 200

log = structlog.get_logger("verifyhub.csp")
# The times of this process's latest ones.
_logged: deque[float] = deque(maxlen=MOST_A_MINUTE)


@csrf_exempt
@require_POST
def csp_report(request: HttpRequest) -> HttpResponse:
    """Log a report, and always reply with 204."""
    if report := _read(request):
        _log(report)
    return HttpResponse(status=204)


def _read(request: HttpRequest) -> dict[str, Any]:
    """Return the report's fields; none if it is no report or too long."""
    length = request.headers.get("Content-Length", "")
    if not length.isdecimal() or int(length) > MOST_BYTES:
        return {}
    try:
        body = json.loads(request.body)
    except (ValueError, RecursionError):
        return {}
    report = body.get("csp-report") if isinstance(body, dict) else None
    return report if isinstance(report, dict) else {}


def _log(report: dict[str, Any]) -> None:
    now = time.monotonic()
    if len(_logged) == MOST_A_MINUTE and now - _logged[0] < MINUTE:
        return
    _logged.append(now)
    fields = {
        name.replace("-", "_"): str(report[name])[:MOST_CHARACTERS]
        for name in FIELDS
        if name in report
    }
    log.warning("csp.violation", **fields)
