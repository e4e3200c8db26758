"""The engine's ports, bound to this server's settings."""

import base64
import time
from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings

from verifyhub.accounts.models import Project
from verifyhub.common.prepared import PreparedQuery
from verifyhub.engine.goals.check import GoalInputs
from verifyhub.engine.judging.examples import Example
from verifyhub.engine.ledger.seal import Gateways
from verifyhub.engine.levels import schema
from verifyhub.engine.levels.run import LevelInputs
from verifyhub.engine.ports import FileTree, Model
from verifyhub.engine.presets.domains import (
    DomainVerifier,
    choose_domain,
    read_domains,
)
from verifyhub.engine.presets.strictness import (
    Strictness,
    apply_strictness,
    moved,
)
from verifyhub.engine.thresholds import Thresholds
from verifyhub.engine.types import Interaction
from verifyhub.verification.models import GatewayKey, ToolSchema, Verification
from verifyhub.verification.workspace import WorkspaceTree


def file_tree(project: Project) -> FileTree | None:
    """Return the files of a project; None where the operator declared no folder."""
    root = settings.WORKSPACE_ROOTS.get(project.slug)
    return WorkspaceTree(root) if root else None


def gateways(project: Project) -> Gateways:
    """Return whose signatures under a trace count for this project."""
    held = GatewayKey.objects.filter(project=project, revoked_at=None)
    return Gateways(
        project=project.slug,
        keys={row.key_id: base64.b64decode(row.public_key) for row in held},
    )


_SCHEMAS = PreparedQuery(lambda project: ToolSchema.objects.filter(project=project))


def level_inputs(project: Project, *, with_schemas: bool) -> LevelInputs:
    """Return what the three levels need of this server for one verification."""
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
    """What is in force for one verification."""

    thresholds: Thresholds
    domain: DomainVerifier
    strictness: Strictness

    def goal_inputs(
        self, model: Model | None, examples: Sequence[Example]
    ) -> GoalInputs:
        """Return what the goal check needs, with the judge that there is.

        Of the examples it is shown those that speak of a whole answer.
        """
        return GoalInputs(
            examples=[one for one in examples if not one.subject],
            model=model,
            domain=self.domain,
            strictness=self.strictness,
        )


def policy_for(verification: Verification, interaction: Interaction) -> Policy:
    """Choose cut-offs, domain and strictness: the project's, as presets move them.

    What whoever asked for the verification chose goes before the project's preset. A
    domain only ever makes cut-offs stricter, since a run may name its own.
    """
    project = verification.project
    strictness = Strictness(verification.strictness or project.strictness)
    domain = choose_domain(
        interaction, own=read_domains(project.domains), default=project.domain
    )
    own = Thresholds.with_overrides(project.thresholds)
    thresholds = moved(apply_strictness(own, strictness), domain.thresholds)
    return Policy(thresholds, domain, strictness)
