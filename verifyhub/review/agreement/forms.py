"""Forms of adjudication, second approval, gold and review rules."""

import csv
import io
import json
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.translation import gettext_lazy as _

from verifyhub.common.forms import MEGABYTE, file_up_to
from verifyhub.review.decide import MAX_REASON_LENGTH
from verifyhub.review.decisions import Decision
from verifyhub.review.models import Judgement, ReviewRules
from verifyhub.review.queue import KIND_NAMES
from verifyhub.verification.models import Verdict

if TYPE_CHECKING:
    RulesModelForm = forms.ModelForm[ReviewRules]
else:
    RulesModelForm = forms.ModelForm

MOST_REVIEWS = 10


class RulingForm(forms.Form):
    """An adjudicator's verdict, and the judgement whose marks of names apply."""

    version = forms.IntegerField(min_value=0)
    verdict = forms.ChoiceField(choices=Verdict.choices)
    reason = forms.CharField(max_length=MAX_REASON_LENGTH)
    # The judgement whose names, claims and corrections apply; none by default.
    marks_of = forms.UUIDField(required=False)

    def decision(self, machine: str, judgements: list[Judgement]) -> Decision:
        """Return the decision, with the marks of the chosen judgement."""
        verdict = self.cleaned_data["verdict"]
        chosen = next(
            (j for j in judgements if j.pk == self.cleaned_data["marks_of"]), None
        )
        marks = Decision.from_dict(chosen.decision) if chosen else Decision()
        return Decision(
            agree=verdict == machine,
            verdict="" if verdict == machine else verdict,
            mentions=marks.mentions,
            claims=marks.claims,
            missed=marks.missed,
            correction=marks.correction,
            reason=self.cleaned_data["reason"],
        )


class DeclineForm(forms.Form):
    """Why a proposal is declined."""

    reason = forms.CharField(max_length=MAX_REASON_LENGTH)


class GoldForm(forms.Form):
    """Make a settled answer gold."""

    note = forms.CharField(max_length=1000, required=False)


class GoldUploadForm(forms.Form):
    """Answers with known verdicts: CSV with a header, or JSON Lines."""

    file = forms.FileField(
        label=_("File"),
        validators=[file_up_to(lambda: MEGABYTE)],
        help_text=_(
            "CSV with the columns answer, verdict and optionally note, or JSON Lines "
            "with the same names. `answer` is your program's id or VerifyHub's."
        ),
    )

    def clean_file(self) -> list[dict[str, Any]]:
        """Return the rows of the file."""
        file = self.cleaned_data["file"]
        try:
            text = file.read().decode("utf-8-sig")
            if text.lstrip().startswith("{"):
                rows = [json.loads(line) for line in text.splitlines() if line.strip()]
            else:
                rows = list(csv.DictReader(io.StringIO(text)))
            if not all(isinstance(row, dict) for row in rows):
                raise ValueError(_("a line is not an object"))
            return rows
        except (UnicodeDecodeError, ValueError, csv.Error, RecursionError) as error:
            message = _("The file is neither CSV nor JSON Lines in UTF-8.")
            raise forms.ValidationError(message) from error


class ReviewRulesForm(RulesModelForm):
    """How many people judge an answer, and when their decision is final."""

    class Meta:
        model = ReviewRules
        fields = (
            "reviews",
            "risk_from",
            "risk_reviews",
            "sample_percent",
            "sample_reviews",
            "blind",
            "settlement",
            "judge_may_adjudicate",
            "confirm_overrides",
            "confirm_constraints",
            "confirm_bulk",
            "gold_percent",
            "gold_feedback",
            "gold_days",
        )
        labels = {
            "reviews": _("Reviewers per answer"),
            "risk_reviews": _("Reviewers for risky answers"),
            "sample_percent": _("Share of answers with several reviewers, percent"),
            "sample_reviews": _("Reviewers for those"),
            "blind": _(
                "Blind review: decisions stay hidden until all reviewers have decided"
            ),
            "settlement": _("When the answer is settled"),
            "judge_may_adjudicate": _("Reviewers of an answer may adjudicate it"),
            "confirm_overrides": _("Every override needs a second approval"),
            "confirm_constraints": _(
                "Changes to shared constraints need a second approval"
            ),
            "confirm_bulk": _("Bulk decisions need a second approval"),
            "gold_percent": _("Share of gold items, percent"),
            "gold_feedback": _("Show reviewers the gold verdict after they decide"),
            "gold_days": _("Days until gold expires; empty for never"),
        }

    risk_from = forms.FloatField(
        label=_("Minimum risk, 0 to 1"),
        required=False,
        validators=[MinValueValidator(0), MaxValueValidator(1)],
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for kind, words in KIND_NAMES.items():
            self.fields[f"reason_{kind}"] = forms.IntegerField(
                label=str(words),
                required=False,
                min_value=1,
                max_value=MOST_REVIEWS,
                initial=self.instance.reason_reviews.get(kind),
            )

    def values(self) -> dict[str, Any]:
        """Return the validated values by field of `ReviewRules`."""
        values = {name: self.cleaned_data[name] for name in self.Meta.fields}
        values["reason_reviews"] = {
            kind: count
            for kind in KIND_NAMES
            if (count := self.cleaned_data.get(f"reason_{kind}"))
        }
        return values

    @property
    def groups(self) -> list[tuple[Any, Any, list[forms.BoundField]]]:
        """The parts of the page: title, introduction and fields of each."""
        parts = [
            (
                _("Reviewers per answer"),
                _("The largest of these applies. One is the default."),
                self.Meta.fields[:5],
            ),
            (
                _("How many, by the reason an answer is in the queue"),
                _("Empty: as above."),
                [f"reason_{kind}" for kind in KIND_NAMES],
            ),
            (
                _("How the verdict is settled"),
                _("Until then nothing changes, and no one else sees it."),
                ["blind", "settlement", "judge_may_adjudicate"],
            ),
            (
                _("Second approval"),
                _("One reviewer proposes, another confirms or declines."),
                ["confirm_overrides", "confirm_constraints", "confirm_bulk"],
            ),
            (
                _("Gold"),
                _("Answers with a known verdict, to measure reviewers."),
                ["gold_percent", "gold_feedback", "gold_days"],
            ),
        ]
        return [
            (title, intro, [self[name] for name in names])
            for title, intro, names in parts
        ]
