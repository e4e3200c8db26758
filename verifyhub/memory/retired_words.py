"""Why a constraint is retired: stored as a code, in sentences by code."""

from typing import Final

from django.db.models import Case, F, Func, TextField, Value, When
from django.utils.translation import gettext_lazy as _

from verifyhub.engine.memory.lifecycle import RETIRED_REASONS

RETIRED_WORDS: Final = {str(code): _(said) for code, said in RETIRED_REASONS.items()}
# The same as an expression over rows of constraints, in English, for programs.
RETIRED_IN_ENGLISH: Final = Case(
    *(
        When(
            retired_code=code,
            then=Func(
                Value(said),
                Value("%(name)s"),
                F("retired_reason"),
                function="REPLACE",
            ),
        )
        for code, said in RETIRED_REASONS.items()
    ),
    default=F("retired_reason"),
    output_field=TextField(),
)


def retired_words(code: str, reason: str) -> str:
    """Say why a constraint is retired, in the reader's language.

    Args:
        code: `Constraint.retired_code`; empty where a lead gave words of their own.
        reason: `Constraint.retired_reason`.
    """
    said = RETIRED_WORDS.get(code)
    return reason if said is None else str(said) % {"name": reason}
