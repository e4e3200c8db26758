"""Filters of the answer list that only links from metrics use."""

from typing import Any

from django import forms
from django.core.validators import RegexValidator
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from verifyhub.common.forms import FilterForm
from verifyhub.common.kind_words import VALUE_KINDS
from verifyhub.engine.levels.categories import Category
from verifyhub.review.answer_list.decision_filters import ALL, CHECKS, JUDGED_AS
from verifyhub.review.answer_list.moments import moment
from verifyhub.review.answer_list.report_filters import TENTHS
from verifyhub.verification.models import MentionVerdict

ANY = [("", _("Any"))]
YES = [("yes", _("Yes"))]
MAX_NAME = 200
BY_DECISION = {
    "changed": _("changed by reviewers"),
    "cleared": _("flagged, but correct"),
    "missed": _("passed, but wrong"),
}
CHECK_WORDS = {
    "verdict": pgettext_lazy("check", "verdict"),
    "names": pgettext_lazy("check", "names"),
    "completion": pgettext_lazy("check", "claims of work done"),
    "facts": pgettext_lazy("check", "claims of fact"),
}
JUDGED = {
    f"{check}:{how}": format_lazy("{}: {}", CHECK_WORDS[check], BY_DECISION[how])
    for check in CHECKS
    for how in JUDGED_AS
}


class MomentField(forms.CharField):
    """A day or a time, kept as text, since filters are stored as text."""

    def clean(self, value: Any) -> str:
        text = str(super().clean(value))
        if text and moment(text) is None:
            raise forms.ValidationError(_("Give a date as 2026-11-21 or with a time."))
        return text


def _moment(label: Any) -> forms.CharField:
    return MomentField(label=label, required=False, max_length=40)


def choice_of(label: Any, choices: Any) -> forms.ChoiceField:
    """Return a field with these choices, and "any"."""
    return forms.ChoiceField(label=label, required=False, choices=[*ANY, *choices])


def text_up_to(label: Any, longest: int = 100) -> forms.CharField:
    """Return a field for a name or a code of limited length."""
    return forms.CharField(label=label, required=False, max_length=longest)


class FigureFilters(FilterForm):
    """Filters of links from a metric, a plot's mark or a table's row."""

    checked = choice_of(_("Checked"), YES)
    known = choice_of(
        _("Reviewed"),
        [("yes", _("Known")), ("wrong", _("Wrong")), ("right", _("Right"))],
    )
    # How people changed a check's results, and its reason.
    judged = choice_of(_("Judgement"), JUDGED.items())
    why = text_up_to(_("Reason of the judgement"))
    # Who decided (`user` and a number, or `key` and an id), and when; including gold
    # for those who manage it.
    decider = forms.CharField(
        label=_("Decided by"),
        required=False,
        validators=[
            RegexValidator(
                r"\A(user [0-9]{1,9}|key [0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})\Z"
            )
        ],
    )
    decided_since = _moment(_("Decided since"))
    decided_until = _moment(_("Decided until"))
    decided_as = choice_of(
        _("Decided"), [("changed", _("with another verdict than that of the checks"))]
    )
    opened_since = _moment(_("In the review queue since"))
    opened_until = _moment(_("In the review queue until"))
    # Decisions that are calibration samples, by tenth of the confidence.
    calibrated = choice_of(
        _("Decided, by confidence"),
        [(ALL, _("all")), *((str(at), f"0.{at} +") for at in range(TENTHS))],
    )
    unnamed = choice_of(
        _("Without a name"), [("agent", _("Agent")), ("model", _("Model"))]
    )
    # A kind and a normalised name, with a colon between them.
    ghost = text_up_to(_("Invented name"), MentionVerdict.MAX_KEY + 40)
    name_kind = text_up_to(_("With an unsupported name of kind"))
    name_cleared = text_up_to(_("With a name cleared by reviewers, of kind"))
    values = choice_of(
        _("Values"),
        [("checked", _("Checked")), ("unsupported", _("Unsupported"))],
    )
    value_kind = choice_of(_("With an unsupported value of kind"), VALUE_KINDS.items())
    asked_tier = text_up_to(_("Asked a model of the tier"))
    asked_for = text_up_to(_("Asked a model for"))
    # A check and its outcome, with a colon between them.
    ended = text_up_to(_("Check ended"), MAX_NAME)
    fault = choice_of(
        _("Error in the agent's work report"),
        [(str(one), str(one).replace("_", " ")) for one in Category],
    )
    claimed = text_up_to(_("Claims work done that is"))
    finding = text_up_to(_("Finding"))
    goal = choice_of(
        _("Goal"), [("achieved", _("reached")), ("not_achieved", _("not reached"))]
    )
