"""Reads of verifications."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, Q, QuerySet

from verifyhub.accounts.models import Project
from verifyhub.engine.calls.tool_rules import read_tool_rules
from verifyhub.engine.decisions.attempts import MAX_CHAIN, is_next_attempt
from verifyhub.engine.ledger.build import build_ledger
from verifyhub.engine.ledger.ledger import Ledger
from verifyhub.ingest.models import Interaction
from verifyhub.ingest.selectors import to_engine
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
    """All verifications of a project with their interactions, newest first."""
    return (
        Verification.objects.filter(project=project)
        .select_related("interaction__session")
        .order_by("-created_at", "-id")
    )


def latest_verification(interaction: Interaction) -> Verification | None:
    """The newest verification of an interaction, whatever its state."""
    return interaction.verifications.order_by("-number").first()


def latest_finished(interaction: Interaction) -> Verification | None:
    """The newest verification that has a report: it holds the machine's verdict."""
    return (
        interaction.verifications.filter(state=Verification.State.FINISHED)
        .order_by("-number")
        .first()
    )


def goal_logs(attempts: Sequence[Interaction]) -> QuerySet[VerificationLog]:
    """What goal checks found of some attempts at one subtask, oldest first."""
    return VerificationLog.objects.filter(
        project=attempts[0].project_id, interaction__in=attempts
    ).order_by("created_at", "id")


def earlier_attempts(interaction: Interaction) -> list[Interaction]:
    """Return the earlier attempts at the same subtask, newest first.

    `parent` names the interaction that an answer follows; `is_next_attempt` says
    whether that was an attempt too.
    """
    seen = {interaction.client_id}
    found: list[Interaction] = []
    current = interaction
    # An answer that follows nothing is not looked up: many have no id of their own.
    while current.parent and len(found) < MAX_CHAIN:
        earlier = Interaction.objects.filter(
            project_id=current.project_id, client_id=current.parent
        ).first()
        if earlier is None or earlier.client_id in seen:
            break
        judged = latest_finished(earlier)
        if not is_next_attempt(
            task=current.task,
            earlier_task=earlier.task,
            earlier_action=judged.action if judged else "",
        ):
            break
        seen.add(earlier.client_id)
        found.append(earlier)
        current = earlier
    return found


def inventions_of(attempts: Sequence[Interaction]) -> frozenset[tuple[str, str]]:
    """Return kind and key of the names that attempts could not show.

    What a person said of a name outranks the machine.
    """
    runs = [run for one in attempts if (run := latest_finished(one)) is not None]
    rows = MentionVerdict.objects.filter(MentionVerdict.COUNTED, verification__in=runs)
    return frozenset(
        (row.kind, row.key)
        for row in rows
        if row.effective_status == MentionStatus.UNVERIFIED
    )


def tool_schemas(project: Project) -> QuerySet[ToolSchema]:
    """The schemas that a project registered for outputs of tools, by reference."""
    return ToolSchema.objects.filter(project=project).order_by("reference")


def gateway_keys(project: Project) -> QuerySet[GatewayKey]:
    """Every gateway that a project believes, or did, newest first."""
    return GatewayKey.objects.filter(project=project).order_by("-created_at", "-id")


def ledger_of(interaction: Interaction) -> Ledger:
    """Return what a stored run's tools showed, read anew with the project's rules."""
    rules = read_tool_rules(interaction.project.tool_rules)
    return build_ledger(to_engine(interaction), rules=rules)


def verification_ids(interaction: Interaction) -> list[UUID]:
    """Return the ids of every verification that an interaction had."""
    return list(interaction.verifications.values_list("id", flat=True))


def detections(project: Project) -> QuerySet[Detection]:
    """What layers were run over in a project, newest first."""
    return Detection.objects.filter(project=project).order_by("-created_at", "-id")


def detections_of(interaction: Interaction) -> QuerySet[Detection]:
    """The runs of layers that people asked for over an answer, newest first."""
    return detections(interaction.project).filter(interaction=interaction)


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchProgress:
    """How far a batch is: `done` and `failed` have ended, `waiting` are in the queue.

    What is in none of them has not had its turn.
    """

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
    """The batches of a project, newest first."""
    return Batch.objects.filter(project=project).order_by("-created_at", "-id")


def progress(batch: Batch) -> BatchProgress:
    """Count the answers of a batch by what became of them."""
    states = Verification.State
    counts = batch.members.aggregate(
        done=Count("pk", filter=Q(verification__state=states.FINISHED)),
        failed=Count("pk", filter=Q(verification__state=states.FAILED)),
        waiting=Count("pk", filter=Q(verification__state__in=Verification.WAITING)),
    )
    return BatchProgress(total=batch.total, **counts)


def mitigations_of(interaction: Interaction) -> QuerySet[MitigationAttempt]:
    """What was done about an answer, newest first."""
    return (
        MitigationAttempt.objects.filter(
            project=interaction.project_id, interaction=interaction
        )
        .select_related("interaction", "verification")
        .order_by("-created_at", "-id")
    )


def deliberations_of(interaction: Interaction) -> QuerySet[Deliberation]:
    """The deliberations on an answer, newest first."""
    return (
        Deliberation.objects.filter(
            project=interaction.project_id, interaction=interaction
        )
        .select_related("interaction", "project")
        .order_by("-created_at", "-id")
    )
