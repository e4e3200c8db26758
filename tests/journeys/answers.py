"""Answers sent through the API and verified at once, as the journeys need them."""

import json
from typing import Any

from django.test import Client

from verifyhub.ingest.models import Interaction
from verifyhub.verification.models import Verification
from verifyhub.verification.services import run_verification

LISTING = {
    "tool": "list_files",
    "input": {"path": "."},
    "output": "tide.py\nmoon.py\n",
    "status": "ok",
}


def posted(api: Client, answer: str, **fields: Any) -> Any:
    """Send an answer about a folder of two files and return the reply."""
    body = {"task": "Have a look.", "answer": answer, "tool_calls": [LISTING], **fields}
    return api.post(
        "/api/v1/interactions/", json.dumps(body), content_type="application/json"
    )


def sent(api: Client, answer: str, **fields: Any) -> tuple[Interaction, dict[str, Any]]:
    """Send an answer and return it with its verdict, verified at once."""
    reply = posted(api, answer, **fields)
    assert reply.status_code == 202, reply.content
    row = Verification.objects.get(
        interaction=reply.json()["links"]["self"].split("/")[-2]
    )
    run_verification(verification_id=row.id)
    return row.interaction, api.get(reply.json()["links"]["verdict"]).json()


def shell(command: str, output: str) -> dict[str, Any]:
    """Return a successful call of a shell."""
    return {
        "tool": "Bash",
        "input": {"command": command},
        "output": output,
        "status": "ok",
    }
