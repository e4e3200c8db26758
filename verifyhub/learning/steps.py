"""Extension points of this package (`config.steps`)."""

from collections.abc import Callable
from uuid import UUID

from verifyhub.accounts.models import User
from verifyhub.common.steps import Steps

# The answers of a project whose decisions a reader, or a program (None), must not see.
WITHHELD_ANSWERS: Steps[Callable[[UUID, User | None], set[UUID]]] = Steps()
