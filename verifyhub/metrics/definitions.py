"""The definition of every metric, for the page and the API."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class MetricUnit(StrEnum):
    """The unit of a figure's value."""

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
        _("Answers received, by day (UTC)."),
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
            "Checked answers for which the evidence decided neither for nor against."
            " They do not count as passed."
        ),
    ),
    "known": MetricDefinition(
        _("Reviewed"),
        _("Checked answers that are gold or have a human decision."),
    ),
    "wrong": MetricDefinition(
        _("Rejected by reviewers"),
        _(
            "Answers that gold or a reviewer's decision rejects, of those that are"
            " gold or decided. Reviewers mostly see flagged answers, so this is not"
            " the share of all answers."
        ),
    ),
    "false_alarms": MetricDefinition(
        _("False positives"),
        _("Flagged answers that reviewers accepted, of the flagged ones they decided."),
    ),
    "missed": MetricDefinition(
        _("False negatives"),
        _(
            "Accepted answers that reviewers rejected, of the accepted ones they"
            " decided."
        ),
    ),
    "hallucinated": MetricDefinition(
        _("Hallucination rate"),
        _(
            "Answers with at least one unsupported name, of those checked. "
            "A name that a reviewer calls correct does not count; one that "
            "a reviewer calls invented does."
        ),
    ),
    "unsupported_values": MetricDefinition(
        _("Unsupported values"),
        _(
            "Answers with at least one unsupported value, of those whose values were"
            " checked. A value that a reviewer calls correct does not count; one that"
            " a reviewer calls wrong does. Answers about work on files are left out."
        ),
    ),
    "unsupported_of_kind": MetricDefinition(
        _("Unsupported"),
        _(
            "Values of the kind that no tool, user or policy states, or that a"
            " reviewer calls wrong, of those checked."
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
    "hallucinated_change": MetricDefinition(
        _("Change in hallucination rate"),
        _("The rate in the later half of the time less that in the earlier half."),
        MetricUnit.DIFFERENCE,
    ),
    "first_passed_change": MetricDefinition(
        _("Change in first-attempt success"),
        _("The rate in the later half of the time less that in the earlier half."),
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
        _(
            "Answers in which the name was unsupported since it has been shared with "
            "agents."
        ),
    ),
    "effect": MetricDefinition(
        _("Effect"),
        _("The share after the constraint was shared less the share before."),
        MetricUnit.DIFFERENCE,
    ),
    "unlisted": MetricDefinition(
        _("Rarer names"),
        _(
            "Occurrences of unsupported names that are not listed one by one: on days"
            " with very many different names only the most frequent are."
        ),
        MetricUnit.NUMBER,
    ),
    "told": MetricDefinition(
        _("Shared"),
        _("Answers with an unsupported name in sessions with constraints."),
    ),
    "held_out": MetricDefinition(
        _("Holdout"),
        _("Answers with an unsupported name in sessions of the holdout."),
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
        _("Results of the check that reviewers changed, of those in decided answers."),
    ),
    "cleared": MetricDefinition(
        _("False positives of the check"),
        _("Items the check flagged and reviewers called correct, in decided answers."),
    ),
    "overlooked": MetricDefinition(
        _("False negatives of the check"),
        _("Items the check passed and reviewers called wrong, in decided answers."),
    ),
    "without_confidence": MetricDefinition(
        _("Without confidence"),
        _("Checked answers without a confidence: they contain nothing to count."),
        MetricUnit.NUMBER,
    ),
    "promised": MetricDefinition(
        _("Predicted accuracy"),
        _("Mean confidence of the answers in this tenth."),
    ),
    "kept": MetricDefinition(
        _("Observed accuracy"),
        _(
            "Answers in this tenth that reviewers called correct, of those they"
            " decided."
        ),
    ),
    "ece": MetricDefinition(
        _("Expected calibration error"),
        _(
            "Mean distance between confidence and the share that reviewers call"
            " correct, over ten even bins, of the last 90 days; 0 is best. Few answers"
            " make it too high."
        ),
        MetricUnit.ERROR,
    ),
    "brier": MetricDefinition(
        _("Brier score"),
        _("Mean squared distance of confidence from reviewers' decisions; 0 is best."),
        MetricUnit.ERROR,
    ),
    "cost": MetricDefinition(
        _("Cost of verification"),
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
        _("Cost relative to the run"),
        _(
            "Cost of verification relative to the cost of the run, for runs that "
            "reported their cost."
        ),
        MetricUnit.PER_CASE,
    ),
    "decisions": MetricDefinition(
        _("Decisions"),
        _("Answers decided by reviewers, by day (UTC) of the decision."),
        MetricUnit.NUMBER,
    ),
    "share_of_decisions": MetricDefinition(
        _("Share of the work"),
        _("This reviewer's decisions, of all decisions."),
    ),
    "disagreed": MetricDefinition(
        _("Disagreed with the checks"),
        _("Decisions with another verdict than that of the checks, of all decisions."),
    ),
    "seconds": MetricDefinition(
        _("Time of a decision"),
        _("Mean time from claiming an answer to deciding it, where it was measured."),
        MetricUnit.SECONDS,
    ),
    "alpha": MetricDefinition(
        _("Krippendorff’s alpha"),
        _(
            "Agreement of all who judged the same answers, over the newest ones;"
            " 1 is perfect, 0 is chance."
        ),
        MetricUnit.COEFFICIENT,
    ),
    "kappa": MetricDefinition(
        _("Fleiss’ kappa"),
        _(
            "The same, where every answer had the same number of reviewers; 1 is "
            "perfect."
        ),
        MetricUnit.COEFFICIENT,
    ),
    "backlog": MetricDefinition(
        _("Waiting for review"),
        _("Undecided answers in the review queue, of any age."),
        MetricUnit.NUMBER,
    ),
    "oldest": MetricDefinition(
        _("Longest wait"),
        _("Waiting time of the oldest answer in the queue."),
        MetricUnit.SECONDS,
    ),
    "half_age": MetricDefinition(
        _("Median wait"),
        _("Half of the queue has waited longer than this; in whole days."),
        MetricUnit.SECONDS,
    ),
    "opened": MetricDefinition(
        _("Opened"),
        _("Answers added to the review queue, by day (UTC)."),
        MetricUnit.NUMBER,
    ),
    "opened_per_day": MetricDefinition(
        _("Opened per day"),
        _("Answers added to the queue, per day of the window so far."),
        MetricUnit.PER_CASE,
    ),
    "decisions_per_day": MetricDefinition(
        _("Decided per day"),
        _("Answers decided, per day of the window so far."),
        MetricUnit.PER_CASE,
    ),
    "verified": MetricDefinition(
        _("Verification success"),
        _(
            "Verifications in which a check passed, of those in which it"
            " passed or failed. Skipped and inconclusive ones are counted"
            " separately."
        ),
    ),
}
