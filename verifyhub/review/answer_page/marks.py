"""The marks of an answer: names and values of the report, with decisions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from django.utils.translation import gettext as _

from verifyhub.engine.reports import CompletionClaim, MentionResult
from verifyhub.engine.types import Span
from verifyhub.engine.value_results import ValueResult, ValueStatus
from verifyhub.engine.verdicts import VerificationReport
from verifyhub.review.answer_page.facts import Fact
from verifyhub.review.answer_page.words import (
    CLAIM_BADGES,
    STATUS_BADGES,
    VALUE_STATUSES,
    words_for,
)
from verifyhub.review.models import Override
from verifyhub.verification.models import FactWord, MentionStatus, MentionVerdict


@dataclass(frozen=True, slots=True)
class _Found:
    """A name or a value that the verification found in the answer."""

    index: int
    data: MentionResult | ValueResult

    @property
    def text(self) -> str:
        """Its text in the answer."""
        return self.data.text

    @property
    def spans(self) -> Sequence[Span]:
        """Its positions in the answer, in code points."""
        return self.data.spans


@dataclass(frozen=True, slots=True)
class NameMark(_Found):
    """A mention on the page, with a person's decision."""

    data: MentionResult
    row: MentionVerdict | None

    @property
    def query(self) -> str:
        """The query parameter that selects it."""
        return f"mention={self.index}"

    @property
    def css(self) -> str:
        """Its CSS classes, for colour and shape."""
        return f"mark mark--{self.tone}"

    @property
    def status(self) -> str:
        """The effective status: the person's if there is one."""
        return self.row.effective_status if self.row else str(self.data.status)

    @property
    def is_flipped(self) -> bool:
        """Whether a person changed the verification's status."""
        return bool(self.row and self.row.human_status)

    @property
    def tone(self) -> str:
        """`verified`, `unverified`, or `exempt` if its absence does not count."""
        if self.status == MentionStatus.VERIFIED:
            return "verified"
        return "unverified" if self.is_flipped or self.data.is_flagged else "exempt"

    @property
    def word(self) -> str:
        """The label of the status, for badges and screen readers."""
        word = {
            "verified": _("verified"),
            "unverified": _("unverified"),
            "exempt": _("ignored"),
        }[self.tone]
        return _("%s, by a reviewer") % word if self.is_flipped else word

    @property
    def badge(self) -> str:
        """The status for the badge's colour; grey if it does not count."""
        return "exempt" if self.tone == "exempt" else self.status

    @property
    def flipped_to(self) -> str:
        """The status that a reviewer would change it to."""
        verified = self.status == MentionStatus.VERIFIED
        return MentionStatus.UNVERIFIED if verified else MentionStatus.VERIFIED


@dataclass(frozen=True, slots=True)
class MissedMark:
    """A name or a claim of work that a person added.

    Its number counts undone ones too, so that its URL is stable.
    """

    index: int
    override: Override

    @property
    def text(self) -> str:
        """Its text in the answer."""
        return str(self.override.subject["text"])

    @property
    def kind(self) -> str:
        """The kind of the name; `claim` for a claim of work."""
        return str(self.override.subject["kind"])

    @property
    def suggestion(self) -> str:
        """The right name, if the person gave one."""
        return str(self.override.subject.get("suggestion") or "")

    @property
    def spans(self) -> Sequence[Span]:
        """Where it stands in the answer, in code points."""
        start, end = self.override.subject["span"]
        return [(start, end)]

    @property
    def query(self) -> str:
        """The query parameter that selects it."""
        return f"added={self.index}"

    @property
    def css(self) -> str:
        """Its CSS classes: a shape of its own, in the colour of its status."""
        return f"mark mark--{self.tone} mark--added"

    @property
    def status(self) -> str:
        """The person's status."""
        return self.override.after

    @property
    def tone(self) -> str:
        """`verified` for a right name or done work, else `unverified`."""
        right = self.status in (MentionStatus.VERIFIED, "supported")
        return "verified" if right else "unverified"

    @property
    def word(self) -> str:
        """The label: that it was missed, and its kind."""
        status = words_for(self.status, STATUS_BADGES)
        return _("missed, added by a reviewer: %s") % status


@dataclass(frozen=True, slots=True)
class ValueMark(_Found):
    """A value on the page, with a person's decision."""

    data: ValueResult
    override: Override | None = None

    @property
    def query(self) -> str:
        """The query parameter that selects it."""
        return f"value={self.index}"

    @property
    def css(self) -> str:
        """Its CSS classes: those of a name, in the colour of its status."""
        return f"mark mark--{self.tone} mark--value"

    @property
    def tone(self) -> str:
        """`verified` for values from tools, `unverified` for unsupported ones."""
        if self.override is not None:
            return "verified" if self.override.after == FactWord.RIGHT else "unverified"
        if self.data.is_flagged:
            return "unverified"
        shown = {ValueStatus.SUPPORTED, ValueStatus.DERIVED}
        return "verified" if self.data.status in shown else "exempt"

    @property
    def word(self) -> str:
        """The label of its status; a person's if there is one."""
        if self.override is not None:
            right = self.override.after == FactWord.RIGHT
            return _("%s, by a reviewer") % (_("correct") if right else _("wrong"))
        return words_for(self.data.status, VALUE_STATUSES)


Marked: TypeAlias = NameMark | MissedMark | ValueMark


@dataclass(frozen=True, slots=True)
class CompletionMark:
    """A claim of work done on the page."""

    index: int
    data: CompletionClaim

    @property
    def query(self) -> str:
        """The query parameter that selects it."""
        return f"claim={self.index}"

    @property
    def span(self) -> Span:
        """Its position in the answer."""
        return self.data.span

    @property
    def label(self) -> str:
        """Its label for screen readers."""
        return _("claim")

    @property
    def word(self) -> str:
        """The label of its status."""
        return words_for(self.data.status, CLAIM_BADGES)

    @property
    def css(self) -> str:
        """Its CSS classes, for colour and line."""
        return f"claim claim--{self.data.status}"

    @property
    def flag_css(self) -> str:
        """The CSS classes of its flag."""
        return f"claim-flag claim--{self.data.status}"

    @property
    def is_quiet(self) -> bool:
        """Whether its flag is a sign alone."""
        return False


# A claim of work or of fact.
Stated: TypeAlias = CompletionMark | Fact


def values_of(
    report: VerificationReport, overrides: Mapping[int, Override]
) -> list[ValueMark]:
    """Return the values of a report with people's decisions, by index.

    Values that were neither checked nor judged are not marked.
    """
    return [
        ValueMark(index, data, overrides.get(index))
        for index, data in enumerate(report.values)
        if data.status is not ValueStatus.UNCHECKED or index in overrides
    ]


def added_of(overrides: Sequence[Override]) -> list[MissedMark]:
    """Return current additions by people, from their overrides, newest first."""
    added = [one for one in reversed(overrides) if one.target == Override.Target.MISSED]
    return [
        MissedMark(index, override)
        for index, override in enumerate(added)
        if override.undone_at is None
    ]


def names_of(
    report: VerificationReport, rows: Mapping[int, MentionVerdict]
) -> list[NameMark]:
    """Combine the report's mentions with their rows."""
    return [
        NameMark(index, data, rows.get(index))
        for index, data in enumerate(report.mentions)
    ]
