"""Sessions in the database, read by a statement that is built once."""

from django.contrib.sessions.backends import db
from django.contrib.sessions.base_session import AbstractBaseSession
from django.contrib.sessions.models import Session
from django.utils import timezone

from verifyhub.common.prepared import PreparedQuery

_CURRENT = PreparedQuery(
    lambda key, now: Session.objects.filter(session_key=key, expire_date__gt=now)
)


class SessionStore(db.SessionStore):
    """Django's sessions; every page reads one."""

    def _get_session_from_db(self) -> AbstractBaseSession | None:
        session = _CURRENT.first(key=self.session_key, now=timezone.now())
        if session is None:
            self._session_key = None
        return session
