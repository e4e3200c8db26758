"""The settings of a project that its verdicts use."""

import base64
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
from verifyhub.engine.decisions.prior import Prior
from verifyhub.engine.decisions.project_rules import ProjectRules
from verifyhub.engine.ledger.seal import Gateways
from verifyhub.engine.levels.schema import LevelSchema
from verifyhub.engine.mitigation_results import BlockingLine
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
from verifyhub.verification.models import GatewayKey, ToolSchema
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
_SCHEMAS = PreparedQuery(lambda project: ToolSchema.objects.filter(project=project))


@dataclass(frozen=True, kw_only=True)
class ProjectSetup:
    """Settings of a project, for one batch; changes apply from the next batch."""

    project: Project
    rules: ProjectRules
    schemas: Sequence[LevelSchema]
    # The track records of the agents.
    priors: Mapping[str, Prior]
    calibrators: Mapping[str, Calibrator]
    blocking_line: BlockingLine | None
    models: TierModels
    has_documents: bool

    @cached_property
    def asks_models(self) -> bool:
        """Whether verdicts call a model, which takes seconds."""
        return self.models.verifiers("") != (None, None)

    @cached_property
    def gateways(self) -> Gateways:
        return gateways(self.project)

    @cached_property
    def has_knowledge(self) -> bool:
        return self.has_documents and has_knowledge(self.project)

    @property
    def tree(self) -> WorkspaceTree | None:
        """The project's files, for one run; None if the operator named no folder."""
        root = settings.WORKSPACE_ROOTS.get(self.project.slug)
        return WorkspaceTree(root) if root else None


def setups_of(agents: Mapping[UUID, Collection[str]]) -> dict[UUID, ProjectSetup]:
    """Read the settings of projects; return them by their ids.

    Args:
        agents: The agents whose answers are verified, by project.
    """
    now, setups = timezone.now(), {}
    for project in _PROJECTS(ids=list(agents)):
        has = {name: getattr(project, name) for name in _RARE}
        schemas = _SCHEMAS(project=project.pk) if has["has_schemas"] else []
        rule = conformal_in_force(project) if has["has_rules"] else None
        setups[project.pk] = ProjectSetup(
            project=project,
            rules=ProjectRules(project),
            schemas=[
                LevelSchema(reference=row.reference, tool=row.tool, schema=row.schema)
                for row in schemas
            ],
            priors=agent_priors(project, agents=agents[project.pk], now=now),
            calibrators=(
                calibrators_in_force(project) if has["has_calibrations"] else {}
            ),
            blocking_line=BlockingLine(
                check=rule.check_name, below=rule.score, version=rule.version
            )
            if rule
            else None,
            models=TierModels.of(project) if has["has_models"] else TierModels([]),
            has_documents=has["has_documents"],
        )
    return setups


def gateways(project: Project) -> Gateways:
    """Return the gateways whose signatures the project trusts."""
    rows = GatewayKey.objects.filter(project=project, revoked_at=None)
    return Gateways(
        project=project.slug,
        keys={row.key_id: base64.b64decode(row.public_key) for row in rows},
    )
