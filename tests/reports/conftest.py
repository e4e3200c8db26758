"""What tests of reports share: rules, answers with verdicts, and a mail server."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from tests.factories import InteractionFactory, VerificationFactory
from verifyhub.accounts.models import Membership, Project
from verifyhub.reports.models import AlertRule
from verifyhub.reports.services.alerts import save_rule
from verifyhub.verification.models import Verdict


@pytest.fixture
def settle() -> Callable[[], None]:
    """Number the events of a test's own transaction, as its commit would."""
    return connection.check_constraints


@pytest.fixture
def rule(project: Project) -> Callable[..., AlertRule]:
    """Make a rule of the project; `to` names members."""

    def made(*, to: tuple[Membership, ...] = (), **fields: Any) -> AlertRule:
        values = {"name": "Watch", "measure": "flagged_share", "threshold": 0.5}
        return save_rule(
            rule=AlertRule(project=project, **{**values, "least": 4, **fields}),
            recipients=to,
            actor=None,
        )

    return made


@pytest.fixture
def answers(project: Project) -> Callable[..., None]:
    """Store so many checked answers with each verdict."""

    def stored(*, agent: str = "coder", at: Any = None, **verdicts: int) -> None:
        for verdict, count in verdicts.items():
            for _ in range(count):
                interaction = InteractionFactory(project=project, agent_name=agent)
                if at is not None:
                    type(interaction).objects.filter(pk=interaction.pk).update(
                        created_at=at
                    )
                    interaction.refresh_from_db()
                VerificationFactory(interaction=interaction, verdict=Verdict(verdict))

    return stored
