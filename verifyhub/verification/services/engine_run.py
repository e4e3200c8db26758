"""Run the engine on stored interactions, with their projects' settings."""

import time
from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, replace
from uuid import UUID

from verifyhub.common.prepared import PreparedQuery
from verifyhub.common.tracing import span
from verifyhub.engine.claims.check import NAME as CLAIMS
from verifyhub.engine.decisions.attempts import MAX_CHAIN
from verifyhub.engine.decisions.detection import DetectionInputs
from verifyhub.engine.earlier.turns import EarlierTurns
from verifyhub.engine.goals.check import GoalInputs
from verifyhub.engine.judging.examples import Example
from verifyhub.engine.layer_results import RiskLevel
from verifyhub.engine.layers.base import LayerTools
from verifyhub.engine.ledger.seal import Gateways
from verifyhub.engine.levels.run import LevelInputs
from verifyhub.engine.pipeline import Judges, VerificationRequest, verify
from verifyhub.inference.services import MeteredModel, verifiers_for
from verifyhub.ingest.models import Interaction
from verifyhub.ingest.selectors import ancestors, load_calls, require_outputs
from verifyhub.learning.holdouts import is_held_out
from verifyhub.learning.models import FeedbackKind
from verifyhub.learning.selectors import examples_for
from verifyhub.memory.selectors import names_delivered_as_verified
from verifyhub.verification.check_choices import Layers
from verifyhub.verification.models import Verification
from verifyhub.verification.selectors import attempts_among, inventions_of
from verifyhub.verification.services.earlier import load_earlier
from verifyhub.verification.services.fact_inputs import claim_inputs, wants_claims
from verifyhub.verification.services.layer_run import enabled_layers, layer_tools
from verifyhub.verification.services.project_setup import ProjectSetup, setups_of
from verifyhub.verification.steps import FinishedVerification


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineRun:
    """A verification with all inputs of the engine.

    Attributes:
        verification: The row, with interaction, session and project.
        setup: The project's settings.
        model: The model that checks the answer, if there is one.
        second: The second verifier, if there is one.
        attempt: The number of the answer's attempt at its task, from 1.
        earlier_inventions: Kind and key of names for which earlier attempts had no
            evidence.
        earlier: Calls of earlier answers, and entries that memory delivered.
        parent_missing: Whether the answer's parent had not arrived.
    """

    verification: Verification
    setup: ProjectSetup
    model: MeteredModel | None
    second: MeteredModel | None
    attempt: int
    earlier_inventions: frozenset[tuple[str, str]]
    earlier: EarlierTurns
    parent_missing: bool

    def result(self, *, answer: str | None = None) -> FinishedVerification:
        """Run the engine, outside any transaction, since it may call models.

        Args:
            answer: A text to verify instead of the agent's answer, over the same trace.
                The agent's self-assessment does not apply to it.
        """
        started = time.monotonic()
        return FinishedVerification(
            interaction=self.verification.interaction,
            verification_id=self.verification.id,
            verification=self.verification,
            report=verify(self._request(answer)),
            attempt=self.attempt,
            parent_missing=self.parent_missing,
            duration_ms=round((time.monotonic() - started) * 1000),
        )

    def _request(self, answer: str | None) -> VerificationRequest:
        verification, setup, model = self.verification, self.setup, self.model
        row, project = verification.interaction, setup.project
        with_layers = verification.with_layers or project.layers_run == Layers.BY_RISK
        with_claims, enabled = wants_claims(setup, row), enabled_layers(project)
        examples = _examples(row) if model is not None else []
        interaction = row.in_engine
        if answer is not None:
            interaction = replace(
                interaction, answer=answer, self_assessment=None, structured_output=None
            )
        claims, tools = None, LayerTools()
        if with_claims:
            claims = claim_inputs(row, interaction, model, layers=with_layers)
        if with_layers:
            search = claims.search if claims else None
            tools = layer_tools(project, row.agent_tier, verification.id, search)
        rules = setup.rules.of(interaction, verification.strictness)
        return VerificationRequest(
            replace(interaction, id=row.client_id or str(row.id)),
            thresholds=rules.thresholds,
            tool_rules=setup.rules.tool_rules,
            pairs=setup.rules.pairs,
            earlier=self.earlier,
            attempt=self.attempt,
            judges=Judges(model=model, second=self.second, examples=examples),
            goal_inputs=GoalInputs(
                # Those about a whole answer.
                examples=[example for example in examples if not example.subject],
                model=model,
                domain=rules.domain,
                strictness=rules.strictness,
            ),
            earlier_inventions=self.earlier_inventions,
            level_inputs=LevelInputs(
                schemas=setup.schemas, tree=setup.tree, clock=time.monotonic
            ),
            # Most traces have no signature.
            gateways=setup.gateways if interaction.trace_signature else Gateways(),
            prior=setup.priors.get(row.agent_name),
            claim_inputs=claims,
            claim_calibrator=setup.calibrators.get(CLAIMS),
            detection_inputs=DetectionInputs(
                tools=tools,
                profiles=setup.rules.risk_profiles,
                level=RiskLevel(project.risk_level) if project.risk_level else None,
                calibrators=setup.calibrators if with_layers else {},
                enabled=enabled,
                run=with_layers,
                asked=verification.with_layers,
            ),
            blocking_line=setup.blocking_line,
            stage=lambda name: span(f"engine.{name}"),
        )


_ROWS = PreparedQuery(
    lambda ids: (
        Verification.objects.filter(pk__any_of=ids)
        .select_related("interaction__session")
        .order_by("created_at", "id")
    )
)


def load_runs(verification_ids: Collection[UUID]) -> list[EngineRun]:
    """Load verifications with all inputs of the engine, oldest first.

    A few queries in all, and a few for each project. Each package is asked once.

    Raises:
        OutputsRemovedError: If the tool outputs of one were removed.
    """
    rows = _ROWS(ids=list(verification_ids))
    answers = [row.interaction for row in rows]
    agents: dict[UUID, set[str]] = defaultdict(set)
    for answer in answers:
        agents[answer.project_id].add(answer.agent_name)
    setups = setups_of(agents)
    for row in rows:
        row.project = row.interaction.project = setups[row.project_id].project
    models = {
        row.id: verifiers_for(
            project=row.project,
            executor_tier=row.interaction.agent_tier,
            verification_id=row.id,
            models=setups[row.project_id].models,
        )
        for row in rows
    }
    windows = {key: setup.rules.earlier_window for key, setup in setups.items()}
    for answer in answers:
        require_outputs(answer)
    load_calls(answers)
    upper = ancestors(answers, steps=MAX_CHAIN)
    delivered = names_delivered_as_verified(answers)
    attempts = attempts_among(answers, upper)
    inventions = inventions_of(attempts)
    earlier = load_earlier(
        answers,
        upper=upper,
        attempts=attempts,
        delivered=delivered,
        windows=windows,
        setups=setups,
    )
    return [
        EngineRun(
            verification=row,
            setup=setups[row.project_id],
            model=models[row.id][0],
            second=models[row.id][1],
            attempt=len(attempts[row.interaction_id]) + 1,
            earlier_inventions=inventions[row.interaction_id],
            earlier=earlier[row.interaction_id],
            parent_missing=bool(row.interaction.parent)
            and not upper[row.interaction_id],
        )
        for row in rows
    ]


def run_engine(
    verification_id: UUID, *, answer: str | None = None
) -> FinishedVerification:
    """Run the engine over one verification; see `EngineRun.result`."""
    (run,) = load_runs([verification_id])
    return run.result(answer=answer)


def _examples(row: Interaction) -> list[Example]:
    """Select the examples for the verifiers, none of them from the answer itself."""
    key = row.session.key if row.session else ""
    if is_held_out(project=row.project, session_key=key, kind=FeedbackKind.EXAMPLES):
        return []
    return examples_for(
        project=row.project, task=row.task, answer=row.answer, without=row.id
    )
