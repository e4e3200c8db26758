"""Kinds of faults and of honest cases that are planted in the demo's answers.

In the script an answer marks a plant as `<<kind|text>>`; the marks are removed and the
position of the text in the answer is stored.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

_MARK = re.compile(r"<<([a-z_]+)\|([^<>|]+)>>")


class PlantedFault(StrEnum):
    """A kind of untrue statement, which VerifyHub should flag."""

    INVENTED_FILE = "invented_file"
    WRONG_FOLDER = "wrong_folder"
    WRONG_EXTENSION = "wrong_extension"
    INVENTED_FUNCTION = "invented_function"
    INVENTED_CLASS = "invented_class"
    INVENTED_PACKAGE = "invented_package"
    INVENTED_VARIABLE = "invented_variable"
    LOOK_ALIKE = "look_alike"
    TESTS_FAILED = "tests_pass_after_failure"
    TESTS_NEVER_RUN = "tests_pass_never_run"


class HonestCase(StrEnum):
    """A kind of true but suspicious statement, which VerifyHub should not flag."""

    ABSOLUTE_PATH = "absolute_path"
    RELATIVE_PATH = "relative_path"
    BARE_FILE_NAME = "bare_file_name"
    QUALIFIED_NAME = "qualified_name"
    PROPOSAL = "proposal"
    NEGATION = "negation"
    REPORTED_FAILURE = "reported_failure"
    TESTS_PASSED = "tests_passed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plant:
    """One place in an answer: `span` is half-open, in Unicode code points."""

    kind: PlantedFault | HonestCase
    text: str
    span: tuple[int, int]

    @property
    def is_fault(self) -> bool:
        return isinstance(self.kind, PlantedFault)

    def as_dict(self) -> dict[str, Any]:
        """Return JSON values, as stored in a run's metadata."""
        return {"kind": str(self.kind), "text": self.text, "span": list(self.span)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Plant":
        """Read the result of `as_dict`."""
        start, end = data["span"]
        return cls(kind=kind_named(data["kind"]), text=data["text"], span=(start, end))


def kind_named(name: str) -> PlantedFault | HonestCase:
    """Return the kind of a mark.

    Raises:
        ValueError: If no kind has that name.
    """
    return PlantedFault(name) if name in list(PlantedFault) else HonestCase(name)


def take_out(marked: str) -> tuple[str, tuple[Plant, ...]]:
    """Split a marked answer into the answer itself and its plants."""
    parts: list[str] = []
    plants: list[Plant] = []
    length = end = 0
    for mark in _MARK.finditer(marked):
        before, text = marked[end : mark.start()], mark[2]
        start = length + len(before)
        length, end = start + len(text), mark.end()
        parts += [before, text]
        span = (start, length)
        plants.append(Plant(kind=kind_named(mark[1]), text=text, span=span))
    return "".join([*parts, marked[end:]]), tuple(plants)
