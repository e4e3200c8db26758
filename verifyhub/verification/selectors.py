"""Reads of verifications."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, F, Q, QuerySet

from verifyhub.accounts.models import Project
from verifyhub.common.prepared import PreparedQuery
from verifyhub.engine.calls.pairs import read_pairs
from verifyhub.engine.calls.tool_rules import read_tool_rules
from verifyhub.engine.decisions.attempts import MAX_CHAIN, is_next_attempt
from verifyhub.engine.ledger.build import build_ledger
from verifyhub.engine.ledger.ledger import Ledger
from verifyhub.ingest.models import Interaction
from verifyhub.ingest.selectors import ancestors, to_engine
from verifyhub.verification.models import (
    Batch,
    Deliberation,
    Detection,
    GatewayKey,
    MentionStatus,
    MentionVerdict,
    MitigationAttempt,
    ToolSchema,
    Verification,
    VerificationLog,
)


def verifications(project: Project) -> QuerySet[Verification]:
    """Return all verifications of a project with their interactions, newest first."""
    return (
        Verification.objects.filter(project=project)
        .select_related("interaction__session")
        .order_by("-created_at", "-id")
    )


def latest_verification(interaction: Interaction) -> Verification | None:
    """Return the newest verification of an interaction, in any state."""
    return interaction.verifications.order_by("-number").first()


def latest_finished(interaction: Interaction) -> Verification | None:
    """Return the newest verification with a report."""
    return (
        interaction.verifications.filter(state=Verification.State.FINISHED)
        .order_by("-number")
        .first()
    )


_GOAL_LOGS = PreparedQuery(
    lambda project, answers: VerificationLog.objects.filter(
        project=project, interaction__any_of=answers
    ).order_by("created_at", "id")
)


def goal_logs(attempts: Sequence[Interaction]) -> list[VerificationLog]:
    """Return the goal checks of some attempts at one subtask, oldest first."""
    return _GOAL_LOGS(
        project=attempts[0].project_id, answers=[attempt.pk for attempt in attempts]
    )


def earlier_attempts(interaction: Interaction) -> list[Interaction]:
    """Return the earlier attempts at the same subtask, newest first."""
    return attempts_before([interaction])[interaction.id]


def attempts_before(
    interactions: Sequence[Interaction],
) -> dict[UUID, list[Interaction]]:
    """Return the earlier attempts at the subtasks of answers, newest first.

    `parent` names the interaction that an answer follows; `is_next_attempt` decides
    whether that was an attempt too. Three queries in all.
    """
    return attempts_among(interactions, ancestors(interactions, steps=MAX_CHAIN))


def attempts_among(
    interactions: Sequence[Interaction], upper: Mapping[UUID, Sequence[UUID]]
) -> dict[UUID, list[Interaction]]:
    """Return the earlier attempts among the ancestors of some answers.

    Args:
        interactions: Rows.
        upper: The ancestors of each, nearest first (`ingest.selectors.ancestors`).
    """
    above = {id_ for chain in upper.values() for id_ in chain}
    rows = Interaction.objects.in_bulk(above) if above else {}
    actions = _newest_actions(rows.values())
    attempts: dict[UUID, list[Interaction]] = {}
    for current in interactions:
        chain = attempts[current.id] = []
        for id_ in upper[current.id]:
            parent = rows.get(id_)
            if parent is None or not is_next_attempt(
                task=current.task,
                earlier_task=parent.task,
                earlier_action=actions.get(parent.id, ""),
            ):
                break
            chain.append(parent)
            current = parent
    return attempts


def _newest_actions(interactions: Collection[Interaction]) -> dict[UUID, str]:
    """Return the latest decision on answers that have a verdict."""
    if not interactions:
        return {}
    runs = _newest_finished(interactions)
    return dict(runs.values_list("interaction_id", "action"))


def _newest_finished(interactions: Collection[Interaction]) -> QuerySet[Verification]:
    return (
        Verification.objects.filter(
            interaction__in=interactions, state=Verification.State.FINISHED
        )
        .order_by("interaction_id", "-number")
        .distinct("interaction_id")
    )


def inventions_of(
    chains: Mapping[UUID, Sequence[Interaction]],
) -> dict[UUID, frozenset[tuple[str, str]]]:
    """Return kind and key of the names for which attempts had no evidence.

    A person's decision on a name outranks the verification's.

    Args:
        chains: Attempts by the answer that they came before.
    """
    attempts = [attempt for chain in chains.values() for attempt in chain]
    names: dict[UUID, set[tuple[str, str]]] = defaultdict(set)
    if attempts:
        runs = _newest_finished(attempts).values("pk")
        rows = MentionVerdict.objects.filter(
            MentionVerdict.COUNTED, verification__in=runs
        ).annotate(answer=F("verification__interaction_id"))
        for row in rows:
            if row.effective_status == MentionStatus.UNVERIFIED:
                names[row.answer].add((row.kind, row.key))
    return {
        key: frozenset().union(*(names[attempt.id] for attempt in chain))
        for key, chain in chains.items()
    }


def tool_schemas(project: Project) -> QuerySet[ToolSchema]:
    """Return a project's schemas of tool outputs, by reference."""
    return ToolSchema.objects.filter(project=project).order_by("reference")


def gateway_keys(project: Project) -> QuerySet[GatewayKey]:
    """Return every gateway that a project trusts or has trusted, newest first."""
    return GatewayKey.objects.filter(project=project).order_by("-created_at", "-id")


def ledger_of(interaction: Interaction) -> Ledger:
    """Return the ledger of a stored run, built with the project's current rules."""
    rules = read_tool_rules(interaction.project.tool_rules)
    pairs = read_pairs(interaction.project.name_pairs, interaction.project.tool_deeds)
    return build_ledger(to_engine(interaction), rules=rules, pairs=pairs)


def detections(project: Project) -> QuerySet[Detection]:
    """Return a project's detections, newest first."""
    return Detection.objects.filter(project=project).order_by("-created_at", "-id")


# How many checks by layers, mitigations and deliberations an answer's page shows.
SHOWN = 5
_DETECTIONS = PreparedQuery(
    lambda project, answer: Detection.objects.filter(
        project=project, interaction=answer
    ).order_by("-created_at", "-id")[:SHOWN]
)


def latest_detections(interaction: Interaction) -> list[Detection]:
    """Return the latest requested detections of an answer, newest first."""
    return _DETECTIONS(project=interaction.project_id, answer=interaction.pk)


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchProgress:
    """The progress of a batch: answers that are done, failed or queued (`waiting`)."""

    total: int
    done: int
    failed: int
    waiting: int

    @property
    def ended(self) -> int:
        return self.done + self.failed

    @property
    def to_come(self) -> int:
        return self.total - self.ended - self.waiting


def batches(project: Project) -> QuerySet[Batch]:
    """Return the batches of a project, newest first."""
    return Batch.objects.filter(project=project).order_by("-created_at", "-id")


def progress(batch: Batch) -> BatchProgress:
    """Count the answers of a batch by state."""
    states = Verification.State
    counts = batch.members.aggregate(
        done=Count("pk", filter=Q(verification__state=states.FINISHED)),
        failed=Count("pk", filter=Q(verification__state=states.FAILED)),
        waiting=Count("pk", filter=Q(verification__state__in=Verification.WAITING)),
    )
    return BatchProgress(total=batch.total, **counts)


def mitigations_of(
    project_id: UUID, interaction_id: UUID
) -> QuerySet[MitigationAttempt]:
    """Return the mitigations of an answer, newest first."""
    return (
        MitigationAttempt.objects.filter(project=project_id, interaction=interaction_id)
        .select_related("interaction", "verification")
        .order_by("-created_at", "-id")
    )


_MITIGATIONS = PreparedQuery(
    lambda project, answer: mitigations_of(project, answer)[:SHOWN]
)
_DELIBERATIONS = PreparedQuery(
    lambda project, answer: (
        Deliberation.objects.filter(project=project, interaction=answer)
        .select_related("interaction", "project")
        .order_by("-created_at", "-id")[:SHOWN]
    )
)


def latest_mitigations(interaction: Interaction) -> list[MitigationAttempt]:
    """Return the latest mitigations of an answer, newest first."""
    return _MITIGATIONS(project=interaction.project_id, answer=interaction.pk)


def latest_deliberations(interaction: Interaction) -> list[Deliberation]:
    """Return the latest deliberations on an answer, newest first."""
    return _DELIBERATIONS(project=interaction.project_id, answer=interaction.pk)
