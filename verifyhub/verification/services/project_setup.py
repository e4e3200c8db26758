"""What the verdicts of one project are made with."""

from collections.abc import Collection, Mapping
from functools import cached_property
from uuid import UUID

from django.db import models
from django.db.models import Exists, OuterRef
from django.utils import timezone

from verifyhub.accounts.models import Project
from verifyhub.common.prepared import PreparedQuery
from verifyhub.engine.calibration.calibrator import Calibrator
from verifyhub.engine.calls.pairs import Pairs, read_pairs
from verifyhub.engine.calls.tool_rules import read_tool_rules
from verifyhub.engine.calls.tools import ToolKind
from verifyhub.engine.decisions.prior import Prior
from verifyhub.engine.errors import ThresholdError
from verifyhub.engine.ledger.seal import Gateways
from verifyhub.engine.levels.run import LevelInputs
from verifyhub.engine.mitigation_results import BlockingLine
from verifyhub.engine.thresholds import Thresholds
from verifyhub.inference.models import TierModel
from verifyhub.inference.selectors import TierModels
from verifyhub.knowledge.models import Document
from verifyhub.knowledge.selectors import has_knowledge
from verifyhub.learning.models import BlockingRule, CalibrationModel
from verifyhub.learning.selectors import agent_priors
from verifyhub.learning.selectors.in_force import (
    calibrators_in_force,
    conformal_in_force,
)
from verifyhub.verification.adapters import gateways, level_inputs
from verifyhub.verification.models import ToolSchema

# What most projects have no row of: one look at all spares one at each.
_RARE: Mapping[str, type[models.Model]] = {
    "has_models": TierModel,
    "has_schemas": ToolSchema,
    "has_documents": Document,
    "has_calibrations": CalibrationModel,
    "has_rules": BlockingRule,
}
_PROJECTS = PreparedQuery(
    lambda ids: Project.objects.filter(pk__any_of=ids).annotate(
        **{
            name: Exists(model._default_manager.filter(project=OuterRef("pk")))
            for name, model in _RARE.items()
        }
    )
)


def setups_of(agents: Mapping[UUID, Collection[str]]) -> dict[UUID, "ProjectSetup"]:
    """Return the settings of projects by their ids.

    Args:
        agents: Whose answers are verified, by project.
    """
    rows = _PROJECTS(ids=list(agents))
    return {one.pk: ProjectSetup(one, agents[one.pk]) for one in rows}


class ProjectSetup:
    """Settings of a project, each read when it is first asked for.

    One serves the verifications of one batch, so a change counts from the next batch.

    Attributes:
        project: Whose they are.
    """

    def __init__(self, project: Project, agents: Collection[str]) -> None:
        """Bind a project.

        Args:
            project: Whose settings are read; a row of `setups_of`.
            agents: Whose answers are verified, by name.
        """
        self.project, self._agents = project, agents

    def _has(self, name: str) -> bool:
        return bool(getattr(self.project, f"has_{name}"))

    @cached_property
    def models(self) -> TierModels:
        return TierModels.of(self.project) if self._has("models") else TierModels([])

    @cached_property
    def asks_models(self) -> bool:
        """Whether a verdict waits for a model; then it takes seconds."""
        return self.models.verifiers("") != (None, None)

    @cached_property
    def earlier_window(self) -> tuple[int, int]:
        """How many earlier answers of a session count as evidence, and how old ones."""
        try:
            own = Thresholds.with_overrides(self.project.thresholds)
        except ThresholdError:
            # The run itself says what is wrong with them.
            return 0, 0
        return own.earlier_turns, own.earlier_hours

    @cached_property
    def tool_rules(self) -> dict[str, ToolKind]:
        return read_tool_rules(self.project.tool_rules)

    @cached_property
    def pairs(self) -> Pairs:
        return read_pairs(self.project.name_pairs, self.project.tool_deeds)

    @cached_property
    def level_inputs(self) -> LevelInputs:
        return level_inputs(self.project, with_schemas=self._has("schemas"))

    @cached_property
    def gateways(self) -> Gateways:
        return gateways(self.project)

    @cached_property
    def has_knowledge(self) -> bool:
        return self._has("documents") and has_knowledge(self.project)

    @cached_property
    def calibrators(self) -> dict[str, Calibrator]:
        return calibrators_in_force(self.project) if self._has("calibrations") else {}

    @cached_property
    def blocking_line(self) -> BlockingLine | None:
        """The threshold that a lead switched on, if one did."""
        rule = conformal_in_force(self.project) if self._has("rules") else None
        if rule is None:
            return None
        return BlockingLine(
            check=rule.check_name, below=rule.score, version=rule.version
        )

    @cached_property
    def priors(self) -> Mapping[str, Prior]:
        """The records of the agents."""
        return agent_priors(self.project, agents=self._agents, now=timezone.now())
