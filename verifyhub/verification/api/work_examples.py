"""Examples of mitigations and deliberations for the API's description."""

from typing import Any

_LINK = "https://hub.example/api/v1"
_COST: dict[str, Any] = {
    "calls": 1,
    "input_tokens": 912,
    "output_tokens": 48,
    "microdollars": 310,
    "latency_seconds": 1.204,
    "share_of_run": None,
}
MITIGATE_REQUEST: dict[str, Any] = {
    "text": "The tower was finished in 1899.",
    "task": "When was the tower finished?",
    "sources": ["The tower was finished in 1889."],
    "layers": [{"layer": "nli", "score": 0.31}],
}
MITIGATION: dict[str, Any] = {
    "id": "7f0a6b6e-54f1-4a6b-8a56-0c5c2a1d9b20",
    "state": "finished",
    "interaction": None,
    "task": "When was the tower finished?",
    "asked_by": "ci",
    "error": "",
    "created_at": "2026-11-21T18:40:00+00:00",
    "finished_at": "2026-11-21T18:40:02+00:00",
    "links": {"self": f"{_LINK}/mitigations/7f0a6b6e-54f1-4a6b-8a56-0c5c2a1d9b20/"},
    "action": "regenerate",
    "mitigation": {
        "action": "regenerate",
        "reason": "below_rewrite_line",
        "worst": 0.31,
        "block_below": 0.2,
        "blocked_by": "",
        "layers": ["nli"],
        "claims": [],
        "also": [],
        "text_for_agent": "Write what follows from the given context.",
        "disclaimer": "This answer was checked automatically and could not be confirmed"
        " in full. Treat it as uncertain, and check what matters before you rely on"
        " it.",
        "language": "en",
    },
    "offered": False,
    "text": "The tower was finished in 1899.",
    "result": {
        "text": "The tower was finished in 1889.",
        "offered": False,
        "reason": "objections",
        "objections": ["layer_not_run"],
        "verdict": None,
        "tries": 2,
        "cost": _COST,
        "model": "medium-model",
        "parts": [],
    },
}
DELIBERATE_REQUEST: dict[str, Any] = {
    "task": "When was the tower finished?",
    "draft": "The tower was finished in 1899.",
    "sources": ["The tower was finished in 1889."],
}
DELIBERATION: dict[str, Any] = {
    "id": "c1f6fd5a-53cf-4a58-a1b4-5d1a2c9fd601",
    "state": "running",
    "interaction": None,
    "task": "When was the tower finished?",
    "asked_by": "ci",
    "error": "",
    "created_at": "2026-11-21T18:40:00+00:00",
    "finished_at": None,
    "links": {"self": f"{_LINK}/deliberations/c1f6fd5a-53cf-4a58-a1b4-5d1a2c9fd601/"},
    "draft": "The tower was finished in 1899.",
    "steps": [
        {
            "name": "draft",
            "state": "done",
            "reason": "given",
            "text": "The tower was finished in 1899.",
            "details": {},
            "cost": {**_COST, "calls": 0},
            "latency_seconds": 0.0,
        }
    ],
    "page": "https://hub.example/p/main/deliberations/"
    "c1f6fd5a-53cf-4a58-a1b4-5d1a2c9fd601/",
}
