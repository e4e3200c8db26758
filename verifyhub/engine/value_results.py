"""Values in an answer, and their origins in the run."""

import operator
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from verifyhub.common.contract import StoredModel
from verifyhub.engine.reports import EarlierEvidence, Grade
from verifyhub.engine.types import Span

# The check of the report that sums them up.
VALUES = "values"


class ValueKind(StrEnum):
    """The kind of a value in an answer."""

    IDENTIFIER = "identifier"
    MONEY = "money"
    NUMBER = "number"
    PERCENT = "percent"
    DATE = "date"
    TIME = "time"
    DURATION = "duration"
    EMAIL = "email"
    PHONE = "phone"
    ADDRESS = "address"
    NAME = "name"
    STATUS = "status"


class ValueStatus(StrEnum):
    """The origin of a value; `unchecked` if the run cannot settle it."""

    SUPPORTED = "supported"
    DERIVED = "derived"
    USER_SAID = "user_said"
    POLICY = "policy"
    UNSUPPORTED = "unsupported"
    UNCHECKED = "unchecked"


class ValueNote(StrEnum):
    """A stable code that explains the status of a value."""

    FOUND = "found"
    OTHER_FORM = "other_form"
    CALCULATED = "calculated"
    NOT_FOUND = "not_found"
    INPUT_ONLY = "input_only"
    FAILED_CALL = "failed_call"
    OTHER_RECORD = "other_record"
    OTHER_FIELD = "other_field"
    REPLACED = "replaced"
    OTHER_CURRENCY = "other_currency"
    OTHER_COUNT = "other_count"
    OTHER_WEEKDAY = "other_weekday"
    OPEN = "open"


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueEvidence(StoredModel):
    """A place that contains a value, or a term from which it was calculated."""

    call: Annotated[int, Field(ge=-1)]
    """Index of the tool call; -1 if it is in no tool call."""
    field: str = "output"
    """`output`, `input`, `task`, `system_instructions`, or `answer` for a term of a
    calculation."""
    path: str = ""
    """Keys and list positions in the JSON, joined by dots; empty for plain text."""
    span: Span | None = None
    """Half-open range in Unicode code points of that field; null in an input."""
    text: str = ""
    """The text at this place."""
    record: str = ""
    """The id of the record that contains it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueResult(StoredModel):
    """A value of an answer with its status and deciding evidence."""

    text: str
    kind: ValueKind
    spans: tuple[Span, ...]
    status: ValueStatus
    reason: ValueNote
    """Stable code for how it came about."""
    grade: Grade | None = None
    evidence: tuple[ValueEvidence, ...] = ()
    """Where it was found, the terms it was calculated from, or contradicting
    evidence."""
    earlier_evidence: Annotated[
        tuple[EarlierEvidence, ...], Field(exclude_if=operator.not_)
    ] = ()
    """Deciding calls of earlier answers, if this answer's own calls do not decide."""
    note: str = ""
    """Explanation: the calculation, or the value that the tools returned."""

    @property
    def is_settled(self) -> bool:
        """Whether the run shows the value's source, or that it has none."""
        return self.status is not ValueStatus.UNCHECKED

    @property
    def is_flagged(self) -> bool:
        """Whether it speaks against the answer."""
        return self.status is ValueStatus.UNSUPPORTED
