"""One run of the engine over a stored interaction, with what its project set up."""

import time
from dataclasses import dataclass, replace
from uuid import UUID

from django.utils import timezone

from verifyhub.accounts.models import Project
from verifyhub.engine.calls.tool_rules import read_tool_rules
from verifyhub.engine.claims.check import NAME as CLAIMS
from verifyhub.engine.judging.examples import Example
from verifyhub.engine.ledger.seal import Gateways
from verifyhub.engine.mitigation_results import BlockingLine
from verifyhub.engine.pipeline import Judges, VerificationRequest, verify
from verifyhub.engine.verdicts import VerificationReport
from verifyhub.inference.services import verifiers_for
from verifyhub.ingest.models import Interaction
from verifyhub.ingest.selectors import to_engine
from verifyhub.learning.holdouts import held_out
from verifyhub.learning.models import FeedbackKind
from verifyhub.learning.selectors import agent_prior, examples_for
from verifyhub.learning.selectors.in_force import (
    calibrators_in_force,
    conformal_in_force,
)
from verifyhub.verification.adapters import gateways, level_inputs, policy_for
from verifyhub.verification.models import Verification
from verifyhub.verification.selectors import earlier_attempts, inventions_of
from verifyhub.verification.services.fact_inputs import claim_inputs
from verifyhub.verification.services.layer_run import detection_inputs


@dataclass(frozen=True, slots=True)
class EngineResult:
    """The verdict object, how long it took, and which attempt was judged.

    Attributes:
        verification: The row as it was read, with interaction, session and project.
    """

    verification: Verification
    report: VerificationReport
    duration_ms: int
    attempt: int


def run_engine(verification_id: UUID, *, answer: str | None = None) -> EngineResult:
    """Run the engine; called outside any transaction, since models may be asked.

    Args:
        verification_id: The verification that is run.
        answer: Another text in the place of the agent's answer, over the same trace;
            what the agent said of its own answer does not speak for it.
    """
    verification = Verification.objects.select_related(
        "interaction__session", "project"
    ).get(pk=verification_id)
    row, project = verification.interaction, verification.project
    row.project = project
    started = time.monotonic()
    model, second = verifiers_for(
        project=project, executor_tier=row.agent_tier, verification_id=verification.id
    )
    attempts = earlier_attempts(row)
    interaction = to_engine(row)
    if answer is not None:
        interaction = replace(
            interaction, answer=answer, self_assessment=None, structured_output=None
        )
    policy = policy_for(verification, interaction)
    examples = _examples(row) if model is not None else []
    claims = claim_inputs(row, interaction, model)
    request = VerificationRequest(
        replace(interaction, id=row.client_id or str(row.id)),
        thresholds=policy.thresholds,
        tool_rules=read_tool_rules(project.tool_rules),
        attempt=len(attempts) + 1,
        judges=Judges(model=model, second=second, examples=examples),
        goal_inputs=policy.goal_inputs(model, examples),
        earlier_inventions=inventions_of(attempts),
        level_inputs=level_inputs(project),
        # Most traces have no signature.
        gateways=gateways(project) if interaction.trace_signature else Gateways(),
        prior=agent_prior(project, agent=row.agent_name, now=timezone.now()),
        claim_inputs=claims,
        claim_calibrator=calibrators_in_force(project).get(CLAIMS),
        detection_inputs=detection_inputs(
            verification, claims.search if claims else None
        ),
        blocking_line=_blocking_line(project),
    )
    report = verify(request)
    duration_ms = round((time.monotonic() - started) * 1000)
    return EngineResult(verification, report, duration_ms, len(attempts) + 1)


def _blocking_line(project: Project) -> BlockingLine | None:
    """Return the threshold that a lead switched on, if one did."""
    rule = conformal_in_force(project)
    if rule is None:
        return None
    return BlockingLine(check=rule.check_name, below=rule.score, version=rule.version)


def _examples(row: Interaction) -> list[Example]:
    """Choose what the verifiers are shown; nothing of the answer at hand itself."""
    key = row.session.key if row.session else ""
    if held_out(project=row.project, session_key=key, kind=FeedbackKind.EXAMPLES):
        return []
    return examples_for(
        project=row.project, task=row.task, answer=row.answer, without=row.id
    )
