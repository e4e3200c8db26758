"""The upload form of a file of answers."""

from django import forms
from django.conf import settings
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from verifyhub.common.forms import MEGABYTE, file_up_to
from verifyhub.ingest.formats.bulk.items import formats
from verifyhub.ingest.formats.transcripts import AUTO


class BulkForm(forms.Form):
    """A file, and the format of its lines."""

    file = forms.FileField(
        label=_("File"),
        validators=[file_up_to(lambda: settings.MAX_UPLOAD_BYTES)],
        help_text=format_lazy(
            _(
                "JSON Lines, JSON, CSV or Parquet, optionally compressed with gzip; "
                "up to {megabytes} MB. Exports of Langfuse and Phoenix are supported."
            ),
            megabytes=settings.MAX_UPLOAD_BYTES // MEGABYTE,
        ),
    )
    format = forms.ChoiceField(
        choices=[
            (AUTO, _("detected from its content")),
            *((name, name) for name in formats() if name != AUTO),
        ],
        label=_("Format of each line"),
    )
