"""An alert and a report as the API gives them, for its description."""

from typing import Any

ALERT: dict[str, Any] = {
    "id": "7c9e6679-7425-40de-944b-e07fc1f90ae7",
    "rule": "1b4e28ba-2fa1-41d2-883f-0016d3cca427",
    "name": "Too many flagged",
    "measure": "flagged_share",
    "unit": "share",
    "threshold": 0.5,
    "agent": "coder",
    "detail": "",
    "value": 0.62,
    "n": 50,
    "low": 0.48,
    "high": 0.74,
    "peak": 0.66,
    "raised_at": "2026-11-21T08:00:00Z",
    "cleared_at": None,
}
_SHARE = {
    "count": 4,
    "total": 40,
    "value": 0.1,
    "low": 0.04,
    "high": 0.23,
    "small": False,
}
REPORT: dict[str, Any] = {
    "id": "0d9c3c5e-8f3c-4ad5-8f0e-6a2c8c5b1c77",
    "first_day": "2026-11-09",
    "last_day": "2026-11-15",
    "since": "2026-11-09T00:00:00Z",
    "until": "2026-11-16T00:00:00Z",
    "created_at": "2026-11-16T07:00:02Z",
    "figures": {
        "schema": 1,
        "days": {"first": "2026-11-09", "last": "2026-11-15", "zone": "UTC"},
        "checked": {"now": 40, "before": 38},
        "flagged": {
            "now": _SHARE,
            "before": {**_SHARE, "total": 38, "value": 0.105},
            "difference": -0.005,
            "difference_low": -0.15,
            "difference_high": 0.14,
            "change": "same",
        },
    },
}
