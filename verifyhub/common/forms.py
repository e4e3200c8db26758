"""Forms that the pages of several packages share."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, time, timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from verifyhub.common.contract import FieldError

MEGABYTE = 1024 * 1024


def file_up_to(most: Callable[[], int]) -> Callable[[Any], None]:
    """Return a validator that refuses a larger file before it is read.

    Args:
        most: Returns the limit in bytes.
    """

    def check(file: Any) -> None:
        if file.size > most():
            raise forms.ValidationError(
                _("The file exceeds the limit of %(megabytes)d MB."),
                params={"megabytes": most() // MEGABYTE},
            )

    return check


class FilterForm(forms.Form):
    """Filters of a list; empty and invalid values do not filter."""

    def sent_values(self) -> dict[str, Any]:
        """Return the valid values that were given, by field."""
        self.is_valid()
        return {name: value for name, value in self.cleaned_data.items() if value}

    def filters(self) -> dict[str, Any]:
        """Return the same as filters.

        `since` and `until` are days in UTC, the last one included; they become moments.
        """
        values = self.sent_values()
        for name, days in (("since", 0), ("until", 1)):
            if day := values.get(name):
                midnight = datetime.combine(day, time(), tzinfo=UTC)
                values[name] = midnight + timedelta(days=days)
        return values


class SettingForm(forms.Form):
    """A form whose values a service may refuse."""

    @contextmanager
    def errors_shown(self) -> Iterator[None]:
        """Add an error that the body raises to the form; the body ends there."""
        try:
            yield
        except FieldError as error:
            self.show(error)

    def show(self, error: FieldError) -> None:
        """Add an error to the field that it names, or to the form."""
        field = error.field if error.field in self.fields else None
        self.add_error(field, str(error))
