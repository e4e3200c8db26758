"""Extension points of this package (`config.steps`)."""

from collections.abc import Callable
from uuid import UUID

from verifyhub.accounts.models import User
from verifyhub.common.steps import Steps

# Returns the answers of a project whose decisions are hidden from a reader, or from a
# program (None).
WITHHELD_ANSWERS: Steps[Callable[[UUID, User | None], set[UUID]]] = Steps()
