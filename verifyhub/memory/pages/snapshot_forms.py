"""The upload of a snapshot."""

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from verifyhub.common.forms import MEGABYTE, file_up_to
from verifyhub.memory.guard import MAX_FILE_BYTES, SYMBOLS


class SnapshotForm(forms.Form):
    """A file, and its kind if its name does not show it."""

    file = forms.FileField(
        label=_("Lock file, manifest or list"),
        validators=[file_up_to(lambda: MAX_FILE_BYTES)],
        help_text=format_lazy(
            _(
                "Such as uv.lock, requirements.txt, package-lock.json, Cargo.lock,"
                " go.mod or Gemfile.lock; up to {megabytes} MB. A new file of the same"
                " name replaces the old one."
            ),
            megabytes=MAX_FILE_BYTES // MEGABYTE,
        ),
    )
    name = forms.CharField(
        required=False,
        max_length=100,
        label=_("Name"),
        help_text=_(
            "Needed only if a project has several such files; otherwise the file's "
            "own name is used."
        ),
    )
    content = forms.ChoiceField(
        required=False,
        choices=[
            ("", _("Packages, by the file's name")),
            (SYMBOLS, _("Symbols of the code, one a line")),
        ],
        label=_("What it lists"),
        help_text=_("With a list of symbols, other symbols in a draft are findings."),
    )

    def what(self) -> tuple[str, str]:
        """Return the snapshot's name and the kind of the file."""
        own = self.cleaned_data["file"].name
        name = self.cleaned_data["name"] or own
        return name, self.cleaned_data["content"] or own
