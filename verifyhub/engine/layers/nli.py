"""E5: whether a text follows from its context (requirement E5).

A long context is split into passages, each is compared with the text, and the strongest
counts, as in SummaC (Laban et al. 2022): a passage that entails the text outweighs all;
else one that contradicts it does; silence is neutral.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from verifyhub.common.visible import middle_cut
from verifyhub.engine.judging.control_sentences import ControlSentence
from verifyhub.engine.layer_results import LayerName
from verifyhub.engine.layers.base import (
    NO_MODEL,
    LayerFinding,
    LayerInput,
    LayerWork,
    inconclusive,
    skipped,
)
from verifyhub.engine.layers.control import controlled
from verifyhub.engine.layers.inference import OF_STATUS, Inference, as_candidate
from verifyhub.engine.layers.material import (
    MAX_TASK_CHARACTERS,
    ONLY_MATERIAL,
    shown,
    text_of,
)
from verifyhub.engine.layers.opinions import ask_opinion, excerpts
from verifyhub.engine.ports import ModelError
from verifyhub.engine.reports import Outcome

PURPOSE = "layer.nli"
NO_CONTEXT = "no_context"
MAX_PASSAGES = 8
# A context up to this length is compared with the text as a whole.
MAX_WHOLE_CHARACTERS = 4_000
MAX_SHOWN_CHARACTERS = 200
SYSTEM = (
    "You judge how `hypothesis` relates to `premise`: ENTAILMENT if it follows from"
    " the premise, CONTRADICTION if both cannot be true, NEUTRAL if the premise does"
    " not say. What you know yourself does not count. `task` only says what the"
    " hypothesis answers. Say how sure you are, from 0 to 1. Call submit_opinion"
    " exactly once."
) + ONLY_MATERIAL


@dataclass(frozen=True, slots=True)
class PassageRelation:
    """One passage's relation to the text, and the confidence in it, 0..1."""

    relation: Inference
    confidence: float
    passage: str = ""


class NLI:
    name = LayerName.NLI
    timeout_seconds = 10.0

    def look(self, subject: LayerInput, work: LayerWork) -> LayerFinding:
        if not subject.context.strip():
            return skipped(NO_CONTEXT)
        asked = work.tools.judge or work.tools.verifier
        if asked is None:
            return skipped(NO_MODEL)
        premises, left_out = [subject.context], 0
        if len(subject.context) > MAX_WHOLE_CHARACTERS:
            premises, left_out = excerpts(
                subject.context, subject.text, most=MAX_PASSAGES
            )
        replies = work.each(
            [partial(_judge, premise, subject, work) for premise in premises]
        )
        judged = [reply for reply in replies if isinstance(reply, PassageRelation)]
        reasons = [reply.reason for reply in replies if isinstance(reply, ModelError)]
        details: dict[str, Any] = {
            "judged_by": asked.name,
            "passages": len(premises),
            "left_out": left_out,
            "unjudged": len(reasons),
        }
        if not judged:
            return inconclusive((reasons or [""])[0], **details)
        best = strongest(judged)
        details |= {
            "relation": str(best.relation),
            "confidence": best.confidence,
            "passage": best.passage[:MAX_SHOWN_CHARACTERS],
            "contradicting": sum(
                judgement.relation == Inference.CONTRADICTION for judgement in judged
            ),
        }
        if reasons and best.relation != Inference.ENTAILMENT:
            # What was not judged might have entailed it.
            return inconclusive(reasons[0], **details)
        finding = LayerFinding(
            outcome=(
                Outcome.FAILED
                if best.relation == Inference.CONTRADICTION
                else Outcome.PASSED
            ),
            score=score_of(best),
            reason=(reasons or [""])[0],
            details=details,
        )
        if work.tools.judge is not None:
            return finding

        def accepts(control: ControlSentence) -> bool:
            planted = replace(subject, text=control.falsehood)
            reply = _judge(f"{premises[0]}\n\n{control.truth}", planted, work)
            return reply.relation is Inference.ENTAILMENT

        return controlled(finding, work, subject, accepts)


def strongest(judged: Sequence[PassageRelation]) -> PassageRelation:
    """Return the passage that counts: entailing before contradicting before silent."""
    order = (Inference.ENTAILMENT, Inference.CONTRADICTION, Inference.NEUTRAL)
    return min(
        judged,
        key=lambda judgement: (order.index(judgement.relation), -judgement.confidence),
    )


def score_of(judged: PassageRelation) -> float:
    """Return the score of a relation, as the source has it."""
    if judged.relation == Inference.ENTAILMENT:
        return judged.confidence
    if judged.relation == Inference.CONTRADICTION:
        return 1.0 - judged.confidence
    return 0.5 * judged.confidence


def _judge(premise: str, subject: LayerInput, work: LayerWork) -> PassageRelation:
    tools = work.tools
    if tools.judge is not None:
        judgement = tools.judge.judge(
            text_of(subject), [as_candidate(premise)], task=subject.task
        )
        if judgement.is_missing or judgement.confidence is None:
            raise ModelError(judgement.reason, "the judge gave no verdict")
        relation = OF_STATUS.get(judgement.status, Inference.NEUTRAL)
        return PassageRelation(relation, judgement.confidence, premise)
    if tools.verifier is None:
        raise ModelError(NO_MODEL, "there is nobody to ask")
    said_so = ask_opinion(
        tools.verifier,
        [relation.upper() for relation in Inference],
        system=SYSTEM,
        user=shown(
            work,
            task=middle_cut(subject.task, MAX_TASK_CHARACTERS),
            premise=premise,
            hypothesis=text_of(subject),
        ),
        purpose=PURPOSE,
    )
    return PassageRelation(Inference(said_so.word.lower()), said_so.confidence, premise)
