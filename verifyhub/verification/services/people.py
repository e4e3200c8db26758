"""What people said of a verdict or a name, beside what the machine said."""

from verifyhub.verification.models import MentionVerdict, Verification


def set_human_verdict(*, verification: Verification, verdict: str) -> None:
    """Note a person's verdict; an empty one takes it back.

    The caller's transaction also holds the decision itself and its audit event.
    """
    verification.human_verdict = verdict
    verification.save(update_fields=["human_verdict"])


def set_human_status(*, mention: MentionVerdict, status: str) -> None:
    """Note what a person says of a name; an empty status takes it back.

    The caller's transaction also holds the decision itself and its audit event.
    """
    mention.human_status = status
    mention.save(update_fields=["human_status"])
