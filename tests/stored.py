"""Runs that are stored and verified the real way, with or without a model."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection

from tests.model_server import ModelServer, Respond, model_server
from verifyhub.accounts.models import Project
from verifyhub.engine.cross_tier.tiers import Tier
from verifyhub.engine.llm.configure import ModelSettings
from verifyhub.engine.llm.endpoint import ReplyMode
from verifyhub.engine.types import Interaction
from verifyhub.ingest.services import record_interaction
from verifyhub.verification.models import Verification
from verifyhub.verification.services import run_verification

BOTH_TIERS = {Tier.MEDIUM: "medium-1", Tier.LARGE: "large-1"}


def verify_stored(project: Project, run: Interaction) -> Verification:
    """Record a run, and verify it."""
    row, _ = record_interaction(project=project, api_key=None, interaction=run)
    verification = row.verifications.get()
    assert run_verification(verification_id=verification.id)
    verification.refresh_from_db()
    return verification


@contextmanager
def pending_verified() -> Iterator[None]:
    """Verify whatever is pending, in a thread, until the block ends."""
    over = threading.Event()

    def work() -> None:
        while not over.wait(0.02):
            for row in Verification.objects.filter(state="pending"):
                run_verification(verification_id=row.id)
        connection.close()

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


@contextmanager
def configured_model(
    settings: Any, respond: Respond, **changes: Any
) -> Iterator[ModelServer]:
    """Serve a model that the server's settings name; no probe asks it first."""
    with model_server(respond) as server:
        settings.MODELS = ModelSettings(
            base_url=server.base_url,
            **{
                "models": {Tier.MEDIUM: "medium-1"},
                "reply_mode": ReplyMode.FORCED_TOOL,
                **changes,
            },
        )
        yield server
