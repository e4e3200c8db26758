"""Large tool outputs in the object store: their keys, and reading them.

The key of an output is the SHA-256 of its text: a project stores each text once, and
the digest is verified when it is read.
"""

import hashlib
import zlib
from uuid import UUID

from verifyhub.common.object_store import ObjectStore, ObjectStoreError, object_store

# The prefix of all outputs.
FOLDER = "outputs/"
# Shorter outputs always stay in their row: a request would cost more.
LEAST_CHARACTERS = 65_536
# How much of a text stays in its row, for lists of calls.
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
        ObjectStoreError: If the store fails.
    """
    digest = digest_of(text)
    store.put(key_of_output(project, digest), zlib.compress(text.encode()))
    return digest


def read_output(project: UUID, digest: str) -> str:
    """Return a text from the store.

    Raises:
        ObjectStoreError: If there is no store, it does not answer, or the object was
            changed.
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
