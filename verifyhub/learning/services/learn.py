"""Create a labelled example and calibration samples from a decision."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from verifyhub.accounts.models import Project, User
from verifyhub.common.effects import Effect
from verifyhub.engine.claim_results import ClaimResult, FactStatus
from verifyhub.engine.reports import ClaimStatus, Status, Verdict
from verifyhub.engine.verdicts import VerificationReport
from verifyhub.ingest.models import Interaction
from verifyhub.learning.excerpts import answer_excerpt, likeness_of, task_excerpt
from verifyhub.learning.models import (
    MAX_REASON,
    MAX_SUBJECT,
    CalibrationSample,
    JudgedAnswer,
    LabelledExample,
)
from verifyhub.learning.services.record import record_answer
from verifyhub.learning.services.settle import (
    example_effect,
    examples_of,
    samples_effect,
    settle_answer,
)

# Labels of statuses: 1 for right, 0 for wrong.
_RIGHT = {
    str(Verdict.ACCEPT): True,
    str(Verdict.REJECT): False,
    str(Status.VERIFIED): True,
    str(Status.UNVERIFIED): False,
    str(ClaimStatus.SUPPORTED): True,
    str(ClaimStatus.CONTRADICTED): False,
    str(ClaimStatus.UNATTEMPTED): False,
    "right": True,
    "wrong": False,
}
# The check whose scores are those of single claims of fact, not of a whole answer.
CLAIMS = "claims"


class LearnedMention(Protocol):
    """The fields of a mention that learning needs, as in `MentionVerdict`."""

    text: str
    kind: str
    key: str


@dataclass(frozen=True, slots=True)
class _Subject:
    """The subject of a decision, and its position in the answer."""

    target: str
    text: str = ""
    kind: str = ""
    key: str = ""

    @property
    def digest(self) -> str:
        parts = "\0".join((self.target, self.kind, self.key))
        return hashlib.sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()


@transaction.atomic(savepoint=False)
def learn_from_override(
    *,
    project: Project,
    interaction: Interaction,
    verification_id: UUID,
    report: VerificationReport,
    override_id: UUID,
    target: str,
    before: str,
    after: str,
    reason: str,
    actor: User | None,
    mention: LearnedMention | None = None,
    claim: Mapping[str, Any] | None = None,
    decided_at: datetime | None = None,
) -> list[Effect]:
    """Learn from a person's decision on an answer, a name or a completion claim.

    Called inside the transaction of the decision; idempotent for the same decision.

    Args:
        project: The tenant.
        interaction: The answer.
        verification_id: The decided verification.
        report: Its report.
        override_id: The decision.
        target: `verdict`, `mention`, `claim` (of work) or `fact`.
        before: The status by verification, or by an earlier decision.
        after: The person's status.
        reason: The person's reason.
        actor: The reviewer.
        mention: The name, if the decision is about one.
        claim: The claim as in the report, if the decision is about one.
        decided_at: The time of an older decision; by default now.

    Returns:
        The effects, for undo.
    """
    subject = _subject(target, mention, claim)
    # Locked, so that decisions on one answer take turns.
    own = JudgedAnswer.objects.select_for_update().filter(pk=interaction.pk)
    if own.filter(verification_id=verification_id).first() is None:
        record_answer(
            interaction=interaction, verification_id=verification_id, report=report
        )
    earlier = examples_of(interaction.pk)
    taught = {(example.override_id, example.subject_key) for example in earlier}
    if (override_id, subject.digest) in taught:
        return []
    task = task_excerpt(interaction.task)
    answer = answer_excerpt(interaction.answer, subject.text)
    example = LabelledExample.objects.create(
        override_id=override_id,
        subject_key=subject.digest,
        project=project,
        interaction=interaction,
        verification_id=verification_id,
        target=target,
        subject=subject.text[:MAX_SUBJECT],
        subject_kind=subject.kind,
        machine=_machine_word(report, subject, before),
        person=after,
        reason=reason[:MAX_REASON],
        decided_at=decided_at or timezone.now(),
        reviewer=actor,
        task_excerpt=task,
        answer_excerpt=answer,
        likeness=likeness_of(task, answer),
    )
    samples = CalibrationSample.objects.bulk_create(_samples(example, report))
    settle_answer(interaction.pk, [*earlier, example])
    effects = [example_effect(example, active=True)]
    if samples:
        effects.append(samples_effect(example, len(samples), active=True))
    return effects


def learn_from_agreement(
    *,
    project: Project,
    interaction: Interaction,
    verification_id: UUID,
    report: VerificationReport,
    override_id: UUID,
    verdict: str,
    actor: User | None,
    reason: str = "",
    decided_at: datetime | None = None,
) -> list[Effect]:
    """Learn from a confirmation of a verdict; see `learn_from_override`.

    Args:
        override_id: The id of the agreement, such as the confirmed item's. An agreement
            that is given again after an undo needs another one.
        verdict: The confirmed verdict.
    """
    return learn_from_override(
        project=project,
        interaction=interaction,
        verification_id=verification_id,
        report=report,
        override_id=override_id,
        target=LabelledExample.Target.VERDICT,
        before=verdict,
        after=verdict,
        reason=reason,
        actor=actor,
        decided_at=decided_at,
    )


def _subject(
    target: str, mention: LearnedMention | None, claim: Mapping[str, Any] | None
) -> _Subject:
    if target == LabelledExample.Target.MENTION and mention is not None:
        return _Subject(target, mention.text, mention.kind, mention.key)
    claims = (LabelledExample.Target.CLAIM, LabelledExample.Target.FACT)
    if target in claims and claim is not None:
        span = "-".join(map(str, claim.get("span", ())))
        return _Subject(target, claim["text"], claim["kind"], f"{span} {claim['text']}")
    if target != LabelledExample.Target.VERDICT:
        raise ValueError(f"{target}: nothing to learn about was given")
    return _Subject(target)


def _machine_word(report: VerificationReport, subject: _Subject, before: str) -> str:
    """Return the verification's own status: `before` may be an earlier decision's."""
    if subject.target == LabelledExample.Target.VERDICT:
        return str(report.verdict)
    if subject.target == LabelledExample.Target.MENTION:
        for mention in report.mentions:
            if (mention.kind, mention.key) == (subject.kind, subject.key):
                return str(mention.status)
    if subject.target == LabelledExample.Target.CLAIM:
        for claim in report.completion_claims:
            if (claim.kind, claim.text) == (subject.kind, subject.text):
                return str(claim.status)
    if subject.target == LabelledExample.Target.FACT:
        fact = _fact(report, subject.text)
        return str(fact.status) if fact else before
    return before


def _fact(report: VerificationReport, text: str) -> ClaimResult | None:
    claims = report.claims
    cut = text[:MAX_SUBJECT]
    return next((claim for claim in claims if claim.text[:MAX_SUBJECT] == cut), None)


def _fact_score(fact: ClaimResult) -> float | None:
    """Return the probability that a claim is right, by its judge or local signs."""
    sure = fact.confidence
    if sure is not None and fact.status is FactStatus.VERIFIED:
        return sure
    if sure is not None and fact.status is FactStatus.CONTRADICTED:
        return 1.0 - sure
    return fact.support


def _samples(
    example: LabelledExample, report: VerificationReport
) -> list[CalibrationSample]:
    """Return scores with the person's label; none for "uncertain"."""
    label = _RIGHT.get(example.person)
    if label is None:
        return []
    return [
        CalibrationSample(
            project_id=example.project_id,
            example=example,
            check_name=name[:60],
            score=score,
            label=label,
            at=example.decided_at,
        )
        for name, score in _scores(example, report)
    ]


def _scores(
    example: LabelledExample, report: VerificationReport
) -> Iterator[tuple[str, float]]:
    if example.target == LabelledExample.Target.FACT:
        fact = _fact(report, example.subject)
        likely = _fact_score(fact) if fact else None
        if likely is not None:
            yield CLAIMS, likely
        return
    if example.target != LabelledExample.Target.VERDICT:
        right = _RIGHT.get(example.machine)
        if right is not None:
            yield example.target, float(right)
        return
    if report.confidence is not None:
        yield "verdict", report.confidence
    once = {check.name: check.score for check in report.checks}
    for name, score in once.items():
        if score is not None and name not in ("verdict", CLAIMS):
            yield name, score
