"""Messages after a judgement, and the time that judging took."""

from django.core.signing import BadSignature, TimestampSigner, b62_decode
from django.utils import timezone
from django.utils.translation import gettext as _

from verifyhub.review.decide import DecisionResult
from verifyhub.review.models import Judgement

SALT = "review.shown"


def waiting_words(judged: DecisionResult) -> str:
    """Return what a decision waits for that was not carried out."""
    judgement = judged.judgement
    if judged.proposal is not None or judgement is None:
        return _("Proposed. Takes effect after a second approval.")
    if judgement.state == Judgement.State.DRAFT:
        return _("Marked. It takes effect with your verdict.")
    return _("Saved. Waiting for the other reviewers.")


def shown_now() -> str:
    """Return a mark of this moment for a form, which nobody can forge."""
    return TimestampSigner(salt=SALT).sign("shown")


def seconds_since(shown: str) -> int | None:
    """Return how long ago a form was shown, in seconds; None if it does not say."""
    signer = TimestampSigner(salt=SALT)
    try:
        signer.unsign(shown)
    except BadSignature:
        return None
    stamp = b62_decode(shown.split(":")[1])
    return max(0, int(timezone.now().timestamp()) - stamp)
