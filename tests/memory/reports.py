"""Verdict objects as the engine makes them, and answers that carry them."""

import datetime as dt
from typing import Any
from uuid import uuid4

from tests.factories import ApiKeyFactory, InteractionFactory, SessionFactory
from verifyhub.accounts.models import ApiKey, Project, User
from verifyhub.common.effects import Effect
from verifyhub.engine.verdicts import VerificationReport
from verifyhub.ingest.models import Interaction, Session
from verifyhub.learning.services import JudgedReport
from verifyhub.memory.services import apply_mention_override, remember_reports
from verifyhub.verification.models import MentionVerdict

NOW = dt.datetime(2026, 3, 1, 12, tzinfo=dt.UTC)


def mention(
    text: str,
    *,
    status: str = "unverified",
    kind: str = "package",
    reason: str | None = None,
    suggestion: str | None = None,
) -> dict[str, Any]:
    verified = status == "verified"
    data = {
        "text": text,
        "kind": kind,
        "key": text.lower(),
        "spans": [[0, len(text)]],
        "status": status,
        "reason": reason or ("found" if verified else "not_found"),
        "grade": "C" if verified else None,
        "evidence": [],
    }
    return data if suggestion is None else {**data, "suggestion": suggestion}


def report(*mentions: dict[str, Any], **fields: Any) -> VerificationReport:
    return VerificationReport.from_dict(
        {"confidence": 0.8, "coverage": 1.0, "mentions": mentions, **fields}
    )


def remember(
    project: Project,
    *mentions: dict[str, Any],
    session: Session | None = None,
    key: ApiKey | None = None,
    days: float = 0,
    **fields: Any,
) -> Interaction:
    """Store an answer of a session and a key of its own, unless told whose."""
    interaction = InteractionFactory(
        project=project,
        session=session or SessionFactory(project=project),
        api_key=key or ApiKeyFactory(project=project),
    )
    remember_again(interaction, *mentions, days=days, **fields)
    return interaction


def recur(project: Project, times: int) -> None:
    """Store answers of so many sessions and keys that all invent one package."""
    for _ in range(times):
        remember(project, mention("mind-auth"))


def remember_again(
    interaction: Interaction, *mentions: dict[str, Any], days: float = 0, **fields: Any
) -> None:
    judged = JudgedReport(interaction, uuid4(), report(*mentions, **fields))
    remember_reports([judged], now=NOW + dt.timedelta(days=days))


def say(
    interaction: Interaction,
    text: str,
    status: str,
    actor: User,
    suggestion: str = "",
    kind: str = "package",
) -> list[Effect]:
    """Decide about a name of an answer."""
    return apply_mention_override(
        project=interaction.project,
        interaction=interaction,
        mention=MentionVerdict(text=text, kind=kind, key=text.lower()),
        status=status,
        override_id=uuid4(),
        actor=actor,
        suggestion=suggestion,
    )
