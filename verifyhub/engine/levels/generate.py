"""Claims made from the trace, for agents that send none (requirement B6)."""

from verifyhub.engine.ledger.history import CHANGES, EventKind, FileEvent, Timeline
from verifyhub.engine.levels.claims import MAX_CLAIMS, ClaimType, LevelClaim


def claims_of_trace(timeline: Timeline) -> list[LevelClaim]:
    """Return of each file what the last call that changed it left behind.

    A file whose bytes the trace does not hold gets the claim it can bear: the last
    text that an edit put in, or none.
    """
    claims: list[LevelClaim] = []
    for key, events in timeline.files.items():
        changes = [event for event in events if event.kind in CHANGES]
        if changes and len(claims) < MAX_CLAIMS:
            claim = _claim(len(claims), timeline.spelled[key], changes[-1])
            claims += [claim] if claim else []
    return claims


def _claim(index: int, path: str, last: FileEvent) -> LevelClaim | None:
    place = f"tool_calls[{last.call}]"
    if last.kind is EventKind.DELETE:
        return LevelClaim(
            index=index, place=place, type=ClaimType.FILE_DELETE, path=path
        )
    if last.exact_hash:
        return LevelClaim(
            index=index,
            place=place,
            type=ClaimType.FILE_WRITE,
            path=path,
            sha256=last.exact_hash,
        )
    if last.kind is EventKind.EDIT and last.added and last.added[-1]:
        return LevelClaim(
            index=index,
            place=place,
            type=ClaimType.FILE_EDIT,
            path=path,
            after=last.added[-1],
        )
    return None
