"""Start, change and end an experiment."""

import secrets

from django.db import transaction

from verifyhub.accounts.models import Project, User
from verifyhub.audit.services import record_event
from verifyhub.learning.models import FeedbackKind, HoldOut


class ShareError(ValueError):
    """A share is outside 0..50 percent."""


@transaction.atomic
def set_hold_out(
    *, project: Project, kind: FeedbackKind, share: int, actor: User
) -> HoldOut:
    """Hold a share of a project's new sessions out from one kind of feedback.

    Earlier sessions keep their arm; 0 ends the experiment for all.

    Args:
        project: The tenant.
        kind: The kind of feedback that they do not receive.
        share: Percent, 0..50.
        actor: The lead.

    Raises:
        ShareError: If the share is out of range.
    """
    if not 0 <= share <= HoldOut.MAX_SHARE:
        raise ShareError(f"share: {share} is not within 0..{HoldOut.MAX_SHARE}")
    HoldOut.objects.get_or_create(
        project=project, kind=kind, defaults={"salt": secrets.token_hex(16)}
    )
    row = HoldOut.objects.select_for_update().get(project=project, kind=kind)
    before, row.share = row.share, share
    if before == share:
        return row
    row.save(update_fields=["share", "changed_at"])
    record_event(
        "learning.hold_out_set",
        row,
        actor,
        before={"kind": kind, "share": before},
        after={"kind": kind, "share": share},
    )
    return row
