"""The upload of a transcript: a file, or its text."""

from typing import Any

from django import forms
from django.conf import settings
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from verifyhub.common.contract import FormatError
from verifyhub.common.forms import MEGABYTE, file_up_to
from verifyhub.ingest.formats.transcripts import AUTO, format_names


class UploadForm(forms.Form):
    """A transcript as a file or as text, and its format."""

    file = forms.FileField(
        required=False,
        label=_("File"),
        validators=[file_up_to(lambda: settings.MAX_BODY_BYTES)],
        help_text=format_lazy(
            _(
                "A session of Claude Code, Codex, Copilot, OpenCode, OpenHands or"
                " SWE-agent, or messages as JSON or JSON Lines; up to {megabytes} MB."
            ),
            megabytes=settings.MAX_BODY_BYTES // MEGABYTE,
        ),
    )
    text = forms.CharField(
        required=False,
        strip=False,
        label=_("Or its text"),
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false", "dir": "ltr"}),
    )
    format = forms.ChoiceField(
        choices=[
            (AUTO, _("detected from its content")),
            *((name, name) for name in format_names()),
        ],
        label=_("Format"),
    )

    def clean(self) -> dict[str, Any]:
        """Ask for one of file and text."""
        data = super().clean() or {}
        if "file" in self.errors:
            return data
        if data.get("file") and data.get("text"):
            self.add_error("text", _("Choose a file or paste its text, not both."))
        elif not data.get("file") and not data.get("text"):
            self.add_error("file", _("Choose a file, or paste its text."))
        return data

    def sent(self) -> tuple[str, bytes]:
        """Return the name, empty for a text, and the bytes of valid fields."""
        file = self.cleaned_data["file"]
        if file:
            return str(file.name), file.read()
        return "", self.cleaned_data["text"].encode()

    def show(self, error: FormatError) -> None:
        """Add the error of reading the transcript to its field."""
        field = "file" if self.cleaned_data["file"] else "text"
        text = _("This cannot be read: %(error)s") % {"error": error}
        self.add_error("format" if error.field == "format" else field, text)
