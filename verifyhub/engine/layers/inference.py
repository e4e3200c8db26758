"""Natural language inference by a model's one-word reply or by a local judge."""

from enum import StrEnum
from typing import Protocol

from verifyhub.common.visible import middle_cut
from verifyhub.engine.claim_results import FactStatus
from verifyhub.engine.claims.judges import ClaimJudge
from verifyhub.engine.layers.base import LayerWork
from verifyhub.engine.layers.material import MAX_TASK_CHARACTERS, ONLY_MATERIAL, shown
from verifyhub.engine.layers.opinions import ask_word
from verifyhub.engine.passages import Candidate, Passage, PassageOrigin
from verifyhub.engine.ports import Model, ModelError

PURPOSE = "layer.entailment"
MAX_ANSWER_CHARACTERS = 3_000
# A judge on this machine reads some 512 tokens of both texts.
MAX_QUESTION_CHARACTERS = 500
SYSTEM = (
    "You compare two answers to one task. Say whether `first` semantically entails"
    " `second`: whoever holds the first for true must hold the second for true, as"
    " answers to `task`. Answers that only differ in wording entail each other."
    " Reply with exactly one word: ENTAILMENT, NEUTRAL or CONTRADICTION."
) + ONLY_MATERIAL


class Inference(StrEnum):
    """The relation of a premise to a hypothesis."""

    ENTAILMENT = "entailment"
    NEUTRAL = "neutral"
    CONTRADICTION = "contradiction"


OF_STATUS = {
    FactStatus.VERIFIED: Inference.ENTAILMENT,
    FactStatus.CONTRADICTED: Inference.CONTRADICTION,
}


class Infers(Protocol):
    """Compares two answers to one task."""

    @property
    def name(self) -> str:
        """The name of the model or judge, for a layer's details."""

    def relation(self, first: str, second: str, *, task: str) -> Inference:
        """Return the relation of the first answer to the second.

        Raises:
            ModelError: If that could not be found out.
        """


class ModelInfers:
    """Asks a model for one exact word at temperature 0."""

    def __init__(self, model: Model, work: LayerWork) -> None:
        self._model, self._work = model, work

    @property
    def name(self) -> str:
        return self._model.name

    def relation(self, first: str, second: str, *, task: str) -> Inference:
        word = ask_word(
            self._model,
            tuple(Inference),
            system=SYSTEM,
            user=shown(
                self._work,
                task=middle_cut(task, MAX_TASK_CHARACTERS),
                first=middle_cut(first, MAX_ANSWER_CHARACTERS),
                second=middle_cut(second, MAX_ANSWER_CHARACTERS),
            ),
            purpose=PURPOSE,
        )
        return Inference(word)


class JudgeInfers:
    """Asks a judge of claims: the first answer is the evidence for the second.

    Both stand behind the task, as the paper gives them to its model.
    """

    def __init__(self, judge: ClaimJudge) -> None:
        self._judge = judge

    @property
    def name(self) -> str:
        return self._judge.name

    def relation(self, first: str, second: str, *, task: str) -> Inference:
        about = middle_cut(task, MAX_QUESTION_CHARACTERS)
        evidence = as_candidate(f"{about}\n{first}")
        judgement = self._judge.judge(f"{about}\n{second}", [evidence], task=task)
        if judgement.is_missing:
            raise ModelError(judgement.reason, "the judge gave no verdict")
        return OF_STATUS.get(judgement.status, Inference.NEUTRAL)


def inference_for(work: LayerWork) -> Infers | None:
    """Return the judge on this machine, else the model; None where there is neither."""
    tools = work.tools
    if tools.judge is not None:
        return JudgeInfers(tools.judge)
    return None if tools.text_model is None else ModelInfers(tools.text_model, work)


def as_candidate(text: str) -> Candidate:
    """Return a text as a passage that was found."""
    passage = Passage(
        id="source:0",
        origin=PassageOrigin.SOURCE,
        ref="0",
        text=text,
        span=(0, len(text)),
    )
    return Candidate(passage=passage, score=1.0)
