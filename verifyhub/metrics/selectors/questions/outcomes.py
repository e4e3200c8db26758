"""Count answers that were checked, flagged and wrong."""

from dataclasses import dataclass

from verifyhub.accounts.models import Project
from verifyhub.metrics.counting.reading import read
from verifyhub.metrics.figures import Figure, counted, share
from verifyhub.metrics.windows import Window


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeFigures:
    """Numbers of answers by outcome; each figure's definition says its total.

    `wrong`, `false_alarms` and `missed` are shares of `known`: gold answers, and those
    that people decided.
    """

    received: Figure
    checked: Figure
    accepted: Figure
    flagged: Figure
    unsettled: Figure
    known: Figure
    wrong: Figure
    false_alarms: Figure
    missed: Figure


def outcomes(project: Project, window: Window) -> OutcomeFigures:
    """Count the answers of a window by outcome."""
    counts = read(project, window).total.sum("answers")
    checked = counts["checked"]
    flagged = counts["uncertain"] + counts["rejected"]
    return OutcomeFigures(
        received=counted("received", counts["received"]),
        checked=share("checked", checked, counts["received"]),
        accepted=share("accepted", counts["accepted"], checked),
        flagged=share("flagged", flagged, checked),
        unsettled=share("unsettled", counts["unsettled"], checked),
        known=share("known", counts["known"], checked),
        wrong=share("wrong", counts["wrong"], counts["known"]),
        false_alarms=share(
            "false_alarms", counts["flagged_right"], counts["flagged_known"]
        ),
        missed=share("missed", counts["accepted_wrong"], counts["accepted_known"]),
    )
