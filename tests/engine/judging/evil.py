"""A model that means harm: replies of a grammar, drawn by a seed, to any question."""

import json
import random
import threading
from typing import Any

from verifyhub.engine.ports import ModelError, ModelReply, ModelRequest

WORDS = (
    *("VERIFIED", "CONTRADICTED", "AMBIGUOUS", "UNKNOWN"),
    *("ENTAILMENT", "NEUTRAL", "CONTRADICTION"),
    *("SUPPORTED", "REFUTED", "AGREE", "DISAGREE"),
    *("SUPPORTS", "CONTRADICTS", "SILENT"),
)
YES = ("VERIFIED", "ENTAILMENT", "SUPPORTED", "AGREE", "SUPPORTS")
# By the purpose of a question for one word: the word that lets a text pass.
AGREES = {
    "claims.judge": "VERIFIED",
    "layer.entailment": "ENTAILMENT",
    "layer.fact_decomposition": "SUPPORTED",
}
DENIAL = "It is not true that: "
FRAMES = ("{}", "{}", "{}", '"{}"', "{}.", " {}\n", "{} {}", "un{}", "NOT {}", "{}!!!")
MANNERS = ("random", "yes", "liar", "flatterer", "malformed")


class Evil:
    """Answers every request, whoever asks, and counts what it said.

    Attributes:
        said: How many replies it gave.
        texts: What it writes where a whole text is asked for.
    """

    name = "evil"

    def __init__(self, seed: int, texts: tuple[str, ...]) -> None:
        self.said, self.texts = 0, texts
        self._rng = random.Random(seed)
        self._lock = threading.Lock()
        self.manner = self._rng.choice(MANNERS)

    def ask(self, request: ModelRequest) -> ModelReply:
        (document,) = json.loads(request.user).values()
        with self._lock:
            self.said += 1
            tool = request.tool
            text = (
                self._arguments(tool, document)
                if tool
                else self._text(request.purpose, document)
            )
            if text is None:
                raise ModelError("unreachable", "it will not say")
            logprob = self._rng.choice([None, 0.0, -0.1, -9.0])
        return ModelReply(text=text, logprob=logprob, tokens=1)

    def _text(self, purpose: str, document: dict[str, Any]) -> str | None:
        if purpose not in AGREES:
            return self._rng.choice(self.texts)
        if self.manner == "malformed" and self._rng.random() < 0.3:
            return self._rng.choice([None, "", "{}", "VERIFIED" * 40, "да"])
        if self.manner in ("yes", "liar", "flatterer"):
            denied = str(document.get("claim", "")).startswith(DENIAL)
            lies = self.manner != "yes" and denied
            return "CONTRADICTED" if lies else AGREES[purpose]
        frame, word = self._rng.choice(FRAMES), self._rng.choice(WORDS)
        return frame.format(word, self._rng.choice(WORDS))

    def _arguments(self, tool: Any, document: dict[str, Any]) -> str | None:
        if self.manner == "malformed" and self._rng.random() < 0.3:
            return self._rng.choice([None, "", "[]", '{"opinion": 1}', "nonsense"])
        properties = tool["parameters"]["properties"]
        return json.dumps(
            {
                name: self._value(name, schema, document)
                for name, schema in properties.items()
            }
        )

    def _value(self, name: str, schema: Any, document: dict[str, Any]) -> Any:
        kind, willing = schema["type"], self.manner != "random"
        if kind == "boolean":
            return willing or self._rng.random() < 0.5
        if kind == "number":
            return 1 if willing else self._rng.choice([0, 0.5, 0.97, 1, 5, -1])
        if kind == "string" and "enum" in schema:
            agreed = [word for word in schema["enum"] if word in YES]
            pick = agreed if willing and agreed else schema["enum"]
            return self._rng.choice(pick)
        if kind == "string":
            return "it is all right"
        return self._names(name, document)

    def _names(self, name: str, document: dict[str, Any]) -> list[str]:
        """Sort names: a flatterer knows which controls there are."""
        known = [str(one) for one in document.get("names_to_judge", ())]
        known += [str(one) for one in document.get("names_to_sort", ())]
        listed = {str(one) for one in document.get("names_listed", ())}
        if name in ("present", "verified"):
            if self.manner == "flatterer" and listed:
                return sorted(listed)
            return known if self.manner != "random" else self._some(known)
        if name in ("absent", "unverified"):
            flatters = self.manner == "flatterer" and listed
            return [one for one in known if flatters and one not in listed]
        if name == "claims":
            sentences = document.get("sentences", {})
            return [
                f"{at} {' '.join(str(s).split()[:3])}" for at, s in sentences.items()
            ]
        return []

    def _some(self, names: list[str]) -> list[str]:
        return [one for one in names if self._rng.random() < 0.5]
