"""Store the finished turns of transcripts as interactions, each once.

A turn's id comes from the transcript, so sending it again changes nothing, and a longer
version adds its new turns. Each turn has its own transaction: an invalid one affects no
other, and a long transcript holds no lock for long.
"""

from dataclasses import dataclass, replace
from uuid import UUID

from verifyhub.accounts.models import ApiKey, Project
from verifyhub.common.contract import FormatError
from verifyhub.engine import types
from verifyhub.ingest.formats.base import Transcript
from verifyhub.ingest.formats.native import as_native, parse_interaction
from verifyhub.ingest.services import (
    ClientIdConflictError,
    is_content,
    record_interaction,
    stored_digests,
)

CREATED, SAME, CONFLICT, REFUSED = 201, 200, 409, 422
# Turns that one request writes: each may contain hundreds of earlier calls.
MOST_WRITTEN = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnResult:
    """The result of storing a turn.

    `status` is 201 for a new interaction, 200 for one that was stored before, 409 if
    its id has other content and 422 if it is invalid; then `field` and `error` say
    why. `uuid` is the interaction's, if there is one.
    """

    id: str
    status: int
    uuid: UUID | None = None
    field: str = ""
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """The result of storing a transcript.

    `unfinished` is the id of a last turn that was left out because it may not be
    complete; `remaining` counts turns beyond the limit of one request.
    """

    results: tuple[TurnResult, ...]
    unfinished: str | None = None
    remaining: int = 0

    def count(self, status: int) -> int:
        """Return how many turns had this result."""
        return sum(result.status == status for result in self.results)


def turns_of(
    transcript: Transcript, *, session: str = "", is_final: bool = False
) -> tuple[tuple[types.Interaction, ...], str | None]:
    """Return the finished turns, and the id of a last one that may not be complete.

    Args:
        transcript: The parsed transcript.
        session: A name for the conversation instead of the transcript's own.
        is_final: Whether the sender declares it complete.
    """
    turns, unfinished = transcript.interactions, None
    if transcript.may_go_on and not is_final:
        unfinished = turns[-1].id
        turns = turns[:-1]
    if session:
        turns = tuple(replace(turn, session=session) for turn in turns)
    return turns, unfinished


def record_transcript(
    *,
    project: Project,
    api_key: ApiKey | None,
    transcript: Transcript,
    session: str = "",
    is_final: bool = False,
    is_trial: bool = False,
) -> Recorded:
    """Store the finished turns of a transcript that are not stored yet, up to a number.

    Args:
        project: The tenant.
        api_key: The key that sent it; None for a person.
        transcript: The parsed transcript.
        session: A name for the conversation instead of the transcript's own.
        is_final: Whether the sender declares it complete.
        is_trial: Return what would become of each turn, and store nothing.
    """
    turns, unfinished = turns_of(transcript, session=session, is_final=is_final)
    stored = stored_digests(project, [turn.id for turn in turns if turn.id])
    results: list[TurnResult] = []
    written = 0
    for turn in turns:
        if written == MOST_WRITTEN:
            break
        if match := stored.get(turn.id or ""):
            results.append(_compared(project, turn, *match))
        else:
            results.append(
                _recorded(project, api_key, turn) if not is_trial else _tried(turn)
            )
            written += 1
    return Recorded(
        results=tuple(results),
        unfinished=unfinished,
        remaining=len(turns) - len(results),
    )


def _compared(
    project: Project, turn: types.Interaction, uuid: UUID, digest: str
) -> TurnResult:
    if is_content(project, turn, digest):
        return TurnResult(id=turn.id or "", status=SAME, uuid=uuid)
    return _conflict(turn, uuid)


def _recorded(
    project: Project, api_key: ApiKey | None, turn: types.Interaction
) -> TurnResult:
    tried = _tried(turn)
    if tried.status != CREATED:
        return tried
    try:
        row, is_new = record_interaction(
            project=project, api_key=api_key, interaction=turn
        )
    except ClientIdConflictError:
        return _conflict(turn)
    status = CREATED if is_new else SAME
    return TurnResult(id=turn.id or "", status=status, uuid=row.id)


def _tried(turn: types.Interaction) -> TurnResult:
    """Check a turn against the limits of VerifyHub's own format."""
    try:
        parse_interaction(as_native(turn))
    except FormatError as error:
        return TurnResult(
            id=turn.id or "", status=REFUSED, field=error.field, error=error.message
        )
    return TurnResult(id=turn.id or "", status=CREATED)


def _conflict(turn: types.Interaction, uuid: UUID | None = None) -> TurnResult:
    return TurnResult(
        id=turn.id or "",
        status=CONFLICT,
        uuid=uuid,
        field="id",
        error="names an interaction with other content.",
    )
