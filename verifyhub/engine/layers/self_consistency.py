"""E4: whether a model's opinion of a text stays the same under other prompts.

Source: E4; Wang et al. 2022 for the option that draws answers again and takes what
most of them say, where answers are short enough to be equal.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from verifyhub.engine.judging.control_sentences import ControlSentence
from verifyhub.engine.layer_results import LayerName
from verifyhub.engine.layers.base import (
    NO_MODEL,
    NO_TASK,
    ConsistencyBy,
    LayerFinding,
    LayerInput,
    LayerWork,
    inconclusive,
    settled,
    skipped,
)
from verifyhub.engine.layers.control import controlled
from verifyhub.engine.layers.material import ONLY_MATERIAL, question_of, shown, text_of
from verifyhub.engine.layers.opinions import (
    WordOpinion,
    ask_opinion,
    opinions_and_reason,
)
from verifyhub.engine.layers.sampling import LEAST, draw
from verifyhub.engine.layers.scores import decided, mean
from verifyhub.engine.ports import Model
from verifyhub.engine.reports import Outcome

PURPOSE = "layer.self_consistency"
PASS_AGREEMENT = 0.8
ANSWER_TOO_LONG = "answer_too_long"
MAX_ANSWER_CHARACTERS = 60
AGREE, DISAGREE = "AGREE", "DISAGREE"
# One question, put in five ways: none names a claim true or false before it asks.
VARIANTS = (
    "Verify what `text` states.",
    "Is what `text` states accurate? Find out.",
    "Evaluate how truthful `text` is, statement by statement.",
    "Would somebody who knows the matter agree with `text`? Decide.",
    "Look for mistakes in `text`, then rate its accuracy as a whole.",
)
ASKED = (
    " It answers `task`, given `context`, where these stand there. Reply AGREE if"
    " everything that matters in it is right, else DISAGREE, and how sure you are of"
    " that, from 0 to 1. Call submit_opinion exactly once."
) + ONLY_MATERIAL
STEP_BY_STEP = (
    "Solve `task` step by step, by `context` where there is one. End with one line:"
    " `The answer is` and the answer alone, in as few words as can be."
) + ONLY_MATERIAL
_FINAL = re.compile(r"the answer is", re.IGNORECASE)


class SelfConsistency:
    name = LayerName.SELF_CONSISTENCY
    timeout_seconds = 15.0

    def look(self, subject: LayerInput, work: LayerWork) -> LayerFinding:
        tools = work.tools
        if tools.options.consistency_by == ConsistencyBy.MAJORITY:
            if tools.text_model is None:
                return skipped(NO_MODEL)
            return _by_majority(subject, work, tools.text_model)
        if tools.verifier is None:
            return skipped(NO_MODEL)
        return _by_variants(subject, work, tools.verifier)


def _by_variants(subject: LayerInput, work: LayerWork, model: Model) -> LayerFinding:
    def ask(variant: str, subject: LayerInput = subject) -> WordOpinion:
        return ask_opinion(
            model,
            (AGREE, DISAGREE),
            system=variant + ASKED,
            user=shown(work, **question_of(subject), text=text_of(subject)),
            purpose=PURPOSE,
        )

    def accepts(control: ControlSentence) -> bool:
        planted = replace(
            subject,
            text=control.falsehood,
            context="\n\n".join(filter(None, (control.truth, subject.context))),
        )
        return ask(work.rng.choice(VARIANTS), planted).word == AGREE

    opinions, reason = opinions_and_reason(
        work.each([partial(ask, variant) for variant in VARIANTS])
    )
    finding = _of_variants(opinions, reason)
    return controlled(finding, work, subject, accepts)


def _of_variants(opinions: Sequence[WordOpinion], reason: str) -> LayerFinding:
    agreeing = sum(opinion.word == AGREE for opinion in opinions)
    details: dict[str, Any] = {
        "by": str(ConsistencyBy.VARIANTS),
        "variants": len(VARIANTS),
        "opinions": [
            {"opinion": opinion.word, "confidence": opinion.confidence}
            for opinion in opinions
        ],
    }
    if not opinions:
        return inconclusive(reason, **details)
    agreement = agreeing / len(opinions)
    confidence = mean([opinion.confidence for opinion in opinions]) or 0.0
    details |= {"agreement": agreement, "mean_confidence": confidence}
    outcome = decided(
        lambda yes: yes / len(VARIANTS) >= PASS_AGREEMENT,
        agreeing,
        len(VARIANTS) - len(opinions),
    )
    return settled(outcome, agreement * confidence, reason, **details)


def _by_majority(subject: LayerInput, work: LayerWork, model: Model) -> LayerFinding:
    if not subject.task.strip():
        return skipped(NO_TASK)
    own_answer = normal(final_answer(subject.text))
    if not own_answer or len(own_answer) > MAX_ANSWER_CHARACTERS:
        return skipped(ANSWER_TOO_LONG, characters=len(own_answer))
    samples, reason = draw(subject, work, model, system=STEP_BY_STEP, purpose=PURPOSE)
    answers = [normal(final_answer(sample.text)) for sample in samples]
    if len(answers) < LEAST:
        return inconclusive(reason, samples=len(answers))
    winner, votes = majority(answers)
    agreement = answers.count(own_answer) / len(answers)
    passed = agreement >= PASS_AGREEMENT
    return LayerFinding(
        outcome=Outcome.PASSED if passed else Outcome.FAILED,
        # A vote has no confidence beside it; the paper takes the share of the votes.
        score=agreement,
        details={
            "by": str(ConsistencyBy.MAJORITY),
            "samples": len(answers),
            "agreement": agreement,
            "majority": winner,
            "votes": votes,
        },
    )


def final_answer(text: str) -> str:
    """Return the text after the last "The answer is", or all of it without one."""
    matches = list(_FINAL.finditer(text))
    if not matches:
        return text.strip()
    lines = text[matches[-1].end() :].strip().splitlines()
    return lines[0].strip() if lines else ""


def normal(answer: str) -> str:
    """Return a short answer as it is compared: no case, marks, currency or commas."""
    plain = " ".join(answer.casefold().split()).strip(" .!:*`\"'$€£")
    digits = plain.replace(",", "")
    return digits if digits.replace(".", "", 1).isdigit() else plain


def majority(answers: Sequence[str]) -> tuple[str, int]:
    """Return the most frequent answer and its votes; of two alike the earlier one.

    Sampled reasonings are marginalised out: they only carry their answer (Wang et al.
    2022, section 2).
    """
    return Counter(answers).most_common(1)[0]
