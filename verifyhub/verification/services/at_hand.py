"""The inputs with which a text is verified and rewritten."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db import models

from verifyhub.engine.claim_results import ClaimResult
from verifyhub.engine.claims.check import ClaimInputs, check_claims
from verifyhub.engine.decisions.detection import subject_of
from verifyhub.engine.layer_results import DetectionResult, LayerName, Risk, RiskLevel
from verifyhub.engine.layers.run import run_layers
from verifyhub.engine.mitigation.rewrite import RewriteSubject
from verifyhub.engine.mitigation.text_report import failed_detection, text_report
from verifyhub.engine.passages import PassageSearch
from verifyhub.engine.risk.profiles import read_profiles
from verifyhub.engine.types import Interaction
from verifyhub.engine.verdicts import VerificationReport
from verifyhub.inference.services import MeteredModel, verifier_for
from verifyhub.ingest.selectors import to_engine
from verifyhub.knowledge.services import search_in
from verifyhub.learning.selectors.in_force import calibrators_in_force
from verifyhub.verification.models import MitigationAttempt, Work
from verifyhub.verification.services.engine_run import run_engine
from verifyhub.verification.services.fact_inputs import judge_of
from verifyhub.verification.services.layer_run import layer_tools


@dataclass(frozen=True, slots=True, kw_only=True)
class AtHand:
    """The inputs of one row of work.

    Attributes:
        row: The row of work.
        interaction: The text's run; for a text without a run, only its sources.
        model: The model that writes; None if the project has none.
        search: Finds passages of the evidence.
    """

    row: Work
    interaction: Interaction
    model: MeteredModel | None
    search: PassageSearch

    def subject(self) -> RewriteSubject:
        """Return the text with the verdict on it."""
        return RewriteSubject(
            task=self.row.task,
            answer=self.row.text,
            report=self._verdict_so_far(),
            search=self.search,
        )

    def verify(self, text: str) -> VerificationReport:
        """Verify a text in the same way as the row's own text."""
        if self.row.verification_id is None:
            return text_report(self.check_facts(text), self._layers_again(text))
        return run_engine(self.row.verification_id, answer=text).report

    def check_facts(self, text: str) -> Sequence[ClaimResult]:
        """Check the claims of a text against the evidence."""
        inputs = ClaimInputs(search=self.search, judge=judge_of(self.model))
        run = replace(self.interaction, answer=text)
        return check_claims(run, inputs=inputs).claims

    def _layers_again(self, text: str) -> DetectionResult | None:
        """Run the failed layers, as listed in the request, on another text."""
        names = [LayerName(layer["layer"]) for layer in self._failed_layers]
        if not names:
            return None
        project = self.row.project
        own = read_profiles(project.risk_profiles)[RiskLevel.MEDIUM]
        return run_layers(
            subject_of(replace(self.interaction, answer=text)),
            tools=layer_tools(
                project, self.interaction.agent.tier, self.row.id, self.search
            ),
            risk=Risk(level=RiskLevel.MEDIUM, by="default"),
            profile=replace(own, layers=tuple(names)),
            calibrators=calibrators_in_force(project),
        )

    @property
    def _failed_layers(self) -> Sequence[Mapping[str, Any]]:
        row = self.row
        return row.failed_layers if isinstance(row, MitigationAttempt) else ()

    def _verdict_so_far(self) -> VerificationReport:
        verification = self.row.verification
        if verification is not None and verification.report:
            return verification.verdict_object
        failed = failed_detection(self._failed_layers)
        return text_report(self.check_facts(self.row.text), failed)


def name_of(actor: models.Model | None) -> str:
    """Return the requester's name, for a row of work."""
    return str(actor)[: Work.MAX_ASKED_BY] if actor else "system"


def at_hand(row: Work) -> AtHand:
    """Return the inputs of a row of work."""
    interaction = (
        to_engine(row.interaction)
        if row.interaction
        else Interaction(task=row.task, answer=row.text, sources=row.sources)
    )
    model = verifier_for(
        project=row.project,
        executor_tier=interaction.agent.tier,
        verification_id=row.verification_id,
    )
    search = search_in(
        row.project,
        interaction,
        session_id=row.interaction.session_id if row.interaction else None,
    )
    return AtHand(row=row, interaction=interaction, model=model, search=search)
