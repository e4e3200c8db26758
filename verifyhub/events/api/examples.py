"""A page of events as the API gives it, for its description."""

from typing import Any

PAGE: dict[str, Any] = {
    "results": [
        {
            "id": "5b0d4f1e-6c0c-4a5e-9d0b-6f3f0a2f4c11",
            "cursor": "1041",
            "type": "verification.completed",
            "created_at": "2026-11-21T18:04:11.120000Z",
            "subject": {
                "interaction": "0d9c3c5e-8f3c-4ad5-8f0e-6a2c8c5b1c77",
                "name": "run-1",
                "session": "shop",
                "verification": "9a7f8e5b-2f40-4a77-8f29-4c1f6f1f8a10",
            },
            "data": {
                "verification": {
                    "number": 1,
                    "attempt": 1,
                    "verdict": "reject",
                    "action": "retry",
                    "reason": "too_many_unverified",
                    "confidence": 0.33,
                    "completeness": None,
                    "coverage": 1.0,
                    "verified": ["shop/pricing.py"],
                    "unverified": ["shop/tax.py"],
                    "gaps": [],
                    "warnings": [
                        {
                            "code": "UNVERIFIED_FILE",
                            "message": "1 file was not found in the trace.",
                        }
                    ],
                },
                "selfAssessment": None,
                "detection": None,
                "mitigation": None,
            },
        }
    ],
    "after": "1041",
    "more": False,
}

# A stretch of a stream: where to read on from, what happened, what was said of it.
STREAM = (
    "retry: 2000\n\nid: 1041\nevent: verification.completed\n"
    'data: {"id":"5b0d4f1e-6c0c-4a5e-9d0b-6f3f0a2f4c11","cursor":"1041",…}\n\n'
    ": still here\n\n"
)
WEBHOOK_REQUEST: dict[str, Any] = {
    "name": "Deployment gate",
    "url": "https://ci.example.com/hooks/verifyhub",
    "types": ["verification.completed", "review.overridden"],
}
WEBHOOK: dict[str, Any] = {
    "id": "7c0e9b0a-3f2c-4f0e-8a3e-8f0d3f6f1b22",
    "name": "Deployment gate",
    "url": "https://ci.example.com/hooks/verifyhub",
    "form": "webhook",
    "types": ["verification.completed", "review.overridden"],
    "state": "active",
    "state_reason": "",
    "failures": 0,
    "failing_since": None,
    "last_success_at": "2026-11-21T18:04:12.500000Z",
    "old_secret_until": None,
    "created_at": "2026-11-20T09:00:00Z",
}
NEW_WEBHOOK: dict[str, Any] = {
    **WEBHOOK,
    "last_success_at": None,
    "secret": "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD",
}
NEW_SECRET: dict[str, Any] = {
    "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    "old_secret_until": "2026-11-22T18:00:00Z",
}
DELIVERY: dict[str, Any] = {
    "id": "b7a3c1de-51f4-4d0a-9a39-2f3f1d6f0a44",
    "event": "5b0d4f1e-6c0c-4a5e-9d0b-6f3f0a2f4c11",
    "type": "verification.completed",
    "state": "pending",
    "attempts": 1,
    "replays": 0,
    "last_status": 503,
    "error": "HTTP 503",
    "next_at": "2026-11-21T18:09:12Z",
    "created_at": "2026-11-21T18:04:11Z",
    "finished_at": None,
}
LOGGED_DELIVERY: dict[str, Any] = {
    **DELIVERY,
    "log": [
        {
            "created_at": "2026-11-21T18:04:12Z",
            "status": 503,
            "error": "HTTP 503",
            "excerpt": "try later",
            "duration_ms": 87,
        }
    ],
}
