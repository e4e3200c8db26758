"""Verifiers of domains, as rows: criteria, required checks and strictness.

Source: C7. A project adds rows of its own as data. Their texts travel to a judge
inside the sealed material, like everything that people and agents write.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from verifyhub.engine.errors import DomainError, ThresholdError
from verifyhub.engine.faults import Fault
from verifyhub.engine.presets.strictness import MOVABLE
from verifyhub.engine.text.tokens import word_set
from verifyhub.engine.thresholds import Thresholds
from verifyhub.engine.types import Interaction

MAX_ROWS = 50
MAX_CRITERIA = 20
MAX_CRITERION_CHARACTERS = 500
MAX_WORDS = 100
MAX_WORD_CHARACTERS = 60
# Tasks are read up to here: what they are about stands at the beginning.
MAX_TASK_CHARACTERS = 20_000

CHECKS = (
    "level_1_structure",
    "level_2_schema",
    "level_3_filesystem",
    "grounding",
    "completion",
    "values",
    "cross_tier",
    "goal",
)
FIELDS = ("name", "criteria", "checks", "thresholds", "words", "roles", "tools")
_NAME = re.compile(r"[a-z][a-z0-9_-]{0,39}", re.ASCII)
_WORD = re.compile(r"\w++")


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainVerifier:
    """One row.

    Attributes:
        name: As `metadata.domain` of a run has it.
        criteria: Questions that the judge of the goal is asked besides its own.
        checks: Checks that must not stay open: where one is inconclusive, the answer
            is at best uncertain.
        thresholds: Cut-offs, each used where it is stricter than the project's.
        words, roles, tools: A run whose task, agent's role or tools hold most of
            these belongs to the domain, if none is chosen.
    """

    name: str
    criteria: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()
    thresholds: Mapping[str, float | int] = field(default_factory=dict)
    words: frozenset[str] = frozenset()
    roles: frozenset[str] = frozenset()
    tools: frozenset[str] = frozenset()


GENERAL = DomainVerifier(name="general")
CODE = DomainVerifier(
    name="code",
    criteria=(
        "Is everything that is reported as built, tested or fixed shown by a run"
        " after the last change?",
        "Does the change stay within what the goal asks for?",
        "Are the files and functions that the answer relies on those of this project?",
    ),
    checks=("grounding", "level_3_filesystem"),
    words=word_set(
        """
        bug build class code commit compile crash debug endpoint function
        implement lint method migration module parser refactor test tests
        typecheck
        """
    ),
    roles=frozenset({"coder", "developer", "engineer", "programmer"}),
)
ANALYSIS = DomainVerifier(
    name="analysis",
    criteria=(
        "Does every conclusion follow from facts that the answer states?",
        "Is each figure and comparison taken from the material?",
        "Are uncertainty and what was left out said openly?",
    ),
    checks=("grounding", "cross_tier"),
    words=word_set(
        """
        analyse analysis analyze assess cause causes compare comparison evaluate
        explain investigate report review risk risks summarise summarize trend
        """
    ),
    roles=frozenset({"analyst", "researcher"}),
)
BUILT_IN = (GENERAL, CODE, ANALYSIS)


def read_domains(rows: Sequence[Any]) -> tuple[DomainVerifier, ...]:
    """Read a project's own rows.

    Raises:
        DomainError: If a row is unusable, with what is wrong by row from 1.
    """
    if len(rows) > MAX_ROWS:
        raise DomainError({0: Fault("too_many_rows", n=MAX_ROWS)})
    domains: dict[str, DomainVerifier] = {}
    errors = {}
    for number, row in enumerate(rows, start=1):
        try:
            domain = _read(row)
            if domain.name in domains:
                raise _RowError(Fault("twice", field="name", name=domain.name))
            domains[domain.name] = domain
        except _RowError as error:
            errors[number] = error.fault
    if errors:
        raise DomainError(errors)
    return tuple(domains.values())


def choose_domain(
    interaction: Interaction, *, own: Sequence[DomainVerifier] = (), default: str = ""
) -> DomainVerifier:
    """Choose the verifier of a run.

    What `metadata.domain` names goes first, then what the project has set, then the
    row that most of its words, roles and tools speak for; else the general one. A
    row of the project replaces a built-in one of the same name.

    Args:
        own: The project's rows.
        default: The domain that the project has set; empty to go by the rules.
    """
    rows = {row.name: row for row in (*BUILT_IN, *own)}
    stated = (interaction.metadata or {}).get("domain")
    for name in (stated, default):
        if isinstance(name, str) and name in rows:
            return rows[name]
    task = interaction.task[:MAX_TASK_CHARACTERS].casefold()
    words = set(_WORD.findall(task))
    tools = {call.tool for call in interaction.tool_calls}
    role = interaction.agent.role.casefold()
    # Of two equally likely ones the project's own is chosen.
    best = max(
        reversed(rows.values()),
        key=lambda row: (
            len(row.words & words) + len(row.tools & tools) + 2 * (role in row.roles)
        ),
    )
    speaks = best.words & words or best.tools & tools or role in best.roles
    return best if speaks else rows[GENERAL.name]


class _RowError(Exception):
    def __init__(self, fault: Fault) -> None:
        self.fault = fault
        super().__init__(fault)


def _read(row: Any) -> DomainVerifier:
    if not isinstance(row, dict):
        raise _RowError(Fault("no_object"))
    for name in row:
        if name not in FIELDS:
            known = ", ".join(FIELDS)
            raise _RowError(Fault("unknown_field", field=name[:60], list=known))
    name = row.get("name")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise _RowError(Fault("no_name", field="name"))
    checks = _texts(row, "checks", len(CHECKS), MAX_WORD_CHARACTERS)
    for check in checks:
        if check not in CHECKS:
            known = ", ".join(CHECKS)
            raise _RowError(Fault("no_check", field="checks", name=check, list=known))
    words, roles, tools = (
        _texts(row, field, MAX_WORDS, MAX_WORD_CHARACTERS)
        for field in ("words", "roles", "tools")
    )
    return DomainVerifier(
        name=name,
        criteria=_texts(row, "criteria", MAX_CRITERIA, MAX_CRITERION_CHARACTERS),
        checks=checks,
        thresholds=_thresholds(row.get("thresholds", {})),
        words=frozenset(word.casefold() for word in words),
        roles=frozenset(role.casefold() for role in roles),
        tools=frozenset(tools),
    )


def _texts(
    row: Mapping[str, Any], name: str, most: int, longest: int
) -> tuple[str, ...]:
    value = row.get(name, [])
    if not isinstance(value, list) or not all(
        isinstance(entry, str) for entry in value
    ):
        raise _RowError(Fault("no_texts", field=name))
    if len(value) > most or any(not 0 < len(entry) <= longest for entry in value):
        raise _RowError(Fault("too_many_texts", field=name, n=most, most=longest))
    return tuple(value)


def _thresholds(value: Any) -> dict[str, float | int]:
    if not isinstance(value, dict):
        raise _RowError(Fault("no_object", field="thresholds"))
    for name in value:
        if name not in MOVABLE:
            known = ", ".join(sorted(MOVABLE))
            parameters = {"name": name[:60], "list": known}
            raise _RowError(Fault("not_movable", field="thresholds", **parameters))
    try:
        Thresholds.with_overrides(value)
    except ThresholdError as error:
        raise _RowError(
            Fault(
                "threshold_unusable",
                field="thresholds",
                name=error.name,
                value=repr(error.value),
                fault=error.fault,
            )
        ) from error
    return value
