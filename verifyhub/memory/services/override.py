"""Let a reviewer's decision change memory, and take it back exactly.

`review` calls these inside the transaction that writes its override and keeps the
effects with it. A decision is one correction entry; everything else is derived from
the corrections that stand (`settle`), so undo is right even after later decisions.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol
from uuid import UUID

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils import timezone

from verifyhub.accounts.models import Project
from verifyhub.audit.services import record_event
from verifyhub.common.db import update_if
from verifyhub.engine.memory.distill import MAX_MENTION_KEY_LENGTH, blocker, finding
from verifyhub.engine.memory.entries import Entry
from verifyhub.engine.memory.quoting import kind_word, quoted
from verifyhub.engine.reports import Status, Verdict
from verifyhub.ingest.models import Interaction
from verifyhub.memory.models import Constraint, MemoryEntry
from verifyhub.memory.services.effects import Effect, effects_of
from verifyhub.memory.services.remember import row_of, support
from verifyhub.memory.services.settle import (
    Change,
    Name,
    settle_constraints,
    settle_interaction,
)

# How much of a task is kept with the verdict on its answer, in code points.
TASK_LENGTH = 200

ANSWER_WORDS = {
    Verdict.ACCEPT: str(Status.VERIFIED),
    Verdict.REJECT: str(Status.UNVERIFIED),
    Verdict.UNCERTAIN: "",
}


class NamedMention(Protocol):
    """What memory needs of a mention; `verification.MentionVerdict` is one."""

    text: str
    kind: str
    key: str
    suggestion: str


@transaction.atomic
def apply_mention_override(
    *,
    project: Project,
    interaction: Interaction,
    mention: NamedMention,
    status: str,
    override_id: UUID,
    actor: AbstractBaseUser,
    suggestion: str = "",
) -> list[Effect]:
    """Let what a reviewer said of one name change memory and constraints.

    `unverified` confirms an invention: a constraint on the name is in force at once.
    `verified` says that the name is right: it becomes a fact of the session, its
    blocker is superseded, the answer no longer supports the constraint, and the
    constraint is retired unless a lead pinned it.

    Args:
        project: The tenant.
        interaction: The answer that holds the name.
        mention: The name.
        status: `verified` or `unverified`, whatever the machine or an earlier
            decision said.
        override_id: The decision, so that it can be taken back.
        actor: The reviewer.
        suggestion: The right name, if the reviewer knows it; names of an invention
            only.

    Returns:
        What changed, the correction itself first.
    """
    suggestion = suggestion.strip() if status == Status.UNVERIFIED else ""
    correction = _correct(
        interaction,
        override_id,
        text=mention.text,
        status=status,
        mention_kind=mention.kind,
        mention_key=mention.key[:MAX_MENTION_KEY_LENGTH],
        suggestion=suggestion,
    )
    _write_fact(interaction, mention, status)
    changes = settle_interaction(project_id=project.id, interaction_id=interaction.id)
    name = (correction.mention_kind, correction.mention_key)
    changes += _suggest(project, name, suggestion)
    changes += settle_constraints(project=project, names={name}, actor=actor)
    _audit(correction, actor, "memory.name_corrected")
    return [
        _correction_effect(correction, active=True),
        *effects_of(changes, interaction_id=str(interaction.id)),
    ]


@transaction.atomic
def apply_verdict_override(
    *,
    project: Project,
    interaction: Interaction,
    report: Mapping[str, Any],
    before: str,
    after: str,
    override_id: UUID,
    actor: AbstractBaseUser,
) -> list[Effect]:
    """Let what a reviewer said of a whole answer change memory and constraints.

    `accept` supersedes the answer's blockers and gaps and takes back its support of
    constraints, except for names the reviewer decided one by one. `reject` and
    `uncertain` leave the facts as they are, since names found in evidence stay found;
    `reject` tells the session's next agent that the answer did not hold.

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
    correction = _correct(
        interaction,
        override_id,
        text=interaction.task[:TASK_LENGTH],
        status=ANSWER_WORDS[Verdict(after)],
    )
    changes = settle_interaction(project_id=project.id, interaction_id=interaction.id)
    changes += settle_constraints(
        project=project, names=_names(report["mentions"]), actor=actor
    )
    _audit(correction, actor, "memory.answer_judged", before={"verdict": before})
    return [
        _correction_effect(correction, active=True),
        *effects_of(changes, interaction_id=str(interaction.id)),
    ]


@transaction.atomic
def undo_effects(
    *, effects: Sequence[Effect | Mapping[str, Any]], actor: AbstractBaseUser
) -> list[Effect]:
    """Take a decision back, with everything that followed from it and nothing else.

    Decisions made since keep their force; undoing twice changes nothing.

    Args:
        effects: What applying the decision returned.
        actor: Who takes it back.

    Returns:
        What changed now.
    """
    undone: list[Effect] = []
    for effect in effects:
        if effect["type"] == "correction":
            correction = MemoryEntry.objects.select_related("project", "session").get(
                id=effect["id"], kind=MemoryEntry.Kind.CORRECTION
            )
            undone += _withdraw(correction, effects, actor)
    return undone


def _withdraw(
    correction: MemoryEntry,
    effects: Sequence[Effect | Mapping[str, Any]],
    actor: AbstractBaseUser,
) -> list[Effect]:
    active, retracted = MemoryEntry.State.ACTIVE, MemoryEntry.State.RETRACTED
    if not update_if(
        correction,
        expected={"state": active},
        state=str(retracted),
        updated_at=timezone.now(),
    ):
        return []
    project, interaction_id = correction.project, correction.interaction_id
    changes = settle_interaction(project_id=project.id, interaction_id=interaction_id)
    names = {(correction.mention_kind, correction.mention_key)}
    if not correction.mention_key:
        names = _supported_names(project, interaction_id)
    for effect in effects:
        changes += _restore_suggestion(project, effect)
    changes += settle_constraints(project=project, names=names, actor=actor)
    _audit(correction, actor, "memory.correction_undone")
    return [
        _correction_effect(correction, active=False),
        *effects_of(changes, interaction_id=str(interaction_id)),
    ]


def _correct(
    interaction: Interaction,
    override_id: UUID,
    *,
    text: str,
    status: str,
    mention_kind: str = "",
    mention_key: str = "",
    suggestion: str = "",
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
    )
    correction.save(force_insert=True)
    return correction


def _write_fact(interaction: Interaction, mention: NamedMention, status: str) -> None:
    """Write the finding or blocker that follows, superseded until settling."""
    data = {
        "text": mention.text,
        "kind": mention.kind,
        "key": mention.key,
        "suggestion": mention.suggestion,
    }
    subject = str(interaction.id)
    verified = status == Status.VERIFIED
    entry: Entry = (
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


def _suggest(project: Project, name: Name, suggestion: str) -> list[Change]:
    constraint = Constraint.objects.filter(
        project=project, mention_kind=name[0], mention_key=name[1]
    ).first()
    if constraint is None or not suggestion or constraint.suggestion == suggestion:
        return []
    return [_set_suggestion(constraint, suggestion)]


def _set_suggestion(constraint: Constraint, suggestion: str) -> Change:
    before = constraint.suggestion
    Constraint.objects.filter(pk=constraint.pk).update(
        suggestion=suggestion, updated_at=timezone.now()
    )
    constraint.suggestion = suggestion
    return Change(
        row=constraint,
        before={"suggestion": before},
        after={"suggestion": suggestion},
    )


def _restore_suggestion(
    project: Project, effect: Effect | Mapping[str, Any]
) -> list[Change]:
    """Give a constraint the suggestion it had, unless somebody has changed it since."""
    if effect["type"] != "constraint" or "suggestion" not in effect["before"]:
        return []
    constraint = Constraint.objects.filter(
        project=project, id=effect["id"], suggestion=effect["after"]["suggestion"]
    ).first()
    if constraint is None:
        return []
    return [_set_suggestion(constraint, effect["before"]["suggestion"])]


def _names(mentions: Sequence[Mapping[str, Any]]) -> set[Name]:
    return {
        (mention["kind"], mention["key"][:MAX_MENTION_KEY_LENGTH])
        for mention in mentions
    }


def _supported_names(project: Project, interaction_id: UUID | None) -> set[Name]:
    rows = Constraint.objects.filter(
        project=project, sightings__interaction_id=str(interaction_id)
    )
    return set(rows.values_list("mention_kind", "mention_key"))


def _correction_effect(correction: MemoryEntry, *, active: bool) -> Effect:
    state = {"state": str(MemoryEntry.State.ACTIVE)}
    taken_back = {"state": str(MemoryEntry.State.RETRACTED)}
    return Effect(
        type="correction",
        id=str(correction.id),
        before={} if active else state,
        after=state if active else taken_back,
        text=_correction_text(correction, active=active),
    )


def _correction_text(correction: MemoryEntry, *, active: bool) -> str:
    session = correction.session
    where = f"session {quoted(session.key)}" if session else "this answer"
    what = "your verdict on the answer"
    if correction.mention_key:
        right = correction.mention_status == Status.VERIFIED
        name = f"{kind_word(correction.mention_kind)} {quoted(correction.text)}"
        what = f"that the {name} is right" if right else f"that there is no {name}"
    if active:
        return f"The memory of {where} now holds, above all else, {what}."
    return f"The memory of {where} no longer holds {what}."


def _audit(
    correction: MemoryEntry,
    actor: AbstractBaseUser,
    action: str,
    before: Mapping[str, Any] | None = None,
) -> None:
    record_event(
        project_id=correction.project_id,
        actor=actor,
        action=action,
        obj=correction,
        before=before,
        after={
            "status": correction.mention_status,
            "kind": correction.mention_kind,
            "key": correction.mention_key,
            "override": str(correction.override_id),
        },
    )
