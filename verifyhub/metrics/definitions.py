"""What every figure says and of what: the same words on the page and in the API."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class MetricUnit(StrEnum):
    """What a figure's value is measured in."""

    NUMBER = "number"
    # In 0..1; differences of shares in -1..1.
    SHARE = "share"
    DIFFERENCE = "difference"
    PER_CASE = "per case"
    MICRODOLLARS = "micro-dollars"
    SECONDS = "seconds"
    COEFFICIENT = "coefficient"
    # In 0..1.
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class MetricDefinition:
    """A figure's name and meaning for people, and its unit."""

    label: Promise
    text: Promise
    unit: MetricUnit = MetricUnit.SHARE


DEFINITIONS: Final[Mapping[str, MetricDefinition]] = {
    "received": MetricDefinition(
        _("Answers received"),
        _("Answers that arrived, by the day (UTC) they arrived."),
        MetricUnit.NUMBER,
    ),
    "checked": MetricDefinition(
        _("Checked"),
        _("Answers with a finished verification, of those received."),
    ),
    "accepted": MetricDefinition(
        _("Accepted"),
        _("Answers that the newest verification accepts, of those checked."),
    ),
    "flagged": MetricDefinition(
        _("Flagged"),
        _("Answers whose newest verdict is uncertain or reject, of those checked."),
    ),
    "unsettled": MetricDefinition(
        _("Inconclusive"),
        _(
            "Checked answers in which the evidence could settle nothing. That is no"
            " pass."
        ),
    ),
    "known": MetricDefinition(
        _("Reviewed"),
        _("Checked answers that are gold or have a human decision."),
    ),
    "wrong": MetricDefinition(
        _("Wrong"),
        _(
            "Answers that gold or a person's decision rejects, of those that are gold"
            " or decided. Mostly flagged answers are put before people, so it is not"
            " the share of all answers."
        ),
    ),
    "false_alarms": MetricDefinition(
        _("False alarms"),
        _("Flagged answers that people accept, of flagged answers that they decided."),
    ),
    "missed": MetricDefinition(
        _("Missed"),
        _("Accepted answers that people reject, of accepted ones that they decided."),
    ),
    "hallucinated": MetricDefinition(
        _("Hallucination rate"),
        _(
            "Answers with at least one unsupported name, of those checked. "
            "A name that a reviewer calls correct does not count; one that "
            "a reviewer calls invented does."
        ),
    ),
    "first_passed": MetricDefinition(
        _("First-attempt success"),
        _("First attempts at a task that were accepted, of those checked."),
    ),
    "retries": MetricDefinition(
        _("Retries"),
        _(
            "Checked answers that follow an earlier one at the same task, for each"
            " first attempt."
        ),
        MetricUnit.PER_CASE,
    ),
    "change": MetricDefinition(
        _("Change"),
        _("The share in the later half of the time less that in the earlier half."),
        MetricUnit.DIFFERENCE,
    ),
    "before": MetricDefinition(
        _("Before"),
        _(
            "Answers in which the name was unsupported before it was "
            "shared with agents; measured in the observation period, if "
            "there was one."
        ),
    ),
    "after": MetricDefinition(
        _("After"),
        _("Answers in which the name was unsupported since it is shared with agents."),
    ),
    "effect": MetricDefinition(
        _("Effect"),
        _("The share after the constraint was shared less the share before."),
        MetricUnit.DIFFERENCE,
    ),
    "unlisted": MetricDefinition(
        _("Rarer names"),
        _(
            "Times that an answer held a name without evidence that is not kept by"
            " name: so many different ones came on one day that only those in the most"
            " answers are."
        ),
        MetricUnit.NUMBER,
    ),
    "told": MetricDefinition(
        _("Shared"),
        _("Answers with an invented name in sessions with constraints."),
    ),
    "held_out": MetricDefinition(
        _("Holdout"),
        _("Answers with an invented name in sessions of the holdout."),
    ),
    "told_less_held_out": MetricDefinition(
        _("Feedback minus holdout"),
        _(
            "Difference of the two shares over 90 days; answers of one session count"
            " for less where they are alike."
        ),
        MetricUnit.DIFFERENCE,
    ),
    "overridden": MetricDefinition(
        _("Overridden"),
        _("Judgements of the check that people changed, of those in decided answers."),
    ),
    "cleared": MetricDefinition(
        _("False alarms of the check"),
        _("Things the check flagged that people call right, in decided answers."),
    ),
    "overlooked": MetricDefinition(
        _("Missed by the check"),
        _("Things the check passed that people call wrong, in decided answers."),
    ),
    "without_confidence": MetricDefinition(
        _("Without confidence"),
        _("Checked answers that carry no confidence: nothing in them was counted."),
        MetricUnit.NUMBER,
    ),
    "promised": MetricDefinition(
        _("Predicted"),
        _("Mean confidence of the answers in this tenth."),
    ),
    "kept": MetricDefinition(
        _("Kept"),
        _("Answers in this tenth that people call right, of those that they decided."),
    ),
    "ece": MetricDefinition(
        _("Expected calibration error"),
        _(
            "Mean distance between confidence and the share that people call right,"
            " over ten even bins, of the last 90 days; 0 is best. Over few answers it"
            " comes out too high."
        ),
        MetricUnit.ERROR,
    ),
    "brier": MetricDefinition(
        _("Brier score"),
        _("Mean squared distance between confidence and people's word; 0 is best."),
        MetricUnit.ERROR,
    ),
    "cost": MetricDefinition(
        _("Cost of checking"),
        _("What all calls of models cost, where a price is known."),
        MetricUnit.MICRODOLLARS,
    ),
    "cost_per_verdict": MetricDefinition(
        _("Cost of a verdict"),
        _("Mean cost of the verifications that asked a model with a known price."),
        MetricUnit.MICRODOLLARS,
    ),
    "cost_per_call": MetricDefinition(
        _("Cost of a call"),
        _("Mean cost of the calls with a known price."),
        MetricUnit.MICRODOLLARS,
    ),
    "share_of_run": MetricDefinition(
        _("Cost beside the run"),
        _("Cost of checking per cost of running, over runs that reported their cost."),
        MetricUnit.PER_CASE,
    ),
    "decisions": MetricDefinition(
        _("Decisions"),
        _("Answers decided by people, by the day (UTC) of the decision."),
        MetricUnit.NUMBER,
    ),
    "share_of_decisions": MetricDefinition(
        _("Share of the work"),
        _("This reviewer's decisions, of all decisions."),
    ),
    "disagreed": MetricDefinition(
        _("Disagreed with the machine"),
        _("Decisions with another verdict than the machine's, of all of them."),
    ),
    "seconds": MetricDefinition(
        _("Time of a decision"),
        _("Mean time from taking an answer to deciding it, where it was measured."),
        MetricUnit.SECONDS,
    ),
    "alpha": MetricDefinition(
        _("Krippendorff's alpha"),
        _(
            "Agreement of all who judged the same answers, over the newest ones;"
            " 1 is perfect, 0 is chance."
        ),
        MetricUnit.COEFFICIENT,
    ),
    "kappa": MetricDefinition(
        _("Fleiss' kappa"),
        _("The same where each answer was judged by as many; 1 is perfect."),
        MetricUnit.COEFFICIENT,
    ),
    "backlog": MetricDefinition(
        _("Waiting for review"),
        _("Undecided answers in the review queue, of any age."),
        MetricUnit.NUMBER,
    ),
    "oldest": MetricDefinition(
        _("Oldest"),
        _("Wait of the oldest answer in the queue."),
        MetricUnit.SECONDS,
    ),
    "half_age": MetricDefinition(
        _("Median wait"),
        _("Half of the queue has waited longer than this; in whole days."),
        MetricUnit.SECONDS,
    ),
    "opened": MetricDefinition(
        _("Opened"),
        _("Answers that came into the review queue, by the day (UTC)."),
        MetricUnit.NUMBER,
    ),
    "opened_per_day": MetricDefinition(
        _("Opened a day"),
        _("Answers that came into the queue, for each day of the window so far."),
        MetricUnit.PER_CASE,
    ),
    "decisions_per_day": MetricDefinition(
        _("Decided a day"),
        _("Answers that were decided, for each day of the window so far."),
        MetricUnit.PER_CASE,
    ),
    "verified": MetricDefinition(
        _("Verification success"),
        _(
            "Verifications of a check that ran and passed, of those that passed or"
            " failed. What was skipped or could not be settled stands apart."
        ),
    ),
}
