"""Verifiers of domains, as rows: criteria, required checks and strictness.

Source: C7. A project adds rows of its own as data. Their texts travel to a judge
inside the sealed material, like everything that people and agents write.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import AfterValidator, Field, ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError

from verifyhub.common.contract import ContractModel, field_names, reader_of
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
_WORD = re.compile(r"\w++")


def _check_name(name: str) -> str:
    if name not in CHECKS:
        raise ValueError
    return name


def _check_thresholds(thresholds: dict[str, Any]) -> dict[str, Any]:
    fault = None
    if unknown := thresholds.keys() - MOVABLE:
        known = ", ".join(sorted(MOVABLE))
        fault = Fault("not_movable", name=min(unknown)[:60], list=known)
    try:
        Thresholds.with_overrides(thresholds)
    except ThresholdError as error:
        fault = fault or Fault(
            "threshold_unusable",
            name=error.name,
            value=repr(error.value),
            fault=error.fault,
        )
    if fault:
        raise PydanticCustomError("fault", "{fault}", {"fault": fault})
    return thresholds


def _casefolded(texts: frozenset[str]) -> frozenset[str]:
    return frozenset(text.casefold() for text in texts)


_Word = Annotated[str, Field(min_length=1, max_length=MAX_WORD_CHARACTERS)]
_Words = Annotated[frozenset[_Word], Field(max_length=MAX_WORDS)]
_Criterion = Annotated[str, Field(min_length=1, max_length=MAX_CRITERION_CHARACTERS)]


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainVerifier(ContractModel):
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

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]{0,39}$")]
    criteria: Annotated[tuple[_Criterion, ...], Field(max_length=MAX_CRITERIA)] = ()
    checks: tuple[Annotated[str, AfterValidator(_check_name)], ...] = ()
    thresholds: Annotated[dict[str, Any], AfterValidator(_check_thresholds)] = field(
        default_factory=dict
    )
    words: Annotated[_Words, AfterValidator(_casefolded)] = frozenset()
    roles: Annotated[_Words, AfterValidator(_casefolded)] = frozenset()
    tools: _Words = frozenset()


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
    reader = reader_of(DomainVerifier).adapter
    domains: dict[str, DomainVerifier] = {}
    errors = {}
    for number, row in enumerate(rows, start=1):
        try:
            domain = reader.validate_python(row)
        except ValidationError as error:
            errors[number] = _fault(error.errors()[0])
            continue
        if domain.name in domains:
            errors[number] = Fault("twice", field="name", name=domain.name)
        domains[domain.name] = domain
    if errors:
        raise DomainError(errors)
    return tuple(domains.values())


def _fault(details: ErrorDetails) -> Fault:
    words = Fault("no_texts", n=MAX_WORDS, most=MAX_WORD_CHARACTERS)
    faults = {
        "name": Fault("no_name"),
        "criteria": Fault("no_texts", n=MAX_CRITERIA, most=MAX_CRITERION_CHARACTERS),
        "checks": Fault("not_all_of", list=", ".join(CHECKS)),
        **dict.fromkeys(("words", "roles", "tools"), words),
    }
    context = details.get("ctx", {})
    # `ContractModel` gives the name of an unknown field apart.
    unknown = context.get("field", "")[:60]
    name = str(details["loc"][0]) if details["loc"] else unknown
    fault = context.get("fault") or faults.get(name, Fault("no_object"))
    if unknown:
        fault = Fault("unknown_field", list=", ".join(field_names(DomainVerifier)))
    return Fault(fault.code, field=name, **fault.params)


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
