"""Natural language inference by a model's one-word reply or by a local judge."""

from enum import StrEnum

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


class Infers:
    """Compares two answers to one task, by a judge on this machine or else a model."""

    def __init__(self, model: Model, work: LayerWork) -> None:
        self._judge, self._model, self._work = work.tools.judge, model, work
        self.name = (self._judge or model).name

    def relation(self, first: str, second: str, *, task: str) -> Inference:
        """Return the relation of the first answer to the second.

        Raises:
            ModelError: If that could not be found out.
        """
        if self._judge is not None:
            return self._judged(self._judge, first, second, task)
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

    @staticmethod
    def _judged(judge: ClaimJudge, first: str, second: str, task: str) -> Inference:
        """Take the first answer for the evidence for the second.

        Both stand behind the task, as the paper gives them to its model.
        """
        about = middle_cut(task, MAX_QUESTION_CHARACTERS)
        evidence = as_candidate(f"{about}\n{first}")
        judgement = judge.judge(f"{about}\n{second}", [evidence], task=task)
        if judgement.is_missing:
            raise ModelError(judgement.reason, "the judge gave no verdict")
        return OF_STATUS.get(judgement.status, Inference.NEUTRAL)


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
