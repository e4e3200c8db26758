"""Extension points of this package, called inside its transactions (`config.steps`)."""

from collections.abc import Callable

from verifyhub.accounts.models import ApiKey, Project
from verifyhub.common.steps import Steps

AFTER_KEY_REVOCATION: Steps[Callable[[ApiKey], object]] = Steps()
AFTER_PROJECT_CREATION: Steps[Callable[[Project], object]] = Steps()
