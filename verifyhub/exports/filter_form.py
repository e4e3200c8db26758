"""The filters of an export."""

import re
from datetime import UTC, datetime
from typing import Any, cast

from django import forms
from django.core.validators import RegexValidator
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from verifyhub.accounts.models import User
from verifyhub.exports.answer_filters import OPEN, RESOLVED
from verifyhub.exports.dataset import DatasetFilters
from verifyhub.review.answer_list.figure_forms import FigureFilters, MomentField
from verifyhub.review.answer_list.filters import FLAGGED
from verifyhub.review.answer_list.forms import AnswerFilterForm
from verifyhub.review.answer_list.moments import moment
from verifyhub.review.queue import QueueFilterForm

# Filters of the queue that the answer list does not have; its `state` is `review` here.
ONLY_QUEUE = ("reason", "kind", "risk", "assignee", "age", "due")
OWN = ("since", "until", "review", "undecided", "shape")
# Filters of both lists that the queue applies to its item.
OF_ITEM = ("verdict", "agent")
SHAPES = [
    ("conversational", pgettext_lazy("training data", "Messages")),
    ("standard", pgettext_lazy("training data", "Plain text")),
]


class UtcMomentField(forms.CharField):
    """A date (its beginning in UTC) or a date with time, by default in UTC."""

    def clean(self, value: Any) -> datetime | None:
        text = super().clean(value)
        if not text:
            return None
        try:
            # In UTC: the database accepts fewer offsets than ISO 8601.
            if parsed := moment(text):
                return parsed.astimezone(UTC)
        except OverflowError as error:
            raise forms.ValidationError(str(error)) from error
        raise forms.ValidationError(_("Give a date as 2026-11-21 or with a time."))


def shape_of(field: forms.Field) -> dict[str, Any]:
    """Return the values of a filter, as JSON Schema of a non-empty text."""
    shape: dict[str, Any] = {"type": "string"}
    if words := [str(word) for word, _ in getattr(field, "choices", []) if word != ""]:
        return {**shape, "enum": words}
    if not isinstance(field, forms.CharField):
        return shape
    shape["minLength"] = 1
    for rule in field.validators:
        if isinstance(rule, RegexValidator):
            pattern = cast("re.Pattern[str]", rule.regex).pattern
            shape["pattern"] = pattern.replace(r"\A", "^").replace(r"\Z", "$")
    if isinstance(field, UtcMomentField | MomentField):
        shape["anyOf"] = [{"format": "date"}, {"format": "date-time"}]
    if field.max_length:
        shape["maxLength"] = field.max_length
    return shape


class ExportFilterForm(AnswerFilterForm):
    """Filters of exported rows: those of the answer list and those of the queue."""

    since = UtcMomentField(required=False, label=_("Created after"))
    until = UtcMomentField(required=False, label=_("Created before"))
    review = forms.ChoiceField(
        required=False,
        label=_("Review"),
        choices=[
            ("", _("Any")),
            (OPEN, _("Open")),
            (RESOLVED, _("Decided")),
        ],
    )
    undecided = forms.BooleanField(
        required=False,
        label=_("Training data: include answers that no reviewer decided"),
    )
    shape = forms.ChoiceField(
        required=False, choices=SHAPES, label=_("Training data: texts as")
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ONLY_QUEUE:
            self.fields.setdefault(name, QueueFilterForm.base_fields[name])

    def shown(self) -> list[forms.BoundField]:
        """Return the fields that the page shows; filters of metrics only if set."""
        return [
            field
            for field in self
            if field.name not in FigureFilters.base_fields or field.value()
        ]

    def dataset_filters(
        self, *, now: datetime, user: User | None = None
    ) -> DatasetFilters:
        """Return the filters of a valid form.

        Args:
            now: The time for ages.
            user: The person that `me` stands for.
        """
        values = self.sent_values()
        in_queue = [name for name in ("review", *ONLY_QUEUE) if name in values]
        of_item = [
            name
            for name in OF_ITEM
            if in_queue and name in values and values[name] != FLAGGED
        ]
        queue = {name: values[name] for name in (*in_queue, *of_item)}
        return DatasetFilters(
            since=values.get("since"),
            until=values.get("until"),
            verdict=values.get("verdict", ""),
            answers={
                name: value
                for name, value in values.items()
                if name not in (*OWN, *ONLY_QUEUE, *of_item)
            },
            queue=queue if in_queue else None,
            now=now,
            user=user,
            undecided=bool(values.get("undecided")),
            shape=values.get("shape", "conversational"),
        )

    def raw_filters(self) -> dict[str, str]:
        """Return the sent values as texts, for another form to read later."""
        return {
            name: str(self.data[name])
            for name in self.fields
            if self.data.get(name) and name not in {"since", "until"}
        }
