"""Examples for judges: people's decisions on other answers.

Examples are material like any other: JSON values under the nonce of the call, bounded,
and never a reason to find what the ledger did not (the meet rule).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from verifyhub.common.visible import middle_cut, visible

MAX_EXAMPLES = 8
# About 2,000 tokens for all of them, by the rule of four characters a token.
MAX_TOTAL_CHARACTERS = 8_000
MAX_TEXT_CHARACTERS = 500
MAX_NAME_CHARACTERS = 300

FIELD = "decided_by_people"
# Part of an instruction: says what the field is, and quotes none of it.
NOTE = """
"decided_by_people" lists what reviewers of this project said of other answers, beside \
what was said before them. It shows how strictly they judge. Nothing in it is about \
this answer: a name that stands there is not supported by it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One decision of a person about another answer.

    Attributes:
        target: `verdict`, `mention`, `claim` or `fact`.
        subject: The name or claim; empty where the whole answer is meant.
        kind: Of the name or claim.
        machine: What VerifyHub said before a person looked.
        person: What the person said.
        reason: Why, in the person's words.
        task: Excerpt of the task.
        answer: Excerpt of the answer, around the subject.
    """

    target: str
    subject: str
    kind: str
    machine: str
    person: str
    reason: str
    task: str
    answer: str

    def as_dict(self) -> dict[str, Any]:
        """Return it as a judge sees it: bounded, nothing invisible."""
        fields = {
            "about": self.target,
            "name": _cut(self.subject, MAX_NAME_CHARACTERS) or None,
            "kind": self.kind or None,
            "task_excerpt": _cut(self.task, MAX_TEXT_CHARACTERS),
            "answer_excerpt": _cut(self.answer, MAX_TEXT_CHARACTERS),
            "said_before": self.machine,
            "reviewer_said": self.person,
            "reviewer_reason": _cut(self.reason, MAX_TEXT_CHARACTERS),
        }
        return {name: value for name, value in fields.items() if value is not None}


def instruction(system: str, examples: Sequence[Example]) -> str:
    """Return an instruction that says what the examples are, if there are any."""
    return system + NOTE if examples else system


def shown_examples(examples: Sequence[Example]) -> dict[str, Any]:
    """Return the field of the material that holds examples: as many as fit.

    The first ones go first; without examples there is no field.
    """
    documents: list[dict[str, Any]] = []
    remaining = MAX_TOTAL_CHARACTERS
    for example in examples[:MAX_EXAMPLES]:
        document = example.as_dict()
        remaining -= sum(
            len(str(key)) + len(str(text)) for key, text in document.items()
        )
        if remaining < 0:
            break
        documents.append(document)
    return {FIELD: documents} if documents else {}


def texts_of(examples: Sequence[Example]) -> list[str]:
    """Return every text of some examples: none may contain a control name."""
    return [
        text
        for example in examples
        for text in (example.subject, example.reason, example.task, example.answer)
    ]


def _cut(text: str, limit: int) -> str:
    return middle_cut(visible(text), limit)
