"""The filter form of the answer list."""

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from verifyhub.common.code_words import words_for
from verifyhub.review.answer_list.figure_forms import (
    ANY,
    YES,
    FigureFilters,
    MomentField,
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
    """Filters of a list of answers; nothing chosen filters nothing."""

    text = forms.CharField(label=_("Text"), required=False, max_length=200)
    verdict = forms.ChoiceField(
        label=_("Verdict"),
        required=False,
        choices=[*ANY, (FLAGGED, _("Flagged")), *Verdict.choices],
    )
    agent = forms.CharField(label=_("Agent"), required=False, max_length=200)
    state = forms.ChoiceField(
        label=_("State"), required=False, choices=ANY + Verification.State.choices
    )
    person = forms.ChoiceField(
        label=pgettext_lazy("filter", "People"),
        required=False,
        choices=[*ANY, *PEOPLE.items()],
    )
    since: forms.CharField = MomentField(required=False, max_length=40)
    until: forms.CharField = MomentField(required=False, max_length=40)
    tier = forms.CharField(label=_("Tier"), required=False, max_length=50)
    model = forms.CharField(label=_("Model"), required=False, max_length=200)
    tool = forms.CharField(label=_("Tool"), required=False, max_length=200)
    # A tenth of the confidence: 0 is below 0.1, 9 is 0.9 and above.
    confidence = forms.ChoiceField(
        label=_("Confidence"),
        required=False,
        choices=[
            *ANY,
            *((str(at), f"0.{at} +") for at in range(TENTHS)),
            (NONE, _("None")),
        ],
    )
    # A name that stood without evidence, in its normalised form; why it did.
    name = forms.CharField(
        label=_("Unsupported name"),
        required=False,
        max_length=MentionVerdict.MAX_KEY,
    )
    because = forms.CharField(
        label=_("Reason of the flag"), required=False, max_length=40
    )
    # What a decision that stands is about.
    overridden = forms.ChoiceField(
        label=_("Decision about"),
        required=False,
        choices=[*ANY, *Override.Target.choices],
    )
    attempt = forms.ChoiceField(
        label=_("Attempt"),
        required=False,
        choices=[*ANY, ("first", _("First")), ("again", _("Later"))],
    )
    settled = forms.ChoiceField(
        label=_("Settled"), required=False, choices=[*ANY, ("no", _("Nothing"))]
    )
    prompt = forms.CharField(
        label=_("Version of the prompt"), required=False, max_length=200
    )
    strictness = forms.ChoiceField(
        label=_("Strictness"), required=False, choices=[*ANY, *STRICTNESS_CHOICES]
    )
    invented = forms.ChoiceField(
        label=_("With an unsupported name"),
        required=False,
        choices=YES,
    )
    paid = forms.ChoiceField(
        label=_("Asked a model"),
        required=False,
        choices=[
            *YES,
            ("verdict", _("Yes")),
            ("run", _("Yes, beside a run with a known cost")),
        ],
    )
    arm = forms.ChoiceField(
        label=_("Experiment"),
        required=False,
        choices=[*ANY, *ARMS.items()],
    )

    def by_figure(self, *, decider: str = "") -> list[tuple[str, str, str, str]]:
        """Return name, label, value and its words of filters that figures lead by.

        Args:
            decider: The name of who decided, where that is asked for.
        """
        if not self.is_valid():
            return []
        shown = ("text", "verdict", "agent", "state", "person", "since", "until")
        return [
            (
                name,
                str(self.fields[name].label),
                str(value),
                decider if name == "decider" else self._words(name, value),
            )
            for name, value in self.cleaned_data.items()
            if value and name not in shown
        ]

    def _words(self, name: str, value: str) -> str:
        """Say a value as its choice does; others are codes, or names as they came."""
        field = self.fields[name]
        if isinstance(field, forms.ChoiceField):
            return str(dict(field.choices).get(value, value))  # type: ignore[arg-type]
        if name == "ghost":
            return value.partition(":")[2]
        if name not in CODED:
            return value
        return ": ".join(str(words_for(code)) for code in value.split(":"))
