"""Limits of waiting work; beyond them a request is refused."""

from uuid import UUID

from verifyhub.ingest.steps import BEFORE_RECORDING


class TooManyWaitingError(Exception):
    """The project has too much waiting work to accept more.

    Attributes:
        what: The kind of work, for people: `answers`, `traces`.
        retry_after: Seconds after which there may be room.
    """

    def __init__(self, what: str, *, retry_after: int) -> None:
        super().__init__(f"Too many {what} of this project wait.")
        self.what, self.retry_after = what, retry_after


def check_room(project_id: UUID, *, count: int = 1) -> None:
    """Refuse more work of a project if too much is waiting.

    Raises:
        TooManyWaitingError: If too much of it is waiting.
    """
    for step in BEFORE_RECORDING:
        step(project_id, count)
