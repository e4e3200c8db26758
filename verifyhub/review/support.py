"""The share of an answer's names and values that is supported."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import Count, Func, JSONField, Q, QuerySet
from django.db.models.functions import Left
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from verifyhub.common.prepared import PreparedQuery
from verifyhub.engine.reports import CompletionClaim
from verifyhub.engine.value_results import VALUES, ValueResult
from verifyhub.verification.models import MentionStatus, MentionVerdict, Verification

# Characters of a name in a list.
NAME_SHOWN = 80
# The counts of the report's check of values, if it settled any.
_SAID = f'$.checks[*] ? (@.name == "{VALUES}" && exists (@.details.settled)).details'


@dataclass(frozen=True, slots=True)
class AnswerSupport:
    """Names of an answer: `found` with evidence or confirmed by a person, of `total`.

    Names that do not count for or against the answer are in neither. If none counts,
    its checked values are used instead.
    """

    supported: int
    total: int
    # The beginning of the first unsupported name, in the answer's order.
    first_missing: str = ""
    of_values: bool = False

    def __str__(self) -> str:
        if not self.total:
            return _("No names to check")
        if self.of_values:
            words = ngettext(
                "%(found)s of %(total)s value supported",
                "%(found)s of %(total)s values supported",
                self.total,
            )
        else:
            words = ngettext(
                "%(found)s of %(total)s name supported",
                "%(found)s of %(total)s names supported",
                self.total,
            )
        return words % {"found": self.supported, "total": self.total}

    @property
    def missing(self) -> int:
        """How many are not supported."""
        return self.total - self.supported

    @property
    def is_whole(self) -> bool:
        """Whether nothing is missing."""
        return self.supported == self.total


_NOTHING = AnswerSupport(0, 0)


def answer_support(
    tones: Iterable[str], values: Sequence[ValueResult]
) -> AnswerSupport:
    """Count the names of an answer, or its values if no name counts.

    Args:
        tones: The tones of its names on the answer page (`marks.Name.tone`).
        values: The checked values.
    """
    counted = [tone for tone in tones if tone in ("verified", "unverified")]
    if counted or not values:
        return AnswerSupport(counted.count("verified"), len(counted))
    settled = [value for value in values if value.is_settled]
    supported = sum(1 for value in settled if not value.is_flagged)
    return AnswerSupport(supported, len(settled), of_values=True)


def claim_support(claims: Iterable[CompletionClaim]) -> AnswerSupport:
    """Count claims of work: those that the trace supports, of all checked ones."""
    counted = [str(claim.status) for claim in claims if claim.status != "unchecked"]
    return AnswerSupport(counted.count("supported"), len(counted))


def support_of_runs(
    runs: Collection[UUID], *, masked: Collection[UUID] = ()
) -> dict[UUID, AnswerSupport]:
    """Count the names of several verifications, and the values of those without any.

    One query for names, and one for values.

    Args:
        runs: The verifications' ids.
        masked: Those whose decisions are hidden from the viewer.
    """
    if not runs:
        return {}
    supports = {
        run: AnswerSupport(found, total, (missing or [""])[0])
        for run, found, total, missing in _NAMES(runs=list(runs), masked=list(masked))
    }
    nameless = [run for run in runs if run not in supports or not supports[run].total]
    return {**dict.fromkeys(runs, _NOTHING), **supports, **_of_values(nameless)}


def _counted_names(runs: Any, masked: Any) -> QuerySet[MentionVerdict, Any]:
    is_judged = ~Q(human_status="") & ~Q(verification__any_of=masked)
    by_person = is_judged & Q(human_status=MentionStatus.VERIFIED)
    by_machine = ~is_judged & Q(status=MentionStatus.VERIFIED)
    return (
        MentionVerdict.objects.filter(verification__any_of=runs)
        .values("verification")
        .annotate(
            found=Count("pk", filter=by_person | by_machine),
            total=Count("pk", filter=is_judged | MentionVerdict.COUNTED),
            missing=ArrayAgg(
                Left("text", NAME_SHOWN),
                filter=(is_judged | MentionVerdict.COUNTED) & ~(by_person | by_machine),
                order_by="index",
            ),
        )
        .order_by()
        .values_list("verification", "found", "total", "missing")
    )


_NAMES = PreparedQuery(_counted_names)


def _of_values(runs: Collection[UUID]) -> dict[UUID, AnswerSupport]:
    if not runs:
        return {}
    rows = (
        Verification.objects.filter(pk__in=list(runs))
        .annotate(
            said=Func(
                "report",
                template=f"jsonb_path_query_first(%(expressions)s, '{_SAID}')",
                output_field=JSONField(),
            )
        )
        .values_list("pk", "said")
    )
    return {
        run: AnswerSupport(counts["supported"], counts["settled"], of_values=True)
        for run, counts in rows
        if counts
    }
