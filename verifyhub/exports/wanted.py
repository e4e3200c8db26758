"""What may be asked for, checked once for pages, programs and schedules."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from verifyhub.accounts.permissions import can
from verifyhub.exports.catalogue import DATASETS
from verifyhub.exports.errors import ExportError
from verifyhub.exports.filter_form import ExportFilterForm
from verifyhub.exports.writing import FileFormat


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportSelection:
    """What is to be exported.

    Attributes:
        datasets: Their names, in the order in which they are written.
        written_as: How.
        filters: As `ExportFilterForm` takes them.
    """

    datasets: Sequence[str]
    written_as: FileFormat
    filters: Mapping[str, Any] = field(default_factory=dict)

    def checked(self) -> "ExportSelection":
        """Return it with each dataset once, and the filters as they are kept.

        Raises:
            ExportError: If it asks for nothing, or for what there is not.
        """
        names = list(dict.fromkeys(self.datasets))
        if not names:
            raise ExportError("datasets", _("Name one dataset or more."))
        for name in names:
            if name not in DATASETS:
                known = ", ".join(DATASETS)
                raise ExportError(
                    "datasets",
                    _("%(name)s is none of: %(known)s")
                    % {"name": repr(name[:40]), "known": known},
                )
        form = ExportFilterForm(self.filters)
        unknown = set(self.filters) - set(form.fields)
        if unknown:
            raise ExportError(f"filters.{min(unknown)}", _("There is no such filter."))
        for name, says in form.errors.items():
            raise ExportError(f"filters.{name}", str(says[0]))
        return ExportSelection(
            datasets=names, written_as=self.written_as, filters=form.kept()
        )


def may_person(role: str, datasets: Collection[str]) -> bool:
    """Whether somebody of a role may export all of these."""
    return can(role, "metrics.export") and all(
        can(role, DATASETS[name].capability) for name in datasets if name in DATASETS
    )


def may_key(scopes: Collection[str], datasets: Collection[str]) -> bool:
    """Whether a key of these scopes may export all of these."""
    return all(DATASETS[name].scope in scopes for name in datasets if name in DATASETS)
