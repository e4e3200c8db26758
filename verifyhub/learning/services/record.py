"""Record the verification's result for an answer, for learning."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef

from verifyhub.common.prepared import PreparedQuery
from verifyhub.common.row_writes import insert
from verifyhub.engine.decisions.replay import facts_of
from verifyhub.engine.memory.distill import distill
from verifyhub.engine.memory.entries import LearnedEntry
from verifyhub.engine.thresholds import Thresholds
from verifyhub.engine.verdicts import VerificationReport
from verifyhub.ingest.models import Interaction, ToolCall
from verifyhub.learning.models import Arm, HoldOut, JudgedAnswer

MAX_TOOLS = 50
MAX_NAME = 200
# Fields that a later report of the same answer changes.
FROM_REPORT = [
    "verification_id",
    "verdict",
    "counted",
    "unverified",
    "attempt",
    "facts_json",
    "facts_packed",
]


@dataclass(frozen=True)
class JudgedReport:
    """An answer with its newest report."""

    interaction: Interaction
    verification_id: UUID
    report: VerificationReport

    @cached_property
    def facts(self) -> dict[str, Any]:
        """What the report is replayed from."""
        return facts_of(self.report)

    @cached_property
    def lessons(self) -> tuple[LearnedEntry, ...]:
        """What memory keeps of the report."""
        return distill(
            self.report,
            subject=str(self.interaction.id),
            thresholds=Thresholds.with_overrides(self.interaction.project.thresholds),
        )


def record_answer(
    *, interaction: Interaction, verification_id: UUID, report: VerificationReport
) -> None:
    """Write or refresh the row of one answer; see `record_answers`."""
    record_answers([JudgedReport(interaction, verification_id, report)])


def record_answers(
    judged: Sequence[JudgedReport], *, in_experiments: bool = True
) -> None:
    """Write or refresh the rows of answers from their newest reports.

    The caller's transaction also writes the reports. Decisions of people and the arms
    from an answer's first report do not change.

    Args:
        judged: The answers, each once.
        in_experiments: Whether the answers count for running experiments; those older
            than their sessions' arms do not.
    """
    answers = [answer.interaction for answer in judged]
    tools = _tools(answers)
    rows = [_row(answer, tools.get(answer.interaction.id, [])) for answer in judged]
    if in_experiments:
        drawn = arms_of({(row.project_id, row.session_key) for row in rows})
        for row in rows:
            row.arms = drawn.get((row.project_id, row.session_key), {})
    insert(rows, unique="interaction", refresh=FROM_REPORT)


def _row(judged: JudgedReport, tools: list[str]) -> JudgedAnswer:
    answer, report = judged.interaction, judged.report
    facts = judged.facts
    row = JudgedAnswer(
        interaction=answer,
        project_id=answer.project_id,
        answered_at=answer.created_at,
        session_key=answer.session.key if answer.session else "",
        agent=answer.agent_name,
        model=model_of(answer),
        tools=tools,
        verification_id=judged.verification_id,
        verdict=str(report.verdict),
        counted=sum(facts["found"].values()) + facts["missing"],
        unverified=len(report.flagged_mentions),
        attempt=facts["attempt"],
    )
    row.facts = facts
    return row


def model_of(interaction: Interaction) -> str:
    """Return the agent's model from the run's metadata, or else its tier."""
    named = (interaction.metadata or {}).get("model")
    return (
        named[:MAX_NAME] if isinstance(named, str) and named else interaction.agent_tier
    )


_RUNNING = HoldOut.objects.filter(
    project=OuterRef("project"), kind=OuterRef("kind"), share__gt=0
)
_DRAWN = PreparedQuery(
    lambda projects, keys: Arm.objects.filter(
        Exists(_RUNNING), project__any_of=projects, session_key__any_of=keys
    )
)


def arms_of(
    sessions: Collection[tuple[UUID, str]],
) -> dict[tuple[UUID, str], dict[str, bool]]:
    """Return the arms of sessions in each running experiment.

    Args:
        sessions: Project and key of each; an empty key means no session.
    """
    keys = {key for _, key in sessions if key}
    if not keys:
        return {}
    projects = {project_id for project_id, _ in sessions}
    arms: dict[tuple[UUID, str], dict[str, bool]] = {}
    for arm in _DRAWN(projects=list(projects), keys=list(keys)):
        arms.setdefault((arm.project_id, arm.session_key), {})[arm.kind] = arm.held_out
    return arms


_TOOLS = PreparedQuery(
    lambda answers: (
        ToolCall.objects.filter(interaction__any_of=answers)
        .order_by("tool")
        .values_list("interaction_id", "tool")
        .distinct()
    )
)


def _tools(answers: Collection[Interaction]) -> dict[UUID, list[str]]:
    tools: dict[UUID, list[str]] = {}
    for interaction_id, tool in _TOOLS(answers=[answer.id for answer in answers]):
        used = tools.setdefault(interaction_id, [])
        if len(used) < MAX_TOOLS:
            used.append(tool)
    return tools
