"""Settings of a project's claims and layers."""

from dataclasses import dataclass, field
from typing import Annotated, Self

from django.db import models, transaction
from pydantic import Field

from verifyhub.accounts.models import Project
from verifyhub.accounts.services import change_project
from verifyhub.common.contract import ContractModel
from verifyhub.engine.calls.pairs import DEEDS, LONGEST_TEXT, MAX_PAIRS, read_pairs
from verifyhub.engine.errors import ProfileError
from verifyhub.engine.layer_results import LayerName, RiskLevel
from verifyhub.engine.layers.base import EntropyBy
from verifyhub.engine.risk.profiles import OwnProfiles, own_profiles
from verifyhub.learning.selectors.calibration import impossible_profiles
from verifyhub.learning.selectors.in_force import calibrators_in_force
from verifyhub.verification.check_choices import Claims, Layers
from verifyhub.verification.services.layer_run import LayerNames

_ROWS = Field(max_length=MAX_PAIRS, json_schema_extra={"uniqueItems": True})
PairText = Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT)]


@dataclass(frozen=True, slots=True, kw_only=True)
class NamePair(ContractModel):
    """A coded value and its name."""

    value: PairText
    """The value as tools return it; a trailing `*` matches any rest."""
    name: PairText


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolDeed(ContractModel):
    """A tool and an action that it performs."""

    tool: Annotated[str, Field(min_length=1, max_length=200)]
    """A complete name, or a prefix that ends with a separator and `*`."""
    deed: Annotated[str, Field(json_schema_extra={"enum": [str(one) for one in DEEDS]})]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewCheckSettings(ContractModel):
    """The check settings of a project."""

    claims: Claims
    layers: Layers
    layers_off: LayerNames = ()
    """Layers that never run."""
    entropy_by: EntropyBy = EntropyBy.ENTAILMENT
    """How semantic entropy compares meanings."""
    risk: RiskLevel | None = None
    """The risk level of every text; null: assess each text."""
    profiles: OwnProfiles = field(default_factory=dict)
    """Changes to the built-in risk profiles, by level: `layers`, `floor`,
    `latency_seconds`, `microdollars`."""
    names: Annotated[tuple[NamePair, ...], _ROWS] = ()
    """Pairs of a coded value and its name, which are treated as equal."""
    deeds: Annotated[tuple[ToolDeed, ...], _ROWS] = ()
    """Actions of tools whose names do not show them."""

    @classmethod
    def of(cls, project: Project) -> Self:
        """Return the project's current settings."""
        return cls(
            claims=Claims(project.claims_checked),
            layers=Layers(project.layers_run),
            layers_off=tuple(LayerName(name) for name in project.layers_off),
            risk=RiskLevel(project.risk_level) if project.risk_level else None,
            profiles=own_profiles(project.risk_profiles),
            entropy_by=EntropyBy(project.entropy_by),
            names=tuple(NamePair(**row) for row in project.name_pairs),
            deeds=tuple(ToolDeed(**row) for row in project.tool_deeds),
        )


@transaction.atomic
def update_checks(
    *, project: Project, values: NewCheckSettings, actor: models.Model
) -> Project:
    """Set a project's claims and layers; the next verification uses them.

    Args:
        project: The tenant.
        values: The new settings.
        actor: The user or API key.

    Raises:
        ProfileError: If no text could pass a profile under the active calibrations; by
            level, with the calculation.
        PairsError: If a pair is invalid; by list and row.
    """
    names = [{"value": pair.value, "name": pair.name} for pair in values.names]
    deeds = [{"tool": pair.tool, "deed": pair.deed} for pair in values.deeds]
    read_pairs(names, deeds)
    refuse_impossible(project, values)
    return change_project(
        project=project,
        values={
            "claims_checked": values.claims,
            "layers_run": values.layers,
            "layers_off": list(values.layers_off),
            "risk_level": values.risk or "",
            "risk_profiles": values.profiles,
            "entropy_by": str(values.entropy_by),
            "name_pairs": names,
            "tool_deeds": deeds,
        },
        actor=actor,
        action="accounts.checks_set",
    )


def refuse_impossible(project: Project, values: NewCheckSettings) -> None:
    """Refuse profiles that no text can pass.

    Raises:
        ProfileError: By level.
    """
    draft = Project(
        id=project.id,
        risk_profiles=values.profiles,
        layers_off=list(values.layers_off),
    )
    impossible = impossible_profiles(draft, calibrators_in_force(project))
    if impossible:
        raise ProfileError(
            {
                level: profile.objection
                for level, profile in impossible.items()
                if profile.objection
            }
        )
