"""Extension points of this package, called inside its transactions (`config.steps`)."""

from collections.abc import Callable, Sequence
from uuid import UUID

from verifyhub.accounts.models import Project
from verifyhub.common.steps import Steps
from verifyhub.engine import types
from verifyhub.ingest.models import Interaction

# Called before interactions are stored, with the project and their number. A step
# raises `waiting.TooManyWaitingError` if too much is waiting.
BEFORE_RECORDING: Steps[Callable[[UUID, int], object]] = Steps()
# Called with all rows of one statement (ADR 0045).
AFTER_RECORDING: Steps[Callable[[Sequence[Interaction]], object]] = Steps()
# Whether a gateway that the project trusts signed a run; called before its calls are
# masked, which invalidates signatures.
SIGNATURE_HOLDS: Steps[Callable[[Project, types.Interaction], bool]] = Steps()
