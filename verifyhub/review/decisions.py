"""A decision about an answer, as one value for forms, records and the API."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Self, TypeAlias

from pydantic import Field, WithJsonSchema

from verifyhub.accounts.models import ApiKey, User
from verifyhub.common.contract import AS_WHOLE, ContractModel, reader_of
from verifyhub.engine.reports import ClaimStatus
from verifyhub.engine.types import MentionKind
from verifyhub.verification.models import FactWord, MentionStatus, Verdict

# Who decides: a person, or a program by its key.
Reviewer: TypeAlias = User | ApiKey


# Limits: characters of texts, and parts of one decision.
MAX_REASON_LENGTH = 1000
MAX_NOTE_LENGTH = 4000
MAX_CORRECTION_LENGTH = 400_000
MAX_MISSED_LENGTH = 500
MAX_PARTS = 100

CLAIM = "claim"
# A reviewer's statuses of a claim; only the verification uses `unchecked`.
CLAIM_WORDS = (
    ClaimStatus.SUPPORTED,
    ClaimStatus.CONTRADICTED,
    ClaimStatus.UNATTEMPTED,
)


def _one_of(words: Iterable[str]) -> Any:
    """Describe the allowed values of a text; `check_decision` refuses others."""
    return WithJsonSchema({"type": "string", "enum": [str(word) for word in words]})


def _text_up_to(most: int, **more: Any) -> Any:
    """Describe the maximum length of a text; `check_decision` refuses longer ones."""
    return Field(json_schema_extra={"maxLength": most, **more})


# More than white space.
SOMETHING = {"pattern": r"^[^\x00]*[^\x00\s][^\x00]*$"}
PARTS = Field(json_schema_extra={"maxItems": MAX_PARTS})
Position = Annotated[int, Field(ge=0, le=2**31 - 1), AS_WHOLE]


@dataclass(frozen=True, slots=True, kw_only=True)
class MentionFlip(ContractModel):
    """Another status for a name."""

    index: Position
    """Position in the report's `mentions`."""
    status: Annotated[str, _one_of(MentionStatus.values)]
    suggestion: str = ""
    """The correct name, if known."""
    reach: Literal["project", "session"] = "project"
    """Whether the decision applies to every session, once others agree, or only to its
    own session."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimFlip(ContractModel):
    """Another status for a claim of work done."""

    index: Position
    """Position in the report's completion claims."""
    status: Annotated[str, _one_of(CLAIM_WORDS)]


@dataclass(frozen=True, slots=True, kw_only=True)
class FactFlip(ContractModel):
    """A reviewer's decision on a claim of fact."""

    index: Position
    """Position in the report's `claims`."""
    status: Annotated[str, _one_of(FactWord.values)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueFlip(ContractModel):
    """A reviewer's decision on a value."""

    index: Position
    """Position in the report's `values`."""
    status: Annotated[str, _one_of(FactWord.values)]
    reach: Literal["project", "session"] = "project"
    """Whether a wrong identifier applies to every session, once others agree."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Missed(ContractModel):
    """A name or claim that VerifyHub missed."""

    text: Annotated[str, _text_up_to(MAX_MISSED_LENGTH, **SOMETHING)]
    """Exact text in the answer."""
    kind: Annotated[str, _one_of([*MentionKind, CLAIM])]
    status: Annotated[str, _one_of([*MentionStatus.values, *CLAIM_WORDS])]
    start: Position | None = None
    """Offset in code points in the answer; null to search for the text."""
    suggestion: str = ""
    """The correct name, if known."""
    reach: Literal["project", "session"] = "project"
    """Whether the name applies to every session, once others agree, or only to its own
    session."""


@dataclass(frozen=True, kw_only=True)
class Decision(ContractModel):
    """What a reviewer decides on one answer at once; empty parts decide nothing."""

    agree: Annotated[
        bool, Field(strict=True, description="Agree with the machine verdict.")
    ] = False
    verdict: Annotated[
        str,
        _one_of(Verdict.values),
        Field(description="The correct verdict instead; excludes `agree`."),
    ] = ""
    mentions: Annotated[tuple[MentionFlip, ...], PARTS] = ()
    claims: Annotated[tuple[ClaimFlip, ...], PARTS] = ()
    facts: Annotated[tuple[FactFlip, ...], PARTS] = ()
    values: Annotated[tuple[ValueFlip, ...], PARTS] = ()
    missed: Annotated[tuple[Missed, ...], PARTS] = ()
    correction: Annotated[
        str | None,
        Field(description="The complete corrected answer."),
        _text_up_to(MAX_CORRECTION_LENGTH, **SOMETHING),
    ] = None
    note: Annotated[
        str,
        Field(description="A note for other reviewers; changes nothing else."),
        _text_up_to(MAX_NOTE_LENGTH),
    ] = ""
    reason: Annotated[
        str,
        Field(
            description=(
                "The reason in the reviewer's words; required to override the machine "
                "verdict."
            )
        ),
        _text_up_to(MAX_REASON_LENGTH),
    ] = ""
    reason_codes: Annotated[
        tuple[str, ...], Field(description="Reason codes of the project.")
    ] = ()

    @property
    def settles(self) -> bool:
        """Whether it decides about the answer as a whole."""
        return self.agree or bool(self.verdict)

    @property
    def contradicts(self) -> bool:
        """Whether any part contradicts the verification, which needs a reason."""
        names = self.mentions or self.missed
        flips = names or self.claims or self.facts or self.values
        return bool(self.verdict or flips or self.correction is not None)

    @property
    def says_nothing(self) -> bool:
        """Whether every part is empty."""
        return not (self.settles or self.contradicts or self.note.strip())

    def as_dict(self) -> dict[str, Any]:
        """Return the document; `from_dict` reads it."""
        return reader_of(Decision).write(self)

    @classmethod
    def from_dict(cls, data: Any) -> Self:
        """Read a document.

        Raises:
            FormatError: With the first invalid field.
        """
        return reader_of(cls).read(data)
