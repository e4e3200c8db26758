"""Ask a judge once, with one repair, and detect whether it was misled.

Source: A2, A3. The known-answer names only tell a misled judge from a sound one;
the meet rule of the caller limits the harm that a misled judge can do.
"""

import json
import random
import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from verifyhub.common.visible import visible
from verifyhub.engine.judging.control_names import control_names
from verifyhub.engine.judging.replies import SubmissionError
from verifyhub.engine.ports import Model, ModelError, ModelRequest, ModelUsage
from verifyhub.engine.types import ToolCall

TRIES = 2
NO_CALL = "no_tool_call"
MAX_PROBLEM_CHARACTERS = 200
# Of a run, as judges are shown it.
MAX_TEXT_CHARACTERS = 40_000
MAX_EXCERPT_CHARACTERS = 500
MAX_CALLS = 60

Reply = TypeVar("Reply")


@dataclass(frozen=True, slots=True, kw_only=True)
class Controls:
    """Two names whose right answer is known, and the nonce of the call.

    `decoy` stands nowhere in the material; `sure` is listed in it as read.
    """

    nonce: str
    decoy: str
    sure: str

    @classmethod
    def draw(cls) -> "Controls":
        """Draw three names that no agent can predict."""
        nonce, decoy, sure = (f"n{secrets.token_hex(8)}" for _ in range(3))
        return cls(nonce=nonce, decoy=decoy, sure=sure)

    @classmethod
    def among(
        cls, paths: Collection[str], texts: Sequence[str], rng: random.Random
    ) -> "Controls":
        """Draw names that look like those of the run; see `control_names`."""
        decoy, sure = control_names(paths, texts, rng)
        return cls(nonce=f"{rng.getrandbits(64):016x}", decoy=decoy, sure=sure)

    @property
    def names(self) -> frozenset[str]:
        return frozenset({self.decoy, self.sure})

    def misled(self, *, accepted: Collection[str], refused: Collection[str]) -> bool:
        """Whether a judge sorted either name wrongly, into both lists, or not."""
        accepts_decoy = self.decoy in accepted or self.decoy not in refused
        rejects_sure = self.sure in refused or self.sure not in accepted
        return accepts_decoy or rejects_sure

    def seal(self, document: Mapping[str, Any]) -> str:
        """Return the user message under the nonce of this call; see `sealed`."""
        return sealed(document, nonce=self.nonce)


def sealed(document: Mapping[str, Any], *, nonce: str) -> str:
    """Return the user message: one JSON document under a nonce.

    No text inside can end its field or forge another: all of it is JSON, and what
    would be invisible in it is written out.

    Args:
        document: The material.
        nonce: What no text inside can have foreseen.
    """
    return json.dumps(
        {nonce: {"nonce": nonce, **_visible(document)}}, ensure_ascii=False
    )


def _visible(value: Any) -> Any:
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, Mapping):
        return {key: _visible(child) for key, child in value.items()}
    if isinstance(value, list | tuple):
        return [_visible(child) for child in value]
    return value


def tool_results(calls: Sequence[ToolCall]) -> list[dict[str, Any]]:
    """Return the first calls with the beginnings of their outputs."""
    return [
        {
            "tool": call.tool,
            "status": str(call.status),
            "input": json.dumps(dict(call.input), default=str)[:MAX_EXCERPT_CHARACTERS],
            "output": call.output[:MAX_EXCERPT_CHARACTERS],
            "output_characters": len(call.output),
        }
        for call in calls[:MAX_CALLS]
    ]


def ask_judge(
    model: Model, request: ModelRequest, *, parse: Callable[[str], Reply]
) -> tuple[Reply, tuple[ModelUsage, ...]]:
    """Ask, and once more with the errors if the reply cannot be read.

    Args:
        model: The judge.
        request: The sealed material, with the call to be made.
        parse: Reads the arguments; raises SubmissionError.

    Returns:
        The reply, and what each try took.

    Raises:
        ModelError: If no readable reply arrived; after both tries `malformed`, or
            `no_tool_call` where the last one called nothing.
    """
    problem, usages = "", list[ModelUsage]()
    for tries_left in reversed(range(TRIES)):
        refused = f"\nYour last reply was refused: {problem}" if problem else ""
        try:
            reply = model.ask(replace(request, system=request.system + refused))
        except ModelError as error:
            if error.reason != NO_CALL or not tries_left:
                raise
            problem = "it called no function; call it, and write nothing else"
            usages += [error.usage] if error.usage else []
            continue
        usages.append(reply.usage)
        try:
            return parse(reply.text), tuple(usages)
        except SubmissionError as error:
            problem = str(error)[:MAX_PROBLEM_CHARACTERS]
    raise ModelError("malformed", problem)
