"""Passages, a search that finds all of them, and judges that follow a script."""

from collections.abc import Callable, Sequence
from dataclasses import asdict

from verifyhub.engine.claim_results import FactStatus, JudgedBy
from verifyhub.engine.claims.judges import ClaimJudgement
from verifyhub.engine.passages import Candidate, Passage, PassageOrigin
from verifyhub.engine.ports import ModelError, ModelReply, ModelRequest
from verifyhub.engine.types import Interaction


def a_passage(text: str, *, ref: str = "0", start: int = 0) -> Passage:
    return Passage(
        id=f"source:{ref}:{start}",
        origin=PassageOrigin.SOURCE,
        ref=ref,
        text=text,
        span=(start, start + len(text)),
    )


def candidates(*texts: str) -> list[Candidate]:
    return [
        Candidate(passage=a_passage(text, ref=str(number)), score=1.0 / (number + 1))
        for number, text in enumerate(texts)
    ]


class FindsAll:
    """A `PassageSearch` for tests: every claim gets every passage."""

    def __init__(self, *texts: str) -> None:
        self.found = candidates(*texts)

    def search(self, claims: Sequence[str], *, limit: int = 3) -> list[list[Candidate]]:
        return [self.found[:limit] for _ in claims]


def an_answer(answer: str, task: str = "Tell me about it.") -> Interaction:
    return Interaction(task=task, answer=answer)


class SaysAlways:
    """A `ClaimJudge` with one answer, which decides by the first passage."""

    name, judged_by = "always", JudgedBy.LOCAL_JUDGE

    def __init__(self, status: FactStatus) -> None:
        self.status, self.asked = status, list[str]()

    def judge(
        self, claim: str, candidates: Sequence[Candidate], *, task: str
    ) -> ClaimJudgement:
        self.asked.append(claim)
        settled = self.status is not FactStatus.UNKNOWN
        return ClaimJudgement(
            status=self.status, confidence=0.9, deciding=0 if settled else None
        )


class Writes:
    """A model that answers each prompt by a function of it."""

    name = "scripted"

    def __init__(
        self, answer: Callable[[str], str], *, logprob: float | None = None
    ) -> None:
        self.answer, self.logprob = answer, logprob
        self.asked: list[dict[str, object]] = []

    def ask(self, request: ModelRequest) -> ModelReply:
        self.asked.append(asdict(request))
        return ModelReply(
            text=self.answer(request.user), logprob=self.logprob, tokens=1
        )


class Fails:
    """A model that is down."""

    name = "down"

    def __init__(self) -> None:
        self.asked = 0

    def ask(self, _request: ModelRequest) -> ModelReply:
        self.asked += 1
        raise ModelError("unreachable", "nobody there")
