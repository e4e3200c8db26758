"""What a project has set about its verdicts, read from the form it is stored in."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, NamedTuple, Protocol

from verifyhub.engine.calls.pairs import Pairs, read_pairs
from verifyhub.engine.calls.tool_rules import read_tool_rules
from verifyhub.engine.calls.tools import ToolKind
from verifyhub.engine.errors import ThresholdError
from verifyhub.engine.layer_results import RiskLevel
from verifyhub.engine.presets.domains import DomainVerifier, choose_domain, read_domains
from verifyhub.engine.presets.strictness import Strictness, apply_strictness, moved
from verifyhub.engine.risk.profiles import Profile, read_profiles
from verifyhub.engine.thresholds import Thresholds
from verifyhub.engine.types import Interaction


class StoredRules(Protocol):
    """The settings of a project, as they are stored."""

    thresholds: Any
    strictness: Any
    domains: Any
    domain: Any
    tool_rules: Any
    name_pairs: Any
    tool_deeds: Any
    risk_profiles: Any


class RunRules(NamedTuple):
    """What applies to one run."""

    strictness: Strictness
    domain: DomainVerifier
    thresholds: Thresholds


class ProjectRules:
    """Each setting is read once, on first use, which raises if it is invalid."""

    def __init__(self, stored: StoredRules) -> None:
        self._stored = stored
        self._thresholds: dict[tuple[Strictness, str], Thresholds] = {}

    def of(self, interaction: Interaction, strictness: str = "") -> RunRules:
        """Return what applies to a run.

        A domain only makes thresholds stricter, since a run may name its own.

        Args:
            strictness: The requester's choice; empty for the project's.
        """
        preset = Strictness(strictness or self._stored.strictness)
        domain = choose_domain(
            interaction, own=self._domains, default=self._stored.domain
        )
        key = preset, domain.name
        if key not in self._thresholds:
            self._thresholds[key] = moved(
                apply_strictness(self._own_thresholds, preset), domain.thresholds
            )
        return RunRules(preset, domain, self._thresholds[key])

    @cached_property
    def earlier_window(self) -> tuple[int, int]:
        """Number and maximum age of a session's earlier answers used as evidence.

        None are if the thresholds are invalid, as `of` reports.
        """
        try:
            own = self._own_thresholds
        except ThresholdError:
            return 0, 0
        return own.earlier_turns, own.earlier_hours

    @cached_property
    def tool_rules(self) -> Mapping[str, ToolKind]:
        return read_tool_rules(self._stored.tool_rules)

    @cached_property
    def pairs(self) -> Pairs:
        return read_pairs(self._stored.name_pairs, self._stored.tool_deeds)

    @cached_property
    def risk_profiles(self) -> Mapping[RiskLevel, Profile]:
        return read_profiles(self._stored.risk_profiles)

    @cached_property
    def _domains(self) -> tuple[DomainVerifier, ...]:
        return read_domains(self._stored.domains)

    @cached_property
    def _own_thresholds(self) -> Thresholds:
        return Thresholds.with_overrides(self._stored.thresholds)
