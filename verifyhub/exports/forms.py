"""Forms of exports, schedules and destinations."""

from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.conf import settings
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from verifyhub.accounts.models import Project
from verifyhub.common.forms import SettingForm
from verifyhub.exports.catalogue import DATASETS
from verifyhub.exports.models import Destination, Schedule
from verifyhub.exports.wanted import ExportSelection, may_person
from verifyhub.exports.writing import FileFormat


class WantedForm(SettingForm):
    """The selection of rows to export, and their format."""

    datasets = forms.MultipleChoiceField(
        label=_("What"),
        widget=forms.CheckboxSelectMultiple,
    )
    written_as = forms.ChoiceField(
        label=_("File format"), choices=FileFormat.choices, initial=FileFormat.PARQUET
    )
    destination = forms.ModelChoiceField(
        queryset=Destination.objects.none(),
        required=False,
        label=_("Deliver to"),
        empty_label=_("None; keep for download"),
    )

    def __init__(self, *args: Any, project: Project, role: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        datasets = self.fields["datasets"]
        assert isinstance(datasets, forms.MultipleChoiceField)  # noqa: S101
        datasets.choices = [
            (dataset.name, dataset.says)
            for dataset in DATASETS.values()
            if may_person(role, [dataset.name])
        ]
        destination = self.fields["destination"]
        assert isinstance(destination, forms.ModelChoiceField)  # noqa: S101
        destination.queryset = Destination.objects.filter(project=project)

    def wanted(self, filters: dict[str, str]) -> ExportSelection:
        """Return the selection of the form."""
        return ExportSelection(
            datasets=self.cleaned_data["datasets"],
            written_as=FileFormat(self.cleaned_data["written_as"]),
            filters=filters,
        )


class ScheduleForm(WantedForm, forms.ModelForm):  # type: ignore[type-arg]
    """An export that is made again and again; the service saves its instance."""

    class Meta:
        model = Schedule
        fields = (
            "datasets",
            "written_as",
            "destination",
            "name",
            "every",
            "weekday",
            "hour",
            "time_zone",
            "is_incremental",
            "is_on",
        )

    # Filters of exports, on the same page, have names such as `name` too.
    prefix = "schedule"

    name = forms.CharField(max_length=100, label=_("Name"))
    every = forms.ChoiceField(
        choices=Schedule.Every.choices, label=pgettext_lazy("schedule", "How often")
    )
    weekday = forms.TypedChoiceField(
        choices=WEEKDAYS.items(),
        coerce=int,
        empty_value=0,  # type: ignore[arg-type]
        required=False,
        label=_("On which day of the week"),
    )
    hour = forms.IntegerField(
        min_value=0, max_value=23, initial=3, label=_("At which hour")
    )
    time_zone = forms.CharField(
        max_length=64, initial="UTC", label=_("In the time zone")
    )
    is_incremental = forms.BooleanField(
        required=False, initial=True, label=_("Only what is new since the last run")
    )
    is_on = forms.BooleanField(
        required=False, initial=True, label=pgettext_lazy("schedule", "On")
    )

    def clean_time_zone(self) -> str:
        name = str(self.cleaned_data["time_zone"])
        if name not in available_timezones():
            raise forms.ValidationError(_("This time zone does not exist."))
        return name


class DestinationForm(SettingForm):
    """A folder of the operator's, or a bucket."""

    name = forms.CharField(max_length=100, label=_("Name"))
    kind = forms.ChoiceField(
        choices=Destination.Kind.choices, label=pgettext_lazy("export", "Kind")
    )
    path = forms.CharField(
        max_length=Destination.MAX_PLACE,
        required=False,
        label=_("Folder, or prefix in a bucket"),
    )
    endpoint = forms.ChoiceField(required=False, label=_("Store"))
    bucket = forms.CharField(max_length=63, required=False, label=_("Bucket"))
    region = forms.CharField(max_length=60, required=False, label=_("Region"))
    access_key_id = forms.CharField(
        max_length=Destination.MAX_KEY, required=False, label=_("Access key")
    )
    secret_access_key = forms.CharField(
        max_length=500,
        required=False,
        label=_("Secret key"),
        help_text=_(
            "Stored encrypted and never shown again. Empty keeps what is stored."
        ),
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        endpoint = self.fields["endpoint"]
        assert isinstance(endpoint, forms.ChoiceField)  # noqa: S101
        endpoint.choices = [
            ("", "–"),
            *((store, store) for store in settings.EXPORT_STORES),
        ]
