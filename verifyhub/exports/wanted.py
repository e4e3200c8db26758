"""The selection of an export, validated for pages, API and schedules."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from django.utils.translation import gettext as _
from pydantic import Field

from verifyhub.accounts.permissions import can
from verifyhub.common.contract import ContractModel
from verifyhub.exports.catalogue import DATASETS
from verifyhub.exports.errors import ExportError
from verifyhub.exports.filter_form import ExportFilterForm, shape_of
from verifyhub.exports.writing import FileFormat


def _as_filters(shape: dict[str, Any]) -> None:
    properties = {
        name: {"anyOf": [{"const": ""}, shape_of(field)]}
        for name, field in ExportFilterForm().fields.items()
    }
    shape |= {"properties": properties, "additionalProperties": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportSelection(ContractModel):
    """The rows to export."""

    datasets: Annotated[
        list[Annotated[str, Field(json_schema_extra={"enum": list(DATASETS)})]],
        Field(
            min_length=1,
            description="The columns, in the order in which they are written.",
        ),
    ]
    written_as: Annotated[FileFormat, Field(alias="format")] = FileFormat.PARQUET
    filters: Annotated[Mapping[str, str], Field(json_schema_extra=_as_filters)] = field(
        default_factory=dict
    )
    """Filters, as in the parameters of a direct export."""

    def checked(self) -> "ExportSelection":
        """Return it with each dataset once, and filters in their stored form.

        Raises:
            ExportError: If it has no dataset, or an unknown one.
        """
        names = list(dict.fromkeys(self.datasets))
        if not names:
            raise ExportError("datasets", _("Name one dataset or more."))
        for name in names:
            if name not in DATASETS:
                dataset_names = ", ".join(DATASETS)
                raise ExportError(
                    "datasets",
                    _("%(name)s is not one of: %(known)s")
                    % {"name": repr(name[:40]), "known": dataset_names},
                )
        form = ExportFilterForm(self.filters)
        unknown = set(self.filters) - set(form.fields)
        if unknown:
            raise ExportError(
                f"filters.{min(unknown)}", _("This filter does not exist.")
            )
        for name, errors in form.errors.items():
            raise ExportError(f"filters.{name}", str(errors[0]))
        return ExportSelection(
            datasets=names, written_as=self.written_as, filters=form.raw_filters()
        )


def may_person(role: str, datasets: Collection[str]) -> bool:
    """Whether a role may export all of these."""
    return can(role, "metrics.export") and all(
        can(role, DATASETS[name].capability) for name in datasets if name in DATASETS
    )


def may_key(scopes: Collection[str], datasets: Collection[str]) -> bool:
    """Whether a key of these scopes may export all of these."""
    return all(DATASETS[name].scope in scopes for name in datasets if name in DATASETS)
