"""Examples for the API's description; a test validates them."""

from typing import Any

CLAIM: dict[str, Any] = {
    "text": "The file was written in 2019.",
    "span": [58, 87],
    "kind": "factual",
    "language": "en",
    "by_model": False,
    "status": "contradicted",
    "judged_by": "model",
    "reason": "judged",
    "confidence": 0.92,
    "calibrated": None,
    "support": 0.41,
    "evidence": {
        "passage": "source:0:0-41",
        "origin": "source",
        "ref": "0",
        "title": "CHANGELOG",
        "text": "dates.py: written in 2021, moved in 2024.",
        "deciding": "written in 2021",
        "span": [10, 25],
        "grade": "C",
        "nuance": "",
    },
    "contradicting": [],
    "signals": [{"kind": "number", "claim": "2019", "evidence": "2021"}],
}
_COST: dict[str, Any] = {
    "calls": 1,
    "input_tokens": 310,
    "output_tokens": 2,
    "microdollars": 90,
    "latency_seconds": 0.6,
    "share_of_run": None,
}
DETECTION: dict[str, Any] = {
    "risk": {"level": "low", "by": "rules", "factors": []},
    "outcome": "failed",
    "confidence": 0.31,
    "calibrated": False,
    "floor": 0.7,
    "layers": [
        {
            "layer": "nli",
            "outcome": "failed",
            "score": 0.31,
            "calibrated": None,
            "calibration": "uncalibrated",
            "reason": "",
            "cost": _COST,
            "latency_seconds": 0.61,
            "details": {"relation": "contradiction", "confidence": 0.69},
        }
    ],
    "cost": _COST,
    "latency_seconds": 0.62,
    "stopped_by": "",
    "reason": "",
}


INTERACTION: dict[str, Any] = {
    "id": "run-17",
    "task": "Which module parses dates?",
    "answer": "`dates.py` does, and `calendars.py` uses it.",
    "session": "refactoring",
    "agent": {"name": "helper", "tier": "small", "role": "coder"},
    "tool_calls": [
        {
            "tool": "list",
            "input": {"path": "."},
            "output": "calendar.py\ndates.py\n",
            "status": "ok",
        }
    ],
}
ACCEPTED: dict[str, Any] = {
    "id": "run-17",
    "state": "pending",
    "links": {
        "self": "https://hub.example/api/v1/interactions/4b3c…/",
        "verdict": "https://hub.example/api/v1/interactions/4b3c…/verdict/",
        "page": "https://hub.example/p/acme/answers/4b3c…/",
    },
}
VERDICT: dict[str, Any] = {
    "schema": 1,
    "id": "run-17",
    "verdict": "reject",
    "confidence": 0.5,
    "coverage": 1.0,
    "completeness": None,
    "mentions": [
        {
            "text": "dates.py",
            "kind": "file",
            "key": "dates.py",
            "spans": [[1, 9]],
            "status": "verified",
            "reason": "found",
            "grade": "C",
            "evidence": [
                {"tool_call": 0, "field": "output", "span": [12, 20], "grade": "C"}
            ],
        },
        {
            "text": "calendars.py",
            "kind": "file",
            "key": "calendars.py",
            "spans": [[21, 33]],
            "status": "unverified",
            "reason": "not_found",
            "grade": None,
            "evidence": [],
            "suggestion": "calendar.py",
        },
    ],
    "completion_claims": [],
    "values": [],
    "claims": [CLAIM],
    "checks": [],
    "gaps": [],
    "warnings": [],
    "decision": {
        "action": "retry",
        "reason": "too_many_unverified",
        "additional_context": "Use these names, which the tools returned:\n"
        '- "calendar.py" (not "calendars.py")',
        "follow_ups": [],
    },
    "first_bad_step": {
        "tool_call": None,
        "where": "answer",
        "kind": "mention",
        "reason": "name_invented",
        "span": [21, 33],
    },
    "goal": None,
    "strictness": "balanced",
    "explanation": "1 of 2 names was found in what the tools returned.",
    "attempt": 1,
    "detection": DETECTION,
    "mitigation": None,
    "cost": {
        "calls": 1,
        "input_tokens": 1450,
        "output_tokens": 210,
        "microdollars": 2100,
        "latency_seconds": 1.8,
        "share_of_run": 0.021,
    },
    "self_assessment": {
        "confidence": 0.9,
        "completeness": 1.0,
        "gaps": [],
        "reasoning": "Both files were read.",
        "overconfidence": 0.4,
        "overcompleteness": None,
    },
}
