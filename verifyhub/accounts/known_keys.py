"""A cache of API keys, valid as long as the versions of their rows do not change.

Every request checks in the database that the rows of key and project have not changed:
PostgreSQL writes a new version of a row with each change, at another place (`ctid`) and
by another transaction (`xmin`). So a revoked, rotated or changed key is read again with
the next request, and an unchanged one costs an index lookup.
"""

import threading
from copy import copy
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Q

from verifyhub.accounts.models import ApiKey
from verifyhub.common.prepared import prepared_cursor

# Maximum cached keys; beyond it the cache is cleared.
MOST = 1000
VERSION = """
SELECT key.xmin::text, key.ctid::text, project.xmin::text, project.ctid::text
FROM accounts_apikey AS key
JOIN accounts_project AS project ON project.id = key.project_id
WHERE key.id = %s
"""
# Only the version of the row that was read.
NOTE_USE = """
UPDATE accounts_apikey SET {field} = %s
WHERE id = %s AND xmin::text = %s AND ctid::text = %s
RETURNING xmin::text, ctid::text
"""
Version = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Read:
    key: ApiKey
    version: Version


class KnownKeys:
    """Caches keys by the SHA-256 of their secrets, for one process."""

    def __init__(self) -> None:
        self._keys: dict[str, _Read] = {}
        self._lock = threading.Lock()

    def find(self, digest: str) -> ApiKey | None:
        """Return the key with this current or former secret.

        A copy with its project; None if there is none.
        """
        read = self._keys.get(digest)
        if read is None or read.version != _version(read.key.pk):
            read = self._read(digest)
        if read is None:
            return None
        key = copy(read.key)
        key.project = copy(read.key.project)
        return key

    def note_use(self, digest: str, field: str, now: datetime) -> None:
        """Store when a key was used, and keep it cached.

        Args:
            digest: SHA-256 of the secret.
            field: `last_used_at` or `former_used_at`.
            now: The time (aware).
        """
        read = self._keys.get(digest)
        if read is None:
            return
        with prepared_cursor() as cursor:
            cursor.execute(
                NOTE_USE.format(field=field), [now, read.key.pk, *read.version[:2]]
            )
            row: Version | None = cursor.fetchone()
        if row is None:
            return
        key = copy(read.key)
        setattr(key, field, now)
        with self._lock:
            self._keys[digest] = _Read(key, (*row, *read.version[2:]))

    def _read(self, digest: str) -> _Read | None:
        """Read a key after its versions, so that later changes are noticed."""
        keys = ApiKey.objects.filter(Q(secret_sha256=digest) | Q(former_sha256=digest))
        identifier = keys.values_list("pk", flat=True).first()
        version = _version(identifier) if identifier else None
        key = keys.select_related("project").first()
        if key is None or version is None:
            return None
        read = _Read(key, version)
        with self._lock:
            if len(self._keys) >= MOST:
                self._keys.clear()
            self._keys[digest] = read
        return read


def _version(identifier: UUID) -> Version | None:
    with prepared_cursor() as cursor:
        cursor.execute(VERSION, [identifier])
        row: Version | None = cursor.fetchone()
    return row


known_keys = KnownKeys()
