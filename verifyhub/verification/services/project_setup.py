"""The settings of a project that its verdicts use."""

import base64
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

from django.conf import settings
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
from verifyhub.engine.goals.check import GoalInputs
from verifyhub.engine.judging.examples import Example
from verifyhub.engine.layer_results import RiskLevel
from verifyhub.engine.ledger.seal import Gateways
from verifyhub.engine.levels import schema
from verifyhub.engine.levels.run import LevelInputs
from verifyhub.engine.mitigation_results import BlockingLine
from verifyhub.engine.ports import FileTree, Model
from verifyhub.engine.presets.domains import DomainVerifier, choose_domain, read_domains
from verifyhub.engine.presets.strictness import Strictness, apply_strictness, moved
from verifyhub.engine.risk.profiles import Profile, read_profiles
from verifyhub.engine.thresholds import Thresholds
from verifyhub.engine.types import Interaction
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
from verifyhub.verification.models import GatewayKey, ToolSchema, Verification
from verifyhub.verification.workspace import WorkspaceTree

# Most projects have no row of these: one query about all saves one for each.
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
        agents: The agents whose answers are verified, by project.
    """
    rows = _PROJECTS(ids=list(agents))
    return {project.pk: ProjectSetup(project, agents[project.pk]) for project in rows}


class ProjectSetup:
    """Settings of a project, read lazily.

    An instance serves one batch of verifications; changes apply from the next batch.

    Attributes:
        project: The tenant.
    """

    def __init__(self, project: Project, agents: Collection[str]) -> None:
        """Bind a project.

        Args:
            project: The tenant; a row of `setups_of`.
            agents: The names of agents whose answers are verified.
        """
        self.project, self._agents = project, agents
        self._thresholds: dict[tuple[Strictness, str], Thresholds] = {}

    def _has(self, name: str) -> bool:
        return bool(getattr(self.project, f"has_{name}"))

    @cached_property
    def models(self) -> TierModels:
        return TierModels.of(self.project) if self._has("models") else TierModels([])

    @cached_property
    def asks_models(self) -> bool:
        """Whether verdicts call a model, which takes seconds."""
        return self.models.verifiers("") != (None, None)

    @cached_property
    def earlier_window(self) -> tuple[int, int]:
        """Number and maximum age of a session's earlier answers used as evidence."""
        try:
            own = self.own_thresholds
        except ThresholdError:
            # The engine reports the invalid thresholds.
            return 0, 0
        return own.earlier_turns, own.earlier_hours

    @cached_property
    def own_thresholds(self) -> Thresholds:
        """The thresholds before presets adjust them."""
        return Thresholds.with_overrides(self.project.thresholds)

    def thresholds(self, strictness: Strictness, domain: DomainVerifier) -> Thresholds:
        """Return the thresholds adjusted by a strictness and a domain."""
        thresholds = self._thresholds.get((strictness, domain.name))
        if thresholds is None:
            thresholds = moved(
                apply_strictness(self.own_thresholds, strictness), domain.thresholds
            )
            self._thresholds[strictness, domain.name] = thresholds
        return thresholds

    @cached_property
    def domains(self) -> Sequence[DomainVerifier]:
        """The project's own domain verifiers."""
        return read_domains(self.project.domains)

    @cached_property
    def risk_profiles(self) -> Mapping[RiskLevel, Profile]:
        return read_profiles(self.project.risk_profiles)

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
        """The active blocking threshold, if any."""
        rule = conformal_in_force(self.project) if self._has("rules") else None
        if rule is None:
            return None
        return BlockingLine(
            check=rule.check_name, below=rule.score, version=rule.version
        )

    @cached_property
    def priors(self) -> Mapping[str, Prior]:
        """The track records of the agents."""
        return agent_priors(self.project, agents=self._agents, now=timezone.now())


def file_tree(project: Project) -> FileTree | None:
    """Return the files of a project; None if the operator declared no folder."""
    root = settings.WORKSPACE_ROOTS.get(project.slug)
    return WorkspaceTree(root) if root else None


def gateways(project: Project) -> Gateways:
    """Return the gateways whose signatures the project trusts."""
    rows = GatewayKey.objects.filter(project=project, revoked_at=None)
    return Gateways(
        project=project.slug,
        keys={row.key_id: base64.b64decode(row.public_key) for row in rows},
    )


_SCHEMAS = PreparedQuery(lambda project: ToolSchema.objects.filter(project=project))


def level_inputs(project: Project, *, with_schemas: bool) -> LevelInputs:
    """Return the inputs of the three levels for one verification."""
    return LevelInputs(
        schemas=[
            schema.LevelSchema(
                reference=row.reference, tool=row.tool, schema=row.schema
            )
            for row in (_SCHEMAS(project=project.id) if with_schemas else ())
        ],
        tree=file_tree(project),
        clock=time.monotonic,
    )


@dataclass(frozen=True, slots=True)
class Policy:
    """The settings that apply to one verification."""

    thresholds: Thresholds
    domain: DomainVerifier
    strictness: Strictness

    def goal_inputs(
        self, model: Model | None, examples: Sequence[Example]
    ) -> GoalInputs:
        """Return the inputs of the goal check, with the available judge.

        Its examples are those about a whole answer.
        """
        return GoalInputs(
            examples=[example for example in examples if not example.subject],
            model=model,
            domain=self.domain,
            strictness=self.strictness,
        )


def policy_for(
    setup: ProjectSetup, verification: Verification, interaction: Interaction
) -> Policy:
    """Return thresholds, domain and strictness of a verification.

    The requester's choice takes precedence over the project's preset. A domain only
    makes thresholds stricter, since a run may name its own.
    """
    project = setup.project
    strictness = Strictness(verification.strictness or project.strictness)
    domain = choose_domain(interaction, own=setup.domains, default=project.domain)
    return Policy(setup.thresholds(strictness, domain), domain, strictness)
