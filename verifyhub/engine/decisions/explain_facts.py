"""Explain claims of fact and detection layers in a verdict's plain words."""

from collections.abc import Callable, Iterator, Sequence

from verifyhub.engine.decisions.wording import Translator
from verifyhub.engine.verdicts import VerificationReport
from verifyhub.engine.warning_codes import WarningCode

Named = Callable[[Sequence[str]], str]


def checked_facts(report: VerificationReport, words: Translator) -> str:
    """Return how many claims of fact were compared with evidence; empty for none."""
    count = len(report.judged_claims)
    if not count:
        return ""
    template = words.ngettext(
        "%(n)s claim of fact was compared with the evidence.",
        "%(n)s claims of fact were compared with the evidence.",
        count,
    )
    return template % {"n": count}


def fact_faults(
    report: VerificationReport, words: Translator, list_of: Named
) -> Iterator[str]:
    """Return which claims of fact the evidence denies, and whether layers failed."""
    for rows, template in (
        (report.denied_claims, words.gettext("the evidence contradicts %(claims)s")),
        (
            report.doubted_claims,
            words.gettext("the evidence for %(claims)s is doubtful"),
        ),
    ):
        if rows:
            yield template % {"claims": list_of([row.text for row in rows])}
    detection = report.detection
    if detection and WarningCode.LAYERS_BELOW_FLOOR in report.warning_codes:
        template = words.gettext(
            "the detection layers give %(share)s; the floor is %(floor)s"
        )
        confidence = detection.confidence or 0.0
        yield template % {
            "share": f"{confidence:.0%}",
            "floor": f"{detection.floor:.0%}",
        }


def open_facts(report: VerificationReport, words: Translator) -> Iterator[str]:
    """Return how many claims of fact could not be settled."""
    count = sum(claim.is_open for claim in report.claims)
    if count:
        template = words.ngettext(
            "%(n)s claim of fact is inconclusive: the evidence does not decide it",
            "%(n)s claims of fact are inconclusive: the evidence does not decide them",
            count,
        )
        yield template % {"n": count}
