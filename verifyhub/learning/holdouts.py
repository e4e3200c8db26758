"""Hold sessions out from kinds of feedback."""

import hashlib
from collections.abc import Iterable

from verifyhub.accounts.models import Project
from verifyhub.learning.models import Arm, FeedbackKind, HoldOut


def is_held_out(*, project: Project, session_key: str, kind: str) -> bool:
    """Return whether a session is held out from one kind of feedback.

    The first contact of a session during an experiment draws and stores its arm, which
    does not change with the share. Disabling an experiment ends it for every session.
    Without a session nothing is held out.

    Args:
        project: The tenant.
        session_key: The client's name for the session.
        kind: One of `FeedbackKind`.
    """
    sides = drawn_arms(project=project, session_key=session_key, kinds=[kind])
    return sides.get(kind, False)


def drawn_arms(
    *,
    project: Project,
    session_key: str,
    kinds: Iterable[str] = tuple(FeedbackKind.values),
) -> dict[str, bool]:
    """Draw, store and return a session's arms in the running experiments.

    Returns:
        Whether the session is held out, by kind of feedback; kinds without an
        experiment are left out.
    """
    if not session_key:
        return {}
    running = list(
        HoldOut.objects.filter(project=project, kind__in=list(kinds), share__gt=0)
    )
    if not running:
        return {}
    stored = _stored(project, session_key)
    new = [row for row in running if row.kind not in stored]
    if new:
        # If another process has drawn it meanwhile, the stored arm applies.
        Arm.objects.bulk_create(
            [
                Arm(
                    project=project,
                    session_key=session_key,
                    kind=row.kind,
                    held_out=in_share(session_key, row),
                )
                for row in new
            ],
            ignore_conflicts=True,
        )
        stored = _stored(project, session_key)
    return {row.kind: stored[row.kind] for row in running}


def in_share(session_key: str, row: HoldOut) -> bool:
    """Whether a session is in the held-out share, by a salted hash of its key."""
    text = f"{row.salt}\0{row.kind}\0{session_key}"
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8]) * 100 < row.share * 2**64


def _stored(project: Project, session_key: str) -> dict[str, bool]:
    rows = Arm.objects.filter(project=project, session_key=session_key)
    return dict(rows.values_list("kind", "held_out"))
