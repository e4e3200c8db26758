"""Kinds of names and values, in the reader's language."""

from typing import Final

from django.utils.translation import gettext_lazy as _

KINDS: Final = {
    "file": _("file"),
    "directory": _("directory"),
    "package": _("package"),
    "class": _("class"),
    "function": _("function"),
    "identifier": _("identifier"),
    "command": _("command"),
    "url": _("url"),
    "environment_variable": _("environment variable"),
    "commit": _("commit"),
    "version": _("version"),
    # Subjects of memory entries besides names.
    "name": _("name"),
    "claim": _("claim"),
    "answer": _("answer"),
}
# Kinds of values (`engine.value_results.ValueKind`).
VALUE_KINDS: Final = {
    "identifier": _("identifier"),
    "money": _("amount of money"),
    "number": _("number"),
    "percent": _("percentage"),
    "date": _("date"),
    "time": _("time"),
    "duration": _("duration"),
    "email": _("email address"),
    "phone": _("phone number"),
    "address": _("postal address"),
    "name": _("name"),
    "status": _("status"),
}


def kind_word(kind: object) -> str:
    """Return the word for a kind of name; other codes as they are."""
    code = str(kind or "")
    return str(KINDS.get(code) or code.replace("_", " "))
