"""What a reviewer says of an answer, as one value of form, API and record alike."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

from verifyhub.accounts.models import ApiKey, User

# Who decides: a person, or a program by its key.
Reviewer: TypeAlias = User | ApiKey


@dataclass(frozen=True, slots=True, kw_only=True)
class MentionFlip:
    """Another status for a name.

    Attributes:
        index: Position in the report's mentions.
        status: `verified` or `unverified`.
        suggestion: The right name, where the reviewer knows it.
    """

    index: int
    status: str
    suggestion: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimFlip:
    """Another status for a claim of work done.

    Attributes:
        index: Position in the report's completion claims.
        status: `supported`, `contradicted` or `unattempted`.
    """

    index: int
    status: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FactFlip:
    """What a person says of a claim of fact.

    Attributes:
        index: Position in the report's claims.
        status: `right` or `wrong`.
    """

    index: int
    status: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Missed:
    """A name or a claim that the machine did not see.

    Attributes:
        text: As the answer has it.
        kind: A kind of mention, or `claim`.
        status: As for a mention or a claim.
        start: Where it stands, in code points of the answer; None to look it up.
        suggestion: The right name, where the reviewer knows it.
    """

    text: str
    kind: str
    status: str
    start: int | None = None
    suggestion: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """Everything that is said of one answer in one go; empty parts say nothing.

    Attributes:
        agree: The machine's verdict is right; excludes `verdict`.
        verdict: The right verdict in place of the machine's.
        mentions: Names whose status is another.
        claims: Claims of work done whose status is another.
        facts: Claims of fact that are right or wrong.
        missed: Names and claims that the machine did not see.
        correction: The answer as it should have been, whole.
        note: A remark for colleagues, which changes nothing.
        reason: Why, in the reviewer's words.
        reason_codes: Why, in the project's codes.
    """

    agree: bool = False
    verdict: str = ""
    mentions: tuple[MentionFlip, ...] = ()
    claims: tuple[ClaimFlip, ...] = ()
    facts: tuple[FactFlip, ...] = ()
    missed: tuple[Missed, ...] = ()
    correction: str | None = None
    note: str = ""
    reason: str = ""
    reason_codes: tuple[str, ...] = ()

    @property
    def settles(self) -> bool:
        """Whether it decides about the answer as a whole."""
        return self.agree or bool(self.verdict)

    @property
    def contradicts(self) -> bool:
        """Whether any part goes against the machine, which needs a reason."""
        flips = self.mentions or self.claims or self.facts or self.missed
        return bool(self.verdict or flips or self.correction is not None)

    @property
    def says_nothing(self) -> bool:
        """Whether every part is empty."""
        return not (self.settles or self.contradicts or self.note.strip())

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON values; `from_dict` reads them back."""
        return {
            **asdict(self),
            **{name: [asdict(p) for p in getattr(self, name)] for name in _PARTS},
            "reason_codes": list(self.reason_codes),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Decision":
        """Read what `as_dict` wrote; outside data goes through `decision_json`."""
        parts = {
            name: tuple(kind(**part) for part in data.get(name, ()))
            for name, kind in _PARTS.items()
        }
        codes = {"reason_codes": tuple(data.get("reason_codes", ()))}
        return cls(**{**data, **parts, **codes})


_PARTS: dict[str, Any] = {
    "mentions": MentionFlip,
    "claims": ClaimFlip,
    "facts": FactFlip,
    "missed": Missed,
}
