"""Ask the tier above once, and combine its opinion with the ledger (meet rule).

Source: A1 to A3; the decoy and the sure name follow the known-answer checks that
published attacks on judges fail to hold for long, so they only tell a misled judge from
a sound one and never replace the meet rule.
"""

import random
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from verifyhub.engine.calls.inputs import string_leaves
from verifyhub.engine.cross_tier.prompt import (
    SYSTEM,
    key_material,
    material,
    shown_name,
    verifier_document,
)
from verifyhub.engine.cross_tier.submission import TOOL, Submission, parse_submission
from verifyhub.engine.judging.ask import Controls, ask_judge
from verifyhub.engine.judging.examples import Example, instruction, texts_of
from verifyhub.engine.judging.metered import Metered
from verifyhub.engine.judging.replies import SubmissionError
from verifyhub.engine.ledger.summary import RunSummary
from verifyhub.engine.ports import HELD_BACK, Model, ModelError, ModelRequest
from verifyhub.engine.reports import (
    CheckResult,
    MentionResult,
    Outcome,
    ReportWarning,
    Status,
)
from verifyhub.engine.types import Interaction
from verifyhub.engine.warning_codes import WarningCode

NAME = "cross_tier"
INCONCLUSIVE_GAP = "Verification could not be completed"
MISLED = "judge_misled"
NAMES_DOUBTED = "names_doubted"
CONTRADICTION = "contradiction"

# What a report keeps of a reply; the reply itself is bounded when it is read.
MAX_GAPS = 20
MAX_GAP_CHARACTERS = 300
MAX_REMARKS = 20
MAX_ADDED = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossTierOpinion:
    """The verifier's opinion; confidence and completeness are None unless it decided.

    Attributes:
        doubted: Names that the ledger found and the verifier did not accept.
        added: Names that the verifier misses among those to judge; nobody has looked
            for them yet.
        judged: Each name it was asked about: whether it accepted it.
        contradictions: What it calls a contradiction, in its words.
    """

    check: CheckResult
    confidence: float | None = None
    completeness: float | None = None
    gaps: tuple[str, ...] = ()
    warnings: tuple[ReportWarning, ...] = ()
    doubted: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    judged: Mapping[str, bool] = field(default_factory=dict)
    contradictions: tuple[str, ...] = ()

    @property
    def misled(self) -> bool:
        """Whether it judged the decoy or the sure name wrongly."""
        return self.check.reason == MISLED

    @property
    def decided(self) -> bool:
        """Whether there is an opinion at all."""
        return self.check.outcome in {Outcome.PASSED, Outcome.FAILED}


def ask_verifier(
    interaction: Interaction,
    mentions: Sequence[MentionResult],
    summary: RunSummary,
    *,
    model: Metered,
    rng: random.Random,
    name: str = NAME,
    examples: Sequence[Example] = (),
) -> CrossTierOpinion:
    """Ask the model once, with one repair, and combine its reply with the ledger.

    Args:
        mentions: What the ledger settled.
        model: The model of the tier above the executor.
        rng: The source of nonce and control names; it must be unpredictable.
        name: What the check is called; a second opinion has a name of its own.
        examples: What people decided of like answers; material, and part of what an
            opinion is kept under.

    Returns:
        An opinion whose check is inconclusive, without any score, whenever no sound
        reply arrived: an outage never looks like a verdict (requirement A3).
    """
    document = verifier_document(interaction, mentions, summary, examples)
    system = instruction(SYSTEM, examples)
    question = key_material(system, document)
    remembered = model.recall(purpose=NAME, material=question)
    if remembered is not None:
        return _lowered(name, parse_submission(remembered), mentions, model, wrong=())
    controls = Controls.among(
        [*summary.files_read, *summary.files_written],
        _texts(interaction) + texts_of(examples),
        rng,
    )
    wrong: list[ReportWarning] = []

    def parse(arguments: str) -> Submission:
        try:
            return parse_submission(arguments)
        except SubmissionError as error:
            wrong.extend(error.warnings)
            raise

    try:
        submission, _ = ask_judge(
            model,
            ModelRequest(
                system=system,
                user=material(document, summary, controls, rng),
                tool=TOOL,
                purpose=NAME,
            ),
            parse=parse,
        )
    except ModelError as error:
        return _unanswered(name, model, error, wrong)
    if controls.misled(accepted=submission.verified, refused=submission.unverified):
        return _misled(name, model, wrong)
    sound = submission.without(controls.names)
    model.remember(purpose=NAME, material=question, opinion=sound.as_arguments())
    return _lowered(name, sound, mentions, model, wrong)


def _texts(interaction: Interaction) -> list[str]:
    """Everything a run holds: a control name stands in none of it."""
    texts = [interaction.task, interaction.answer]
    for call in interaction.tool_calls:
        texts += [call.tool, call.output]
        texts += [text for _, text in string_leaves(call.input)]
    return texts


def _lowered(
    name: str,
    submission: Submission,
    mentions: Sequence[MentionResult],
    model: Model,
    wrong: Sequence[ReportWarning],
) -> CrossTierOpinion:
    """Let the reply lower what the ledger found; it raises nothing."""
    shown_names = {mention.text: shown_name(mention.text) for mention in mentions}
    accepted = submission.verified - submission.unverified
    doubted = _sorted(mentions, Status.VERIFIED, shown_names, submission.unverified)
    overruled = _sorted(mentions, Status.UNVERIFIED, shown_names, accepted)
    contradictions = submission.contradictions[:MAX_REMARKS]
    added = [
        added_name
        for added_name in submission.mentions
        if added_name not in shown_names.values()
    ]
    reason = NAMES_DOUBTED if doubted else CONTRADICTION if contradictions else ""
    gaps = tuple(gap[:MAX_GAP_CHARACTERS] for gap in submission.gaps[:MAX_GAPS])
    return CrossTierOpinion(
        check=CheckResult(
            name=name,
            outcome=Outcome.FAILED if reason else Outcome.PASSED,
            score=submission.confidence,
            reason=reason,
            details={
                "model": model.name,
                "reasoning": submission.reasoning,
                "confidence": submission.confidence,
                "completeness": submission.completeness,
                "gaps": list(gaps),
                "doubted": list(doubted),
                "overruled": list(overruled),
            },
        ),
        confidence=submission.confidence,
        completeness=submission.completeness,
        gaps=gaps,
        warnings=(
            *wrong,
            *submission.clamped,
            *_opinions(doubted, overruled),
            *_warnings(WarningCode.CONTRADICTION, contradictions),
            *_warnings(WarningCode.VERIFIER_REMARK, submission.remarks),
        ),
        doubted=doubted,
        added=tuple(dict.fromkeys(added))[:MAX_ADDED],
        judged={
            text: shown_names[text] in accepted
            for text in shown_names
            if shown_names[text] in submission.verified | submission.unverified
        },
        contradictions=tuple(text[:MAX_GAP_CHARACTERS] for text in contradictions),
    )


def _sorted(
    mentions: Sequence[MentionResult],
    status: Status,
    shown_names: Mapping[str, str],
    names: Collection[str],
) -> tuple[str, ...]:
    """Return the names that the ledger gives one status and the verifier another."""
    return tuple(
        sorted(
            m.text
            for m in mentions
            if m.status is status and shown_names[m.text] in names
        )
    )


def _opinions(
    doubted: Sequence[str], overruled: Sequence[str]
) -> Iterator[ReportWarning]:
    if doubted:
        yield ReportWarning(
            code=WarningCode.VERIFIER_DOUBTS,
            message="The verifier does not accept names that the trace holds.",
            details={"names": list(doubted)},
        )
    if overruled:
        yield ReportWarning(
            code=WarningCode.VERIFIER_OVERRULED,
            message="The verifier accepted names that the trace does not show;"
            " they stay unverified.",
            details={"names": list(overruled)},
        )


def _warnings(code: WarningCode, texts: Sequence[str]) -> Iterator[ReportWarning]:
    for text in texts[:MAX_REMARKS]:
        yield ReportWarning(code=code, message=text[:MAX_GAP_CHARACTERS])


def _misled(
    name: str, model: Model, wrong: Sequence[ReportWarning]
) -> CrossTierOpinion:
    return CrossTierOpinion(
        check=CheckResult(
            name=name,
            outcome=Outcome.INCONCLUSIVE,
            reason=MISLED,
            details={"model": model.name},
        ),
        warnings=(
            *wrong,
            ReportWarning(
                code=WarningCode.JUDGE_MISLED,
                message=(
                    "The verifier judged a control name wrongly; only what the trace "
                    "itself shows counts, and a reviewer should check the answer."
                ),
                details={"model": model.name},
            ),
        ),
    )


def _unanswered(
    name: str, model: Model, error: ModelError, wrong: Sequence[ReportWarning]
) -> CrossTierOpinion:
    """Return why there is no opinion: a cap is a choice, all else a failure."""
    details: dict[str, Any] = {"model": model.name, "message": str(error)[:300]}
    if error.retry_after_seconds is not None:
        details["retry_after_seconds"] = error.retry_after_seconds
    unpaid = error.reason in HELD_BACK
    return CrossTierOpinion(
        check=CheckResult(
            name=name,
            outcome=Outcome.SKIPPED if unpaid else Outcome.INCONCLUSIVE,
            reason=error.reason,
            details=details,
        ),
        gaps=() if unpaid else (INCONCLUSIVE_GAP,),
        warnings=(
            *wrong,
            ReportWarning(
                code=WarningCode.VERIFIER_UNAVAILABLE,
                message="The stronger model gave no usable reply.",
                details={"reason": error.reason},
            ),
        ),
    )
