"""What tests of learning share: answers of one project with their reports."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from tests.factories import (
    InteractionFactory,
    MembershipFactory,
    ProjectFactory,
    UserFactory,
)
from verifyhub.accounts.models import Project, Role, User
from verifyhub.engine.verdicts import VerificationReport
from verifyhub.ingest.models import Interaction
from verifyhub.learning.models import CalibrationModel, LabelledExample
from verifyhub.learning.services import (
    fit_calibration,
    learn_from_override,
    record_answer,
)


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


@pytest.fixture
def lead(client: Client, project: Project, reviewer: User) -> Client:
    """A browser of the reviewer, who is a lead."""
    MembershipFactory(project=project, user=reviewer, role=Role.LEAD)
    client.force_login(reviewer)
    return client


@pytest.fixture
def viewer(client: Client, project: Project) -> Client:
    """A browser of a viewer."""
    client.force_login(MembershipFactory(project=project, role=Role.VIEWER).user)
    return client


@pytest.fixture
def fitted(project: Project, reviewer: User) -> Callable[..., CalibrationModel]:
    """Fit a check's calibration to the decisions so far."""

    def act(check: str = "verdict") -> CalibrationModel:
        return fit_calibration(
            project=project, check=check, actor=reviewer, now=timezone.now()
        )

    return act
