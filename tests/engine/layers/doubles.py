"""Models of a test: they answer by a rule, and count their calls."""

import json
import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

from verifyhub.engine.layer_results import (
    DetectionResult,
    LayerName,
    LayerResult,
    Risk,
    RiskLevel,
)
from verifyhub.engine.layers.base import LayerInput, LayerOptions, LayerTools
from verifyhub.engine.layers.run import run_layers
from verifyhub.engine.ports import ModelError, ModelReply, ModelRequest, ModelUsage
from verifyhub.engine.risk.profiles import PROFILES, Profile

RISK = Risk(level=RiskLevel.CRITICAL, by="override")
PARIS = LayerInput(text="Paris.", task="What is the capital of France?")


def the_document(user: str) -> dict[str, Any]:
    """What a sealed message holds."""
    (document,) = json.loads(user).values()
    return dict(document)


_DENIED = {
    "second": "CONTRADICTION",
    "claim": "REFUTED",
    "hypothesis": "CONTRADICTION",
    "passages": "CONTRADICTS",
    "text": "DISAGREE",
}


def denial(document: dict[str, Any]) -> str:
    """Return the word of a careful reader whom a number alone would mislead.

    Empty where nothing else in the document is the same text with another number.
    """
    keys = [key for key in ("second", "claim", "hypothesis", "text") if key in document]
    if not keys:
        return ""
    about = str(document[keys[0]])
    rest = " ".join(str(v) for key, v in document.items() if key != keys[0])
    if about in rest or re.sub(r"\d+", "#", about) not in re.sub(r"\d+", "#", rest):
        return ""
    sources = keys[0] == "text" and "passages" in document
    return _DENIED["passages" if sources else keys[0]]


class Counted:
    """Counts calls, and the most that ran at once, by purpose.

    `heeds_numbers` withstands the control questions of layers, which differ from what
    is shown in a number.
    """

    name = "double"
    heeds_numbers = True

    def __init__(self, price: int | None = None) -> None:
        self.price = price
        self.calls: list[dict[str, Any]] = []
        self._lock = threading.Lock()

    def worst_microdollars(self, _request: ModelRequest) -> int | None:
        return self.price

    def purposes(self) -> list[str]:
        return [call["purpose"] for call in self.calls]

    def _count(self, request: ModelRequest, document: dict[str, Any]) -> None:
        with self._lock:
            self.calls.append({**asdict(request), "document": document})

    def _denial(self, document: dict[str, Any]) -> str:
        return denial(document) if self.heeds_numbers else ""

    def _usage(self) -> ModelUsage:
        return ModelUsage(
            input_tokens=10, output_tokens=5, cost_microdollars=self.price
        )


class Writes(Counted):
    """A model: samples from a list, and words for pairs of texts.

    `answers` are drawn in turn; `relate` says how two texts relate; `check` judges a
    claim.
    """

    def __init__(
        self,
        answers: Sequence[str | ModelReply | ModelError] = ("Paris.",),
        *,
        relate: Callable[[str, str], str] | None = None,
        check: Callable[[dict[str, Any]], str] | None = None,
        price: int | None = None,
    ) -> None:
        super().__init__(price)
        self._answers = list(answers)
        self._relate = relate or (lambda a, b: "ENTAILMENT" if a == b else "NEUTRAL")
        self._check = check or (lambda _: "SUPPORTED")
        self._drawn = 0

    def ask(self, request: ModelRequest) -> ModelReply:
        document = the_document(request.user)
        self._count(request, document)
        if word := self._denial(document):
            said: object = word
        elif "first" in document:
            said = self._relate(document["first"], document["second"])
        elif "claim" in document:
            said = self._check(document)
        else:
            with self._lock:
                said = self._answers[self._drawn % len(self._answers)]
                self._drawn += 1
        if isinstance(said, ModelError):
            raise said
        if isinstance(said, ModelReply):
            return said
        return ModelReply(text=str(said), usage=self._usage())


class Opines(Counted):
    """A model whose opinion follows from the document it is shown."""

    def __init__(
        self,
        opinion: Callable[[dict[str, Any]], tuple[str, object] | ModelError],
        *,
        price: int | None = None,
    ) -> None:
        super().__init__(price)
        self._opinion = opinion

    def ask(self, request: ModelRequest) -> ModelReply:
        document = the_document(request.user)
        self._count(request, document)
        word = self._denial(document)
        said = (word, 0.9) if word else self._opinion(document)
        if isinstance(said, ModelError):
            raise said
        word, confidence = said
        arguments = json.dumps({"opinion": word, "confidence": confidence})
        return ModelReply(text=arguments, usage=self._usage())


def always(word: str, confidence: object = 0.9) -> Opines:
    return Opines(lambda _: (word, confidence))


def in_turn(*opinions: tuple[str, object] | ModelError) -> Opines:
    """Give these opinions one after the other, whoever asks first."""
    left = list(opinions)
    lock = threading.Lock()

    def take(_: object) -> tuple[str, object] | ModelError:
        with lock:
            return left.pop(0) if len(left) > 1 else left[0]

    return Opines(take)


def run(subject: LayerInput = PARIS, **fields: Any) -> DetectionResult:
    """Run all five layers, without caps to speak of, unless told otherwise."""
    tools = LayerTools(
        text_model=fields.pop("text_model", None),
        verifier=fields.pop("verifier", None),
        search=fields.pop("search", None),
        embedder=fields.pop("embedder", None),
        judge=fields.pop("judge", None),
        options=LayerOptions(**fields.pop("options", {})),
    )
    profile: Profile = fields.pop("profile", PROFILES[RiskLevel.CRITICAL])
    return run_layers(
        subject, tools=tools, risk=fields.pop("risk", RISK), profile=profile, **fields
    )


def look(name: LayerName, subject: LayerInput = PARIS, **fields: Any) -> LayerResult:
    """Run one layer alone."""
    (result,) = run(subject, only=name, **fields).layers
    return result
