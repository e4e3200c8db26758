"""How much of an answer is supported, in the same words on every page."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import Count, Q
from django.db.models.functions import Left
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from verifyhub.engine.reports import CompletionClaim
from verifyhub.verification.models import MentionStatus, MentionVerdict

# What a list shows of a name, in characters.
NAME_SHOWN = 80


@dataclass(frozen=True, slots=True)
class NameSupport:
    """Names of an answer: `found` with evidence or confirmed by a person, of `total`.

    Names that do not count for or against the answer are in neither.
    """

    found: int
    total: int
    # The beginning of the first name that is not supported, in the answer's order.
    first_missing: str = ""

    def __str__(self) -> str:
        if not self.total:
            return _("No names to check")
        words = ngettext(
            "%(found)s of %(total)s name supported",
            "%(found)s of %(total)s names supported",
            self.total,
        )
        return words % {"found": self.found, "total": self.total}

    @property
    def missing(self) -> int:
        """How many names are not supported."""
        return self.total - self.found

    @property
    def is_whole(self) -> bool:
        """Whether nothing is missing."""
        return self.found == self.total


def support_of_names(tones: Iterable[str]) -> NameSupport:
    """Count names by their tone on the answer page (`marks.Name.tone`)."""
    counted = [tone for tone in tones if tone in ("verified", "unverified")]
    return NameSupport(counted.count("verified"), len(counted))


def claim_support(claims: Iterable[CompletionClaim]) -> NameSupport:
    """Count claims of work: shown by the trace, of all that could be judged."""
    counted = [str(claim.status) for claim in claims if claim.status != "unchecked"]
    return NameSupport(counted.count("supported"), len(counted))


def support_of_runs(
    runs: Collection[UUID], *, masked: Collection[UUID] = ()
) -> dict[UUID, NameSupport]:
    """Count the names of several verifications, in one query.

    Args:
        runs: The verifications' ids.
        masked: Those of which the viewer must not see what people said.
    """
    if not runs:
        return {}
    said = ~Q(human_status="") & ~Q(verification__in=list(masked))
    by_person = said & Q(human_status=MentionStatus.VERIFIED)
    by_machine = ~said & Q(status=MentionStatus.VERIFIED)
    rows: Any = (
        MentionVerdict.objects.filter(verification__in=list(runs))
        .values("verification")
        .annotate(
            found=Count("pk", filter=by_person | by_machine),
            total=Count("pk", filter=said | MentionVerdict.COUNTED),
            missing=ArrayAgg(
                Left("text", NAME_SHOWN),
                filter=(said | MentionVerdict.COUNTED) & ~(by_person | by_machine),
                order_by="index",
            ),
        )
        .order_by()
    )
    counted = {
        row["verification"]: NameSupport(
            row["found"], row["total"], (row["missing"] or [""])[0]
        )
        for row in rows
    }
    return {run: counted.get(run, NameSupport(0, 0)) for run in runs}
