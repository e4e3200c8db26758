"""What tests of learning share: answers of one project with their reports."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest

from tests.factories import InteractionFactory, ProjectFactory, UserFactory
from verifyhub.accounts.models import Project, User
from verifyhub.engine.verdicts import VerificationReport
from verifyhub.ingest.models import Interaction
from verifyhub.learning.models import LabelledExample
from verifyhub.learning.services import learn_from_override, record_answer


def a_report(**fields: Any) -> VerificationReport:
    """A rejected answer with one invented name, as the engine would report it."""
    return VerificationReport.from_dict(
        {
            "schema": 1,
            "verdict": "reject",
            "confidence": 0.33,
            "completeness": None,
            "mentions": [
                {
                    "text": "ghost.py",
                    "kind": "file",
                    "key": "ghost.py",
                    "status": "unverified",
                    "reason": "not_found",
                    "grade": None,
                    "spans": [[0, 8]],
                    "evidence": [],
                }
            ],
            "completion_claims": [],
            "checks": [
                {
                    "name": "grounding",
                    "outcome": "failed",
                    "score": 0.0,
                    "reason": "unverified_names",
                    "details": {},
                }
            ],
            "warnings": [],
            "gaps": [],
            "decision": {"action": "reformulate", "reason": "very_low_confidence"},
            "goal": None,
            "attempt": 1,
            **fields,
        }
    )


@pytest.fixture
def project(db: None) -> Project:
    return ProjectFactory(slug="acme", name="Acme")


@pytest.fixture
def reviewer(db: None) -> User:
    return UserFactory(username="ada")


@pytest.fixture
def an_answer(project: Project) -> Callable[..., Interaction]:
    def make(report: VerificationReport | None = None, **fields: Any) -> Interaction:
        interaction = InteractionFactory(**{"project": project, **fields})
        record_answer(
            interaction=interaction,
            verification_id=uuid4(),
            report=report or a_report(),
        )
        return interaction

    return make


def decide(interaction: Interaction, reviewer: User, **fields: Any) -> list[Any]:
    """Have a person overrule the verdict on an answer, or what `fields` say."""
    return learn_from_override(
        **{
            "project": interaction.project,
            "interaction": interaction,
            "verification_id": uuid4(),
            "report": a_report(),
            "override_id": uuid4(),
            "target": LabelledExample.Target.VERDICT,
            "before": "reject",
            "after": "accept",
            "reason": "The file is generated at build time.",
            "actor": reviewer,
            **fields,
        }
    )


@pytest.fixture
def teach(reviewer: User) -> Callable[..., list[Any]]:
    return lambda interaction, **fields: decide(interaction, reviewer, **fields)
