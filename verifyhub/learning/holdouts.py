"""Hold sessions out from kinds of feedback."""

import hashlib
from collections.abc import Iterable

from verifyhub.accounts.models import Project
from verifyhub.learning.models import Arm, FeedbackKind, HoldOut


def is_held_out(*, project: Project, session_key: str, kind: str) -> bool:
    """Return whether a session is held out from one kind of feedback.

    Its first contact while an experiment runs draws its side and stores it: the share
    may change later, the side of the session does not. Switching an experiment off
    ends it for every session. Without a session there is nobody to hold out.

    Args:
        project: The tenant.
        session_key: As the client names the session.
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
        Kind of feedback to whether the session is held out from it; kinds that
        nobody experiments with are left out.
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
        # Another process may have drawn meanwhile: what is stored then holds.
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
    """Whether a session falls into the held-out share, by a salted hash of its key."""
    text = f"{row.salt}\0{row.kind}\0{session_key}"
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8]) * 100 < row.share * 2**64


def _stored(project: Project, session_key: str) -> dict[str, bool]:
    rows = Arm.objects.filter(project=project, session_key=session_key)
    return dict(rows.values_list("kind", "held_out"))
