"""Right names that people give: names, since every agent is told to use them."""

from django.utils.translation import gettext_lazy as _

from verifyhub.engine.memory.right_names import is_right_name

NO_RIGHT_NAME = _("It is one name of its kind, as it is written, and no sentence.")

UNKNOWN_NAME = _(
    "No tool call of this project has shown this name. Add it as a correction in shared"
    " memory, and have a second person approve it."
)


class SuggestionError(ValueError):
    """The text is no name of its kind, and so nothing to tell agents to use."""


def check_right_name(kind: str, suggestion: str) -> str:
    """Return a right name without blanks around it; empty for none.

    Raises:
        SuggestionError: If it is no name of the kind.
    """
    suggestion = suggestion.strip()
    if suggestion and not is_right_name(kind, suggestion):
        raise SuggestionError(str(NO_RIGHT_NAME))
    return suggestion
