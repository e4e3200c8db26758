"""The object store, if the operator configured one.

It is an S3-compatible bucket, or a prefix of one, for large data that processes on
several machines need. Projects' own destinations of exports are separate
(`exports.stores`).
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from django.conf import settings

from verifyhub.common.env import SettingError

if TYPE_CHECKING:
    from obstore.store import S3Store

PIECE = 1024 * 1024
CHUNK = 8 * 1024 * 1024
AT_ONCE = 2
# A request without a response for so long is cancelled and retried once.
SILENCE = timedelta(seconds=20)


class ObjectStoreError(OSError):
    """An operation of the store failed; the message says why, for people."""


class NoObjectError(ObjectStoreError):
    """There is no such object."""


class StoreAddress(NamedTuple):
    """The bucket, its endpoint and its credentials.

    Attributes:
        url: `s3://bucket`, or `s3://bucket/beginning/of/keys`.
        endpoint: The server; empty for AWS in the region.
        region: The bucket's region.
        key_id: The access key id; empty to use the machine's own credentials.
        secret: The secret access key.
    """

    url: str = ""
    endpoint: str = ""
    region: str = ""
    key_id: str = ""
    secret: str = ""


def checked_address(address: StoreAddress) -> StoreAddress:
    """Return an address if it is valid.

    Raises:
        SettingError: If it is not the address of a bucket.
    """
    parts = urlsplit(address.url)
    if address.url and (parts.scheme != "s3" or not parts.netloc):
        raise SettingError(
            f"VERIFYHUB_STORE_URL must be s3://bucket/prefix, not {address.url!r}"
        )
    if bool(address.key_id) != bool(address.secret):
        raise SettingError(
            "Set both VERIFYHUB_STORE_KEY_ID and VERIFYHUB_STORE_SECRET, or neither"
        )
    return address


def object_store() -> "ObjectStore | None":
    """Return the configured store; None without one."""
    address: StoreAddress = settings.STORE
    return _store(address) if address.url else None


@lru_cache(maxsize=1)
def _store(address: StoreAddress) -> "ObjectStore":
    return ObjectStore(address)


class ObjectStore:
    """Objects by key; writes are atomic."""

    def __init__(self, address: StoreAddress) -> None:
        """Bind a bucket; nothing is requested before the first call."""
        self._address = address
        self._opened: S3Store | None = None

    @property
    def place(self) -> str:
        """The bucket and endpoint, as shown to people."""
        where = self._address.endpoint or "AWS"
        return f"{self._address.url} at {where}"

    def put(self, key: str, source: Path | bytes) -> None:
        """Write or replace an object, large files in parts."""
        import obstore

        with _client_errors(key):
            obstore.put(
                self._bucket, key, source, chunk_size=CHUNK, max_concurrency=AT_ONCE
            )

    def get(self, key: str) -> bytes:
        """Return a whole object."""
        import obstore

        with _client_errors(key):
            return bytes(obstore.get(self._bucket, key).bytes())

    def size(self, key: str) -> int | None:
        """Return how many bytes an object has; None if there is none."""
        import obstore

        try:
            with _client_errors(key):
                return int(obstore.head(self._bucket, key)["size"])
        except NoObjectError:
            return None

    def pieces(self, key: str, start: int, length: int) -> Iterator[bytes]:
        """Yield a range of an object in pieces.

        Args:
            key: The object's key.
            start: The first byte, from 0.
            length: How many bytes.
        """
        import obstore

        at, end = start, start + length
        while at < end:
            with _client_errors(key):
                piece = bytes(
                    obstore.get_range(
                        self._bucket, key, start=at, end=min(at + PIECE, end)
                    )
                )
            if not piece:
                return
            at += len(piece)
            yield piece

    def keys(self, beginning: str) -> Iterator[str]:
        """Yield the keys below a folder."""
        import obstore

        with _client_errors(beginning):
            for page in obstore.list(self._bucket, beginning, chunk_size=500):
                for entry in page:
                    yield str(entry["path"])

    def delete(self, keys: Sequence[str]) -> None:
        """Delete objects; missing ones are no error."""
        import obstore

        if keys:
            with _client_errors(keys[0]):
                obstore.delete(self._bucket, list(keys))

    @property
    def _bucket(self) -> "S3Store":
        if self._opened is None:
            from obstore.store import S3Store

            parts = urlsplit(self._address.url)
            own: dict[str, Any] = {}
            if self._address.endpoint:
                own["endpoint"] = self._address.endpoint
                own["virtual_hosted_style_request"] = False
            if self._address.key_id:
                own["access_key_id"] = self._address.key_id
                own["secret_access_key"] = self._address.secret
            self._opened = S3Store(
                parts.netloc,
                prefix=parts.path.strip("/") or None,
                region=self._address.region or "us-east-1",
                client_options={
                    "allow_http": self._address.endpoint.startswith("http://"),
                    "connect_timeout": "5s",
                    "read_timeout": SILENCE,
                    "timeout": "60s",
                },
                retry_config={"max_retries": 2, "retry_timeout": SILENCE},
                **own,
            )
        return self._opened


@contextmanager
def _client_errors(key: str) -> Iterator[None]:
    """Convert the client's exceptions into `ObjectStoreError`, with one line."""
    from obstore.exceptions import BaseError, NotFoundError

    try:
        yield
    except (NotFoundError, FileNotFoundError) as error:
        raise NoObjectError(f"there is no {key}") from error
    except (BaseError, OSError) as error:
        # Further lines dump the request.
        reason = str(error).partition("\n")[0][:200]
        raise ObjectStoreError(f"the object store refused: {reason}") from error
