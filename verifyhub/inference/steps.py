"""Extension points of this package, called inside its transactions (`config.steps`)."""

from collections.abc import Callable

from verifyhub.accounts.models import Project
from verifyhub.common.steps import Steps

AFTER_CAPS_CHANGE: Steps[Callable[[Project], object]] = Steps()
# Called when a project's embedding model was changed.
AFTER_EMBEDDING_CHANGE: Steps[Callable[[Project], object]] = Steps()
