"""Apply a reviewer's decision to memory.

`review` calls these functions inside the transaction that writes an override, and
stores the effects with it. A decision is one correction entry; everything else is
derived from the valid corrections (`settle_answer`, `settle_constraints`), so undo is
correct even after later decisions.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from verifyhub.accounts.models import Project
from verifyhub.common.effects import Effect
from verifyhub.engine.memory.distill import (
    MAX_MENTION_KEY_LENGTH,
    blocker,
    claim_key,
    finding,
)
from verifyhub.engine.memory.entries import ABOUT_ANSWER, ABOUT_CLAIM, LearnedEntry
from verifyhub.engine.memory.voices import TRACE
from verifyhub.engine.reports import ClaimStatus, MentionResult, Status, Verdict
from verifyhub.engine.types import MentionKind
from verifyhub.engine.verdicts import VerificationReport
from verifyhub.ingest.models import Interaction
from verifyhub.memory.models import Constraint, MemoryEntry
from verifyhub.memory.services.changes import Actor, Name, RowChange, hold_keys, name_of
from verifyhub.memory.services.effects import (
    audit_correction,
    correction_effect,
    effects_of,
    elsewhere_effects,
    reach_effects,
    set_suggestion,
)
from verifyhub.memory.services.remember import row_of, support
from verifyhub.memory.services.settle_answer import settle_interactions
from verifyhub.memory.services.settle_constraints import settle_constraints
from verifyhub.memory.services.settle_names import settle_names, voice_of
from verifyhub.memory.services.words import check_right_name, hold_words

# How much of a task is stored with the verdict on its answer, in code points.
TASK_LENGTH = 200

ANSWER_WORDS = {
    Verdict.ACCEPT: str(Status.VERIFIED),
    Verdict.REJECT: str(Status.UNVERIFIED),
    Verdict.UNCERTAIN: "",
}


class CorrectedMention(Protocol):
    """The fields of a mention that memory needs, as in `MentionVerdict`."""

    text: str
    kind: str
    key: str
    suggestion: str
    # The check's status and reason; empty if it saw no such name.
    status: str
    reason: str


# Reasons with which a run's own tool calls confirm each status.
SAYING_SO = {
    str(Status.UNVERIFIED): frozenset({"error_only"}),
    str(Status.VERIFIED): frozenset({"found"}),
}


@transaction.atomic
def apply_mention_override(
    *,
    project: Project,
    interaction: Interaction,
    mention: CorrectedMention,
    status: str,
    override_id: UUID,
    actor: Actor,
    suggestion: str = "",
    said_by: Sequence[Actor] | None = None,
) -> list[Effect]:
    """Apply a decision about a name to memory and constraints.

    It applies in the answer's session at once, and in other sessions once as many
    voices agree as the project requires (`engine.memory.voices`).

    `unverified` confirms an invention and activates a constraint on the name.
    `verified` says that the name is right: it becomes a finding of the session, its
    blocker is superseded, the answer no longer supports the constraint, and the
    constraint is retired unless a lead pinned it or several people called it invented.

    Args:
        project: The tenant.
        interaction: The answer that holds the name.
        mention: The name.
        status: `verified` or `unverified`, the reviewer's decision.
        override_id: The decision, so that it can be undone.
        actor: The reviewer.
        suggestion: The right name for an invented one, if the reviewer knows it.
        said_by: Everybody who decided so for every session, if not the reviewer alone;
            empty if it applies to the answer's session only.

    Returns:
        What changed, the correction itself first.

    Raises:
        SuggestionError: If the right name is not a name of the mention's kind.
    """
    hold_keys([interaction.id])
    invented = status == Status.UNVERIFIED
    suggestion = check_right_name(mention.kind, suggestion) if invented else ""
    hold_words(project.id, change=True)
    correction = _correct(
        interaction,
        override_id,
        actor,
        text=mention.text,
        status=status,
        mention_kind=mention.kind,
        mention_key=mention.key[:MAX_MENTION_KEY_LENGTH],
        suggestion=suggestion,
        voices=_voices(mention, status, [actor] if said_by is None else said_by),
    )
    _write_fact(interaction, mention, status)
    changes = settle_interactions(
        project_id=project.id, interaction_ids=[interaction.id], actor=actor
    )
    name = name_of(correction)
    settled = settle_names(project=project, names={name}, actor=actor)
    changes += settled.corrections
    correction.refresh_from_db(fields=["reach"])
    if correction.reach == MemoryEntry.Reach.PROJECT:
        changes += _suggest(project, name, suggestion)
    changes += settle_constraints(project=project, names=settled.names, actor=actor)
    effects = [
        correction_effect(correction, active=True),
        *reach_effects(correction),
        *effects_of(changes, interaction_id=str(interaction.id)),
        *elsewhere_effects(settled.entries, interaction_id=str(interaction.id)),
    ]
    audit_correction(correction, actor, "memory.name_corrected")
    return effects


@transaction.atomic
def apply_verdict_override(
    *,
    project: Project,
    interaction: Interaction,
    report: VerificationReport,
    before: str,
    after: str,
    override_id: UUID,
    actor: Actor,
) -> list[Effect]:
    """Apply a decision about a whole answer to memory and constraints.

    `accept` supersedes the answer's blockers and gaps and withdraws its support of
    constraints, except for names that the reviewer decided one by one. `reject` and
    `uncertain` leave findings unchanged, since evidence showed those names; after
    `reject` the session's next context says that the answer was wrong.

    Args:
        project: The tenant.
        interaction: The answer.
        report: Its verdict object.
        before: The verdict that stood until now.
        after: The reviewer's verdict.
        override_id: The decision, so that it can be taken back.
        actor: The reviewer.

    Returns:
        What changed, the correction itself first.
    """
    hold_keys([interaction.id])
    correction = _correct(
        interaction,
        override_id,
        actor,
        text=interaction.task[:TASK_LENGTH],
        status=ANSWER_WORDS[Verdict(after)],
    )
    return _settled(
        project,
        interaction,
        correction,
        actor,
        "memory.answer_judged",
        before={"verdict": before},
        named=_names(report.mentions),
    )


@transaction.atomic
def apply_claim_override(
    *,
    project: Project,
    interaction: Interaction,
    claim: Mapping[str, Any],
    status: str,
    override_id: UUID,
    actor: Actor,
    about: str = ABOUT_CLAIM,
) -> list[Effect]:
    """Apply a decision about a claim to the session's memory.

    The reviewer's decision supersedes the blocker from the verification.

    Args:
        project: The tenant.
        interaction: The answer that makes the claim.
        claim: Its `text` and `kind`, as in the report.
        status: The reviewer's decision: `supported`, or any other against it.
        override_id: The decision, so that it can be taken back.
        actor: The reviewer.
        about: Whether the claim is one of work or of fact (`ABOUT_FACT`).

    Returns:
        What changed, the correction itself first.
    """
    supported = status == ClaimStatus.SUPPORTED
    correction = _correct(
        interaction,
        override_id,
        actor,
        text=claim["text"],
        status=str(Status.VERIFIED if supported else Status.UNVERIFIED),
        mention_kind=about,
        mention_key=claim_key(
            kind=claim["kind"], text=claim["text"], subject=str(interaction.id)
        ),
    )
    return _settled(project, interaction, correction, actor, "memory.claim_corrected")


@transaction.atomic
def apply_answer_correction(
    *,
    project: Project,
    interaction: Interaction,
    text: str,
    override_id: UUID,
    actor: Actor,
) -> list[Effect]:
    """Store a reviewer's text as the correct answer, for the session's agents.

    Args:
        project: The tenant.
        interaction: The answer that was corrected.
        text: The whole correct answer.
        override_id: The decision, so that it can be taken back.
        actor: The reviewer.

    Returns:
        What changed, the correction itself first.
    """
    correction = _correct(
        interaction,
        override_id,
        actor,
        text=interaction.task[:TASK_LENGTH],
        status=str(Status.VERIFIED),
        mention_kind=ABOUT_ANSWER,
        mention_key=str(interaction.id),
        suggestion=text,
    )
    return _settled(project, interaction, correction, actor, "memory.answer_corrected")


def _settled(
    project: Project,
    interaction: Interaction,
    correction: MemoryEntry,
    actor: Actor,
    action: str,
    *,
    before: Mapping[str, Any] | None = None,
    named: set[Name] | None = None,
) -> list[Effect]:
    """Settle a decision about a whole answer, which gives its names, or a claim."""
    changes = settle_interactions(
        project_id=project.id, interaction_ids=[interaction.id], actor=actor
    )
    names = {name_of(correction)}
    changes += settle_names(project=project, names=names, actor=actor).corrections
    if named is not None:
        changes += settle_constraints(project=project, names=named, actor=actor)
    audit_correction(correction, actor, action, before)
    return [
        correction_effect(correction, active=True),
        *effects_of(changes, interaction_id=str(interaction.id)),
    ]


def _correct(
    interaction: Interaction,
    override_id: UUID,
    actor: Actor,
    *,
    text: str,
    status: str,
    mention_kind: str = "",
    mention_key: str = "",
    suggestion: str = "",
    voices: Sequence[str] = (),
) -> MemoryEntry:
    correction = MemoryEntry(
        project_id=interaction.project_id,
        session=interaction.session,
        interaction_id=interaction.id,
        key=f"correction-{override_id}",
        kind=MemoryEntry.Kind.CORRECTION,
        source=MemoryEntry.Source.REVIEWER,
        override_id=override_id,
        text=text,
        mention_kind=mention_kind,
        mention_key=mention_key,
        mention_status=status,
        suggestion=suggestion,
        confidence=1.0,
        author=str(actor)[:200],
        voices=list(voices),
    )
    correction.save(force_insert=True)
    return correction


def _voices(
    mention: CorrectedMention, status: str, said_by: Sequence[Actor]
) -> list[str]:
    """Return the voices for every session: people, and the run if it agrees."""
    voices = list(dict.fromkeys(voice_of(actor) for actor in said_by))
    agrees = mention.status == status and mention.reason in SAYING_SO[status]
    return [*voices, TRACE] if voices and agrees else voices


def _write_fact(
    interaction: Interaction, mention: CorrectedMention, status: str
) -> None:
    """Save the finding or blocker of a decision, superseded until it is settled."""
    data = MentionResult(
        text=mention.text,
        kind=MentionKind(mention.kind),
        key=mention.key,
        spans=(),
        status=Status(status),
        reason="",
        suggestion=mention.suggestion,
    )
    subject = str(interaction.id)
    verified = status == Status.VERIFIED
    entry: LearnedEntry = (
        finding(data, subject=subject, confidence=1.0)
        if verified
        else blocker(data, subject=subject)
    )
    row = row_of(entry, interaction=interaction, source=MemoryEntry.Source.REVIEWER)
    row.state = MemoryEntry.State.SUPERSEDED
    MemoryEntry.objects.bulk_create([row], ignore_conflicts=True)
    if not verified:
        name = (entry.mention_kind, entry.mention_key)
        support(interaction, {name: entry}, now=timezone.now())


def _suggest(project: Project, name: Name, suggestion: str) -> list[RowChange]:
    constraint = Constraint.objects.filter(
        project=project, mention_kind=name[0], mention_key=name[1]
    ).first()
    if constraint is None or not suggestion or constraint.suggestion == suggestion:
        return []
    return [set_suggestion(constraint, suggestion)]


def _names(mentions: Sequence[MentionResult]) -> set[Name]:
    return {
        (str(mention.kind), mention.key[:MAX_MENTION_KEY_LENGTH])
        for mention in mentions
    }
