"""Write an answer again, and offer the text only once it has been verified itself."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, TypeAlias

from pydantic import Field

from verifyhub.common.contract import Count, StoredModel
from verifyhub.engine.judging.ask import sealed
from verifyhub.engine.judging.metered import Metered
from verifyhub.engine.mitigation.compare import OBJECTION_WORDS, Objection, objections
from verifyhub.engine.mitigation.limits import Watch, WorkLimits
from verifyhub.engine.mitigation.prompt import SYSTEM, material
from verifyhub.engine.passages import PassageSearch
from verifyhub.engine.ports import (
    Clock,
    Cost,
    Model,
    ModelError,
    ModelRequest,
    ModelUsage,
)
from verifyhub.engine.verdicts import VerificationReport

PURPOSE = "mitigation.rewrite"
MOST_PASSAGES = 8
_NO_COST = Cost()
AGAIN = "\nYour last text was verified and not taken, because {why}. Write another."
# The verdict object of a text, by the same checks over the same run.
Verify: TypeAlias = Callable[[str], VerificationReport]


def passages_for(question: str, search: PassageSearch | None) -> list[str]:
    """Return the passages that are relevant to a question, best first."""
    if search is None or not question.strip():
        return []
    (hits,) = search.search([question], limit=MOST_PASSAGES)
    return [hit.passage.text for hit in hits]


@dataclass(frozen=True, slots=True, kw_only=True)
class RewriteSubject:
    """An answer to be rewritten.

    Attributes:
        task, answer: Texts of an agent's run; hostile.
        report: The verdict object of the answer.
        search: Finds evidence beyond what the report shows; None where there is none.
    """

    task: str
    answer: str
    report: VerificationReport
    search: PassageSearch | None = None

    def passages(self, question: str) -> list[str]:
        """Return the passages that are relevant to a question, best first."""
        return passages_for(question, self.search)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewrite(StoredModel):
    """A rewritten text, or why there is none."""

    text: str = ""
    """The last text written; empty if none."""
    offered: bool = False
    """Whether it may replace the answer."""
    reason: str
    """`offered`, `objections`, `no_model`, `no_reliable_part`, `deadline`, `cost`, or
    the reason of a model's error."""
    objections: tuple[Objection, ...] = ()
    """Objections to the last rewrite."""
    report: Annotated[VerificationReport | None, Field(alias="verdict")] = None
    """The verdict object of the written text; null if none."""
    tries: Count = 0
    """Number of model calls."""
    cost: Cost = _NO_COST
    """Cost of writing only; the cost of verification is in `verdict`."""
    model: str = ""
    """The model that wrote it."""
    parts: tuple[Mapping[str, Any], ...] = ()
    """For a task split into parts: `task`, `answer`, `confidence` and `reliable` of
    each part."""


def rewrite(
    subject: RewriteSubject,
    *,
    model: Model | None,
    verify: Verify,
    limits: WorkLimits | None = None,
    clock: Clock | None = None,
) -> Rewrite:
    """Rewrite an answer until a text passes the checks or the limits are reached.

    Args:
        subject: The answer with what was found of it.
        model: The model that writes; None gives `no_model`.
        verify: Verifies a text as the answer was verified.
        limits: Tries, time and money.
        clock: For the deadline.
    """
    if model is None:
        return Rewrite(reason="no_model")
    limits = limits or WorkLimits()
    metered = Metered(model)
    watch = Watch(limits, clock) if clock else Watch(limits)
    document = material(
        subject.task, subject.answer, subject.report, subject.passages(subject.task)
    )
    last = Rewrite(reason="", model=model.name)
    for number in range(1, limits.tries + 1):
        if stopped := watch.stopped_by(metered.usages):
            return ended(last, last.reason or stopped, metered.usages)
        # What was wrong is described in the fixed words of VerifyHub alone.
        why = "; ".join(OBJECTION_WORDS[objection] for objection in last.objections)
        try:
            text = written(
                metered,
                SYSTEM + (AGAIN.format(why=why) if why else ""),
                document,
                purpose=PURPOSE,
                seconds=watch.seconds_left,
            )
        except ModelError as error:
            return ended(last, last.reason or error.reason, metered.usages)
        last = judged(subject, text, verify=verify, tries=number, model=model.name)
        if last.offered:
            break
    return ended(last, last.reason, metered.usages)


def judged(
    subject: RewriteSubject, text: str, *, verify: Verify, tries: int, model: str
) -> Rewrite:
    """Verify a text, and decide whether it may be offered."""
    report = verify(text)
    against = objections(subject.report, report, texts=(subject.answer, text))
    return Rewrite(
        text=text,
        offered=not against,
        reason="objections" if against else "offered",
        objections=against,
        report=report,
        tries=tries,
        model=model,
    )


def written(
    model: Metered,
    system: str,
    document: Mapping[str, Any],
    *,
    purpose: str,
    seconds: float,
) -> str:
    """Let the model write a whole text from sealed material.

    Raises:
        ModelError: If none arrived, or it was cut at the length limit.
    """
    generation = model.ask(
        ModelRequest(
            system=system,
            user=sealed(document, nonce=secrets.token_hex(8)),
            purpose=purpose,
            deadline_seconds=seconds,
        )
    )
    if generation.is_cut:
        raise ModelError("too_large", "the text was cut at the length limit")
    return generation.text.strip()


def ended(
    last: Rewrite,
    reason: str,
    usages: Sequence[ModelUsage],
    *,
    parts: tuple[Mapping[str, Any], ...] = (),
) -> Rewrite:
    """Return the result of a rewrite, with the reason of its end and its usage."""
    cost = Cost.of(usages, run_microdollars=None)
    return replace(last, reason=reason, cost=cost, parts=parts)
