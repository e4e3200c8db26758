"""The filter form of the answer list."""

from django import forms
from django.utils.translation import gettext_lazy as _

from verifyhub.common.code_words import words_for
from verifyhub.review.answer_list.figure_forms import (
    YES,
    FigureFilters,
    MomentField,
    choice_of,
    text_up_to,
)
from verifyhub.review.answer_list.filters import ARMS, FLAGGED, PEOPLE
from verifyhub.review.answer_list.report_filters import NONE, TENTHS
from verifyhub.review.models import Override
from verifyhub.verification.models import MentionVerdict, Verdict, Verification
from verifyhub.verification.pages.forms import STRICTNESS_CHOICES

# Filters whose values are codes: of checks, of reasons, of kinds.
CODED = {
    "because",
    "why",
    "name_kind",
    "name_cleared",
    "asked_tier",
    "asked_for",
    "ended",
    "claimed",
    "finding",
}


class AnswerFilterForm(FigureFilters):
    """Filters of a list of answers."""

    text = text_up_to(_("Text"), 200)
    verdict = choice_of(_("Verdict"), [(FLAGGED, _("Flagged")), *Verdict.choices])
    agent = text_up_to(_("Agent"), 200)
    state = choice_of(_("State"), Verification.State.choices)
    person = choice_of(_("People"), PEOPLE.items())
    since: forms.CharField = MomentField(required=False, max_length=40)
    until: forms.CharField = MomentField(required=False, max_length=40)
    tier = text_up_to(_("Tier"), 50)
    model = text_up_to(_("Model"), 200)
    tool = text_up_to(_("Tool"), 200)
    # A tenth of the confidence: 0 is below 0.1, 9 is 0.9 and above.
    confidence = choice_of(
        _("Confidence"),
        [*((str(at), f"0.{at} +") for at in range(TENTHS)), (NONE, _("None"))],
    )
    # A name without evidence, in its normalised form, and the reason.
    name = text_up_to(_("Unsupported name"), MentionVerdict.MAX_KEY)
    because = text_up_to(_("Reason of the flag"), 40)
    # The target of a current decision.
    overridden = choice_of(_("Decision about"), Override.Target.choices)
    attempt = choice_of(_("Attempt"), [("first", _("First")), ("again", _("Later"))])
    settled = choice_of(_("Settled"), [("no", _("Nothing"))])
    prompt = text_up_to(_("Version of the prompt"), 200)
    strictness = choice_of(_("Strictness"), STRICTNESS_CHOICES)
    invented = choice_of(_("With an unsupported name"), YES)
    paid = choice_of(
        _("Asked a model"),
        [
            *YES,
            ("verdict", _("Yes")),
            ("run", _("Yes, beside a run with a known cost")),
        ],
    )
    arm = choice_of(_("Experiment"), ARMS.items())

    def by_figure(self, *, decider: str = "") -> list[tuple[str, str, str, str]]:
        """Return name, label, value and its text of filters from links of metrics.

        Args:
            decider: The name of the reviewer, if it is filtered by.
        """
        shown = ("text", "verdict", "agent", "state", "person", "since", "until")
        return [
            (
                name,
                str(self.fields[name].label),
                str(value),
                decider if name == "decider" else self._words(name, value),
            )
            for name, value in self.sent_values().items()
            if name not in shown
        ]

    def _words(self, name: str, value: str) -> str:
        """Return a value's label; codes and names without one are returned as is."""
        field = self.fields[name]
        if isinstance(field, forms.ChoiceField):
            return str(dict(field.choices).get(value, value))  # type: ignore[arg-type]
        if name == "ghost":
            return value.partition(":")[2]
        if name not in CODED:
            return value
        return ": ".join(str(words_for(code)) for code in value.split(":"))
