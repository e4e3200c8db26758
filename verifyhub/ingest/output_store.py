"""Large tool outputs in the object store: their keys, and reading them.

An output lies under the SHA-256 of its text, once for a project however many calls
returned it, and what comes back is held against that.
"""

import hashlib
import zlib
from uuid import UUID

from verifyhub.common.object_store import ObjectStore, ObjectStoreError, object_store

# All that lies below it is the outputs'.
FOLDER = "outputs/"
# Fewer characters stay in their row, whatever the setting: a request costs more.
LEAST_CHARACTERS = 65_536
# So much of a text stays in its row, for lists of calls.
KEPT_CHARACTERS = 400


def digest_of(text: str) -> str:
    """Return the key of a text in the store: SHA-256, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


def key_of_output(project: UUID, digest: str) -> str:
    """Return the key of an object."""
    return f"{FOLDER}{project}/{digest[:2]}/{digest}"


def put_output(store: ObjectStore, project: UUID, text: str) -> str:
    """Write a text, compressed; return its digest.

    Raises:
        ObjectStoreError: If the store refused.
    """
    digest = digest_of(text)
    store.put(key_of_output(project, digest), zlib.compress(text.encode()))
    return digest


def read_output(project: UUID, digest: str) -> str:
    """Return a text from the store.

    Raises:
        ObjectStoreError: If there is no store, it did not answer, or what it returned
            is not what was written.
    """
    store = object_store()
    if store is None:
        raise ObjectStoreError("an output lies in an object store, and none is set")
    try:
        text = zlib.decompress(store.get(key_of_output(project, digest))).decode()
    except (zlib.error, UnicodeDecodeError) as error:
        raise ObjectStoreError("an output in the store cannot be read") from error
    if digest_of(text) != digest:
        raise ObjectStoreError("an output in the store is another than was written")
    return text
