"""Save each statement of a decision as an override, with its effects."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from verifyhub.audit.services import record_event
from verifyhub.common.effects import Effect
from verifyhub.engine.memory.entries import ABOUT_FACT
from verifyhub.engine.memory.right_names import is_right_name
from verifyhub.engine.mentions.extract import mention_key
from verifyhub.engine.reports import ClaimStatus
from verifyhub.engine.types import MentionKind
from verifyhub.engine.value_results import ValueKind, ValueResult
from verifyhub.inference.services import forget
from verifyhub.memory import services as memory
from verifyhub.review.decide.announce import announce_override
from verifyhub.review.decide.checks import acted_by
from verifyhub.review.decide.lessons import MissedName, learned_from
from verifyhub.review.decisions import (
    CLAIM,
    MAX_MISSED_LENGTH,
    ClaimFlip,
    Decision,
    FactFlip,
    MentionFlip,
    Missed,
    Reviewer,
    ValueFlip,
)
from verifyhub.review.effect_words import FORGOTTEN
from verifyhub.review.errors import DecisionInvalidError, UnchangedError
from verifyhub.review.models import Act, Override, ReviewItem
from verifyhub.review.selectors import decisions, latest_overrides, report_of
from verifyhub.verification import services as verification
from verifyhub.verification.models import (
    ClaimVerdict,
    FactWord,
    MentionStatus,
    MentionVerdict,
    Verdict,
    Verification,
)

Target = Override.Target
# The audit action of each statement.
ACTIONS = {
    Target.VERDICT: "review.verdict_overridden",
    Target.MENTION: "review.mention_overridden",
    Target.CLAIM: "review.claim_overridden",
    Target.FACT: "review.fact_overridden",
    Target.VALUE: "review.value_overridden",
    Target.MISSED: "review.missed_added",
    Target.ANSWER: "review.answer_corrected",
    Target.NOTE: "review.note_added",
    Target.AGREEMENT: "review.verdict_confirmed",
}
# Statements that may contradict a model's opinion on the answer.
OVERRULING = frozenset(Target) - {Target.NOTE, Target.AGREEMENT}


@dataclass(frozen=True, slots=True)
class StatementWriter:
    """Writes the statements of a decision: its reviewer, item and act."""

    item: ReviewItem
    act: Act
    reviewer: Reviewer
    decision: Decision
    # Each person's own decision, if several led to this one.
    judgements: Sequence[tuple[Reviewer, Decision]] = ()

    def shared_by(self, statement: MentionFlip | Missed) -> list[Reviewer]:
        """Return who makes a statement on a name for every session; may be empty."""
        if statement.reach == "session":
            return []
        decisions = self.judgements or [(self.reviewer, self.decision)]
        return [who for who, decision in decisions if _states(decision, statement)]

    @property
    def run(self) -> Verification:
        """The verification that is judged."""
        return self.item.verification

    def about(self, override: Override) -> dict[str, Any]:
        """Return the arguments of memory's functions: project, answer, reviewer."""
        return {
            "project": self.item.project,
            "interaction": self.item.interaction,
            "override_id": override.id,
            "actor": self.reviewer,
        }

    def about_name(
        self, override: Override, statement: MentionFlip | Missed
    ) -> dict[str, Any]:
        """Return those about a name, with the statement and who shares it."""
        return {
            **self.about(override),
            "status": statement.status,
            "suggestion": statement.suggestion,
            "said_by": self.shared_by(statement),
        }

    def write(self, target: Target, **fields: Any) -> Override:
        """Save one statement, without its effects."""
        decision = self.decision
        return Override.objects.create(
            project_id=self.item.project_id,
            item=self.item,
            act=self.act,
            target=target,
            reason="" if target == Target.NOTE else decision.reason,
            reason_codes=list(decision.reason_codes),
            **acted_by(self.reviewer),
            **fields,
        )


def _states(decision: Decision, statement: MentionFlip | Missed) -> bool:
    """Whether a decision contains the same statement for every session."""

    def what(one: MentionFlip | Missed) -> tuple[Any, ...]:
        if isinstance(one, MentionFlip):
            return one.index, one.status, one.reach
        return one.text.strip(), one.kind, one.status, one.reach

    statements: Iterable[MentionFlip | Missed] = (*decision.mentions, *decision.missed)
    return any(what(other) == what(statement) for other in statements)


def write_statements(writer: StatementWriter) -> list[Override]:
    """Save all statements of a validated decision; names first, the verdict last."""
    decision = writer.decision
    overrides = [_flip_mention(writer, flip) for flip in decision.mentions]
    overrides += [_flip_claim(writer, flip) for flip in decision.claims]
    overrides += [_flip_fact(writer, flip) for flip in decision.facts]
    overrides += [_flip_value(writer, flip) for flip in decision.values]
    overrides += [_add_missed(writer, missed) for missed in decision.missed]
    if decision.correction is not None:
        override = writer.write(
            Target.ANSWER, text=decision.correction.replace("\r\n", "\n")
        )
        effects = memory.apply_answer_correction(
            **writer.about(override), text=override.text
        )
        overrides.append(_finish(writer, override, effects))
    if decision.settles:
        overrides.append(_judge(writer))
    if decision.note:
        note = writer.write(Target.NOTE, text=decision.note)
        overrides.append(_finish(writer, note, []))
    return overrides


def _flip_mention(writer: StatementWriter, flip: MentionFlip) -> Override:
    rows = MentionVerdict.objects.filter(verification=writer.run, index=flip.index)
    mention = rows.first()
    if mention is None:
        raise DecisionInvalidError(_("the answer has no such name"), field="mention")
    before = mention.effective_status
    # Marking a name without evidence as invented confirms it: it is then shared with
    # its session, and with all once others agree (requirement A14).
    confirms = flip.status == MentionStatus.UNVERIFIED and not mention.human_status
    if flip.status == before and not confirms and not _seconds(writer, mention, flip):
        raise UnchangedError(_NAME_ALREADY[flip.status], field="status")
    # The form already contains the nearest name of the trace.
    nearest = flip.suggestion.strip()
    if nearest == mention.suggestion and not (
        nearest and is_right_name(mention.kind, nearest)
    ):
        flip = replace(flip, suggestion="")
    _check_right_name(mention.kind, flip)
    override = writer.write(
        Target.MENTION, mention=mention, before=before, after=flip.status
    )
    about = writer.about_name(override, flip)
    verification.set_human_status(mention=mention, status=flip.status)
    return _finish(
        writer, override, memory.apply_mention_override(**about, mention=mention)
    )


def _seconds(
    writer: StatementWriter, mention: MentionVerdict, flip: MentionFlip
) -> bool:
    """Whether another person made the same statement for every session."""
    if mention.human_status != flip.status:
        return False
    active = mention.overrides.filter(undone_at=None, after=flip.status)
    return memory.adds_voice(
        overrides=active.values_list("id", flat=True),
        said_by=writer.shared_by(flip),
    )


def _flip_claim(writer: StatementWriter, flip: ClaimFlip) -> Override:
    claims = report_of(writer.run).completion_claims
    if not 0 <= flip.index < len(claims):
        raise DecisionInvalidError(_("the answer has no such claim"), field="claim")
    claim = claims[flip.index]
    reviewed = latest_overrides(decisions(writer.item), Target.CLAIM).get(flip.index)
    before = reviewed.after if reviewed else str(claim.status)
    if flip.status == before:
        raise UnchangedError(_CLAIM_ALREADY[flip.status], field="status")
    override = writer.write(
        Target.CLAIM,
        subject={"index": flip.index, **{k: claim.as_dict()[k] for k in _CLAIM_FIELDS}},
        before=before,
        after=flip.status,
    )
    effects = memory.apply_claim_override(
        **writer.about(override), claim=override.subject, status=override.after
    )
    return _finish(writer, override, effects)


def _flip_fact(writer: StatementWriter, flip: FactFlip) -> Override:
    rows = ClaimVerdict.objects.filter(verification=writer.run, index=flip.index)
    row = rows.first()
    if row is None:
        raise DecisionInvalidError(_("the answer has no such claim"), field="fact")
    if flip.status == row.human_status:
        raise UnchangedError(_CLAIM_ALREADY[flip.status], field="status")
    override = writer.write(
        Target.FACT,
        subject={
            "index": row.index,
            "text": row.text,
            "kind": row.kind,
            "span": [row.start, row.end],
        },
        before=row.human_status or row.status,
        after=flip.status,
    )
    verification.set_human_claim(claim=row, status=flip.status)
    effects = memory.apply_claim_override(
        **writer.about(override),
        claim=override.subject,
        status=_AS_WORK[flip.status],
        about=ABOUT_FACT,
    )
    return _finish(writer, override, effects)


def _flip_value(writer: StatementWriter, flip: ValueFlip) -> Override:
    values = report_of(writer.run).values
    if not 0 <= flip.index < len(values):
        raise DecisionInvalidError(_("the answer has no such value"), field="value")
    value = values[flip.index]
    reviewed = latest_overrides(decisions(writer.item), Target.VALUE).get(flip.index)
    if reviewed and reviewed.after == flip.status:
        raise UnchangedError(_VALUE_ALREADY[flip.status], field="status")
    override = writer.write(
        Target.VALUE,
        subject={
            "index": flip.index,
            "text": value.text,
            "kind": str(value.kind),
            "span": list(value.spans[0]),
        },
        before=reviewed.after if reviewed else str(value.status),
        after=flip.status,
    )
    return _finish(writer, override, _value_effects(writer, override, value, flip))


def _value_effects(
    writer: StatementWriter, override: Override, value: ValueResult, flip: ValueFlip
) -> list[Effect]:
    """Apply a decision about a value to memory.

    An amount or a date that is wrong here may be right in the next answer: it is shared
    with its own session only, with the line that contains it.
    """
    wrong = flip.status == FactWord.WRONG
    if value.kind is ValueKind.IDENTIFIER:
        kind = MentionKind.IDENTIFIER
        for_project = flip.reach == "project" and wrong
        subject = {
            "text": value.text,
            "kind": str(kind),
            "key": mention_key(kind, value.text),
            "suggestion": "",
        }
        return memory.apply_mention_override(
            **writer.about(override),
            mention=MissedName.of(subject),
            status=str(MentionStatus.UNVERIFIED if wrong else MentionStatus.VERIFIED),
            said_by=[writer.reviewer] if for_project else [],
        )
    line = _line(writer.item.interaction.answer, value)
    return memory.apply_claim_override(
        **writer.about(override),
        claim={"text": line, "kind": str(value.kind)},
        status=_AS_WORK[flip.status],
        about=ABOUT_FACT,
    )


def _line(answer: str, value: ValueResult) -> str:
    """Return the first line of the answer that contains a value, truncated."""
    start, end = value.spans[0]
    begin = max(answer.rfind("\n", 0, start) + 1, start - MAX_MISSED_LENGTH // 2)
    stop = answer.find("\n", end)
    return answer[begin : stop if stop >= 0 else None][:MAX_MISSED_LENGTH].strip()


_VALUE_ALREADY: dict[str, Promise] = {
    FactWord.RIGHT: _("the value is already correct"),
    FactWord.WRONG: _("the value is already wrong"),
}
# Memory has two statuses of claims.
_AS_WORK: dict[str, str] = {
    FactWord.RIGHT: str(ClaimStatus.SUPPORTED),
    FactWord.WRONG: str(ClaimStatus.CONTRADICTED),
}
_CLAIM_FIELDS = ("text", "kind", "span")
_NAME_ALREADY: dict[str, Promise] = {
    MentionStatus.VERIFIED: _("the name is already verified"),
    MentionStatus.UNVERIFIED: _("the name is already unverified"),
}
_CLAIM_ALREADY: dict[str, Promise] = {
    ClaimStatus.SUPPORTED: _("the claim is already supported"),
    ClaimStatus.CONTRADICTED: _("the claim is already contradicted"),
    ClaimStatus.UNATTEMPTED: _(
        "the claim is already marked as without evidence of execution"
    ),
    ClaimStatus.UNCHECKED: _("the claim is already unchecked"),
    FactWord.RIGHT: _("the claim is already correct"),
    FactWord.WRONG: _("the claim is already wrong"),
}


def _add_missed(writer: StatementWriter, missed: Missed) -> Override:
    start = missed.start or 0
    subject: dict[str, Any] = {
        "text": missed.text,
        "kind": missed.kind,
        "span": [start, start + len(missed.text)],
    }
    if missed.kind != CLAIM:
        subject["key"] = mention_key(MentionKind(missed.kind), missed.text)
        subject["suggestion"] = missed.suggestion
        _check_right_name(missed.kind, missed)
    _check_new(writer.item, subject)
    override = writer.write(Target.MISSED, subject=subject, after=missed.status)
    if missed.kind == CLAIM:
        effects = memory.apply_claim_override(
            **writer.about(override), claim=subject, status=missed.status
        )
    else:
        effects = memory.apply_mention_override(
            **writer.about_name(override, missed), mention=MissedName.of(subject)
        )
    return _finish(writer, override, effects)


def _check_right_name(kind: str, statement: MentionFlip | Missed) -> None:
    """Refuse a suggestion that is no name of the kind."""
    suggestion = statement.suggestion.strip()
    invented = statement.status == MentionStatus.UNVERIFIED
    if invented and suggestion and not is_right_name(kind, suggestion):
        raise DecisionInvalidError(memory.NO_RIGHT_NAME, field="suggestion")


def _check_new(item: ReviewItem, subject: dict[str, Any]) -> None:
    """Refuse to add a name that exists already; its status can be changed instead."""
    exists = MentionVerdict.objects.filter(
        verification=item.verification,
        kind=subject["kind"],
        key=subject.get("key", "")[: MentionVerdict.MAX_KEY],
    ).exists()
    claims = report_of(item.verification).completion_claims
    spans = [list(claim.span) for claim in claims]
    exists |= subject["kind"] == CLAIM and subject["span"] in spans
    exists |= item.overrides.filter(
        target=Target.MISSED,
        undone_at=None,
        subject__text=subject["text"],
        subject__kind=subject["kind"],
    ).exists()
    if exists:
        raise UnchangedError(
            _("it is already marked; change its status instead"), field="text"
        )


def _judge(writer: StatementWriter) -> Override:
    machine, verdict = writer.run.verdict, writer.decision.verdict
    if writer.decision.agree:
        override = writer.write(Target.AGREEMENT, before=machine, after=machine)
        return _finish(writer, override, [])
    override = writer.write(Target.VERDICT, before=machine, after=Verdict(verdict))
    effects = memory.apply_verdict_override(
        **writer.about(override),
        report=report_of(writer.run),
        before=machine,
        after=verdict,
    )
    return _finish(writer, override, effects)


def _finish(
    writer: StatementWriter, override: Override, effects: list[Effect]
) -> Override:
    item = override.item
    all_effects = [*effects, *learned_from(override, writer.reviewer)]
    if override.target in OVERRULING and (
        count := forget(
            project=item.project,
            verification_ids=item.interaction.verifications.values_list(
                "id", flat=True
            ),
        )
    ):
        all_effects.append(
            Effect(
                type="cache",
                id=str(item.interaction_id),
                before={"opinions": count},
                after={"opinions": 0},
                code=FORGOTTEN,
                params={"count": count},
            )
        )
    override.effects = [dict(effect) for effect in all_effects]
    override.save(update_fields=["effects"])
    record_event(
        ACTIONS[Target(override.target)],
        override.item,
        writer.reviewer,
        before={"value": override.before},
        after=_as_recorded(override),
    )
    announce_override(override, writer.reviewer)
    return override


def _as_recorded(override: Override) -> dict[str, Any]:
    after: dict[str, Any] = {"value": override.after, "override": str(override.id)}
    if override.reason:
        after["reason"] = override.reason
    if override.reason_codes:
        after["reason_codes"] = override.reason_codes
    if override.mention is not None:
        after["mention"] = override.mention.text
    if override.subject:
        after["subject"] = override.subject
    return after
