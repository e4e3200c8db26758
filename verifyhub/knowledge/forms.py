"""HTML input of documents and of a search."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from verifyhub.common.forms import SettingForm
from verifyhub.knowledge.errors import KnowledgeError
from verifyhub.knowledge.models import Document
from verifyhub.knowledge.services import DocumentValues

MAX_QUESTION = 2000
MAX_CHARACTERS = 16 * 1024 * 1024


class DocumentForm(SettingForm):
    """A document: a file of text or Markdown, or the text itself."""

    title = forms.CharField(
        required=False,
        max_length=Document.MAX_TITLE,
        label=_("Title"),
        help_text=_("Empty: the file's name."),
    )
    file = forms.FileField(
        required=False,
        label=_("File"),
        help_text=_("Text or Markdown, in UTF-8."),
        widget=forms.ClearableFileInput(
            attrs={"accept": ".txt,.md,.markdown,text/plain,text/markdown"}
        ),
    )
    text = forms.CharField(
        required=False,
        strip=False,
        max_length=MAX_CHARACTERS,
        label=_("Or the text"),
        widget=forms.Textarea(attrs={"rows": 6}),
    )
    url = forms.CharField(
        required=False,
        max_length=Document.MAX_URL,
        label=_("Address"),
        help_text=_("Link to the original for readers; the server never opens it."),
        widget=forms.TextInput(attrs={"inputmode": "url", "spellcheck": "false"}),
    )

    def values(self) -> DocumentValues:
        """Return the values of a document.

        Raises:
            KnowledgeError: If it has no text, two texts, or one that is not UTF-8.
        """
        data = self.cleaned_data
        file = data["file"]
        if (file is None) == (not data["text"].strip()):
            raise KnowledgeError("text", gettext("Enter a text or a file, not both."))
        return DocumentValues(
            title=data["title"] or (file.name if file else ""),
            text=_decoded(file) if file else data["text"],
            url=data["url"],
        )


def _decoded(file: Any) -> str:
    try:
        return str(file.read().decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise KnowledgeError("file", gettext("The file is not UTF-8.")) from error


class QuestionForm(forms.Form):
    """A search in a project's knowledge."""

    text = forms.CharField(
        max_length=MAX_QUESTION,
        label=_("Search"),
        widget=forms.TextInput(attrs={"type": "search"}),
    )
