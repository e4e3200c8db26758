"""Reasons for retiring a constraint, as sentences by code."""

from typing import Final

from django.db.models import Case, F, Func, TextField, Value, When
from django.utils.translation import gettext_lazy as _

from verifyhub.engine.memory.lifecycle import RETIRED_REASONS

RETIRED_WORDS: Final = {str(code): _(text) for code, text in RETIRED_REASONS.items()}
# The same as an expression over rows of constraints, in English, for programs.
RETIRED_IN_ENGLISH: Final = Case(
    *(
        When(
            retired_code=code,
            then=Func(
                Value(text),
                Value("%(name)s"),
                F("retired_reason"),
                function="REPLACE",
            ),
        )
        for code, text in RETIRED_REASONS.items()
    ),
    default=F("retired_reason"),
    output_field=TextField(),
)


def retired_words(code: str, reason: str) -> str:
    """Return why a constraint is retired, in the reader's language.

    Args:
        code: `Constraint.retired_code`; empty where a lead gave words of their own.
        reason: `Constraint.retired_reason`.
    """
    text = RETIRED_WORDS.get(code)
    return reason if text is None else str(text) % {"name": reason}
