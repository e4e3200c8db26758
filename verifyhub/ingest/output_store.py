"""Large tool outputs and answers in the object store: their keys, and reading them.

The key of a text is its SHA-256: a project stores each text once, and the digest is
verified when it is read.
"""

import hashlib
import zlib
from uuid import UUID

from verifyhub.common.object_store import ObjectStore, ObjectStoreError, object_store

# The prefixes of all outputs and of all answers. They are apart, since servers of
# earlier versions delete what no output is.
OUTPUTS, ANSWERS = "outputs/", "answers/"
# Shorter outputs and answers always stay in their row: a request would cost more.
LEAST_CHARACTERS = LEAST_BYTES = 65_536
# How much of an output stays in its row, for lists of calls.
KEPT_CHARACTERS = 400
# How much of an answer stays in its row: what a search finds.
KEPT_ANSWER_CHARACTERS = 8_192


def digest_of(text: str) -> str:
    """Return the key of a text in the store: SHA-256, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


def key_of_text(folder: str, project: UUID, digest: str) -> str:
    """Return the key of an object."""
    return f"{folder}{project}/{digest[:2]}/{digest}"


def put_text(store: ObjectStore, folder: str, project: UUID, text: str) -> str:
    """Write a text, compressed; return its digest.

    Raises:
        ObjectStoreError: If the store fails.
    """
    digest = digest_of(text)
    store.put(key_of_text(folder, project, digest), zlib.compress(text.encode()))
    return digest


def read_text(folder: str, project: UUID, digest: str) -> str:
    """Return a text from the store.

    Raises:
        ObjectStoreError: If there is no store, it does not answer, or the object was
            changed.
    """
    store, kind = object_store(), folder.rstrip("s/")
    if store is None:
        raise ObjectStoreError(f"an {kind} lies in an object store, and none is set")
    try:
        text = zlib.decompress(store.get(key_of_text(folder, project, digest))).decode()
    except (zlib.error, UnicodeDecodeError) as error:
        raise ObjectStoreError(f"an {kind} in the store cannot be read") from error
    if digest_of(text) != digest:
        raise ObjectStoreError(f"an {kind} in the store is another than was written")
    return text
