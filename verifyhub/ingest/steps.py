"""Extension points of this package, called inside its transactions (`config.steps`)."""

from collections.abc import Callable, Sequence
from uuid import UUID

from verifyhub.accounts.models import Project
from verifyhub.common.steps import Steps
from verifyhub.engine import types
from verifyhub.ingest.models import Interaction

# Before anything is taken in: the project and how many interactions it brings. A step
# raises `waiting.TooManyWaitingError` where too much waits.
BEFORE_RECORDING: Steps[Callable[[UUID, int], object]] = Steps()
# With all that one statement wrote (ADR 0045).
AFTER_RECORDING: Steps[Callable[[Sequence[Interaction]], object]] = Steps()
# Whether a gateway that the project believes signed a run: asked before its calls are
# masked, since no signature fits afterwards.
SIGNATURE_HOLDS: Steps[Callable[[Project, types.Interaction], bool]] = Steps()
