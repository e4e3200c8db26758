"""Celery entry points of this package."""

from celery import shared_task

from verifyhub.accounts import letters
from verifyhub.common.jobs import BoundedTask, TransientError


@shared_task(name="accounts.send_password_letters", base=BoundedTask)
def send_password_letters(*, address: str, language: str, **_newer: object) -> None:
    """Send the e-mails; no row records them, so people repeat the request if needed."""
    try:
        letters.send_password_letters(address=address, language=language)
    except letters.LetterNotSentError as error:
        raise TransientError(str(error)) from error
