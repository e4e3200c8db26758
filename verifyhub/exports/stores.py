"""Stores that exports are delivered to: a folder, or an S3-compatible store.

A file appears under its name only when it is complete.
"""

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from django.conf import settings

from verifyhub.common.beneath import FOLDER, INSIDE, open_root, openat2
from verifyhub.exports.errors import DeliveryError
from verifyhub.exports.files import ExportFile
from verifyhub.exports.models import Destination
from verifyhub.inference.sealing import UnsealError, unseal

if TYPE_CHECKING:
    from obstore.store import S3Credential

NEW = os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC
CHUNK = 8 * 1024 * 1024
AT_ONCE = 2
SECONDS = "60s"
Source = ExportFile | bytes


class Store(Protocol):
    """A store of files."""

    def put(self, folder: str, name: str, source: Source) -> None:
        """Put a file below a folder.

        Raises:
            DeliveryError: If it fails.
        """


def store_of(destination: Destination, slug: str) -> Store:
    """Return the store of a destination.

    Raises:
        DeliveryError: If the operator does not allow it (any more).
    """
    if destination.kind == Destination.Kind.FOLDER:
        root = settings.EXPORT_ROOTS.get(slug)
        if root is None:
            raise DeliveryError("the operator allows no folder for this project")
        return FolderStore(root, destination.path)
    if destination.endpoint not in settings.EXPORT_STORES:
        raise DeliveryError("the operator does not allow this endpoint")
    return BucketStore(destination)


class FolderStore:
    """A folder below the operator's; neither names nor links lead out of it."""

    def __init__(self, root: str, path: str) -> None:
        self._root, self._path = root, path

    def put(self, folder: str, name: str, source: Source) -> None:
        """Write a file under a temporary name, then rename it."""
        try:
            opened = self._folder(folder)
        except OSError as error:
            raise DeliveryError(f"the folder cannot be opened: {error}") from error

        def create(path: str, _flags: int) -> int:
            return os.open(path, NEW, 0o640, dir_fd=opened)

        pieces = [source] if isinstance(source, bytes) else source.pieces()
        unfinished = f".{name}.{os.getpid()}.unfinished"
        try:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(unfinished, dir_fd=opened)
            with open(unfinished, "wb", opener=create) as target:
                target.writelines(pieces)
                target.flush()
                os.fsync(target.fileno())
            os.rename(unfinished, name, src_dir_fd=opened, dst_dir_fd=opened)
        except OSError as error:
            raise DeliveryError(f"the file cannot be written: {error}") from error
        finally:
            with contextlib.suppress(OSError):
                os.unlink(unfinished, dir_fd=opened)
            os.close(opened)

    def _folder(self, folder: str) -> int:
        """Open a folder below the root, creating missing folders."""
        at = open_root(self._root)
        for part in (*Path(self._path).parts, folder):
            try:
                with contextlib.suppress(FileExistsError):
                    os.mkdir(part, 0o750, dir_fd=at)
                inner = openat2(at, os.fsencode(part), FOLDER, INSIDE)
            finally:
                os.close(at)
            at = inner
        return at


class BucketStore:
    """A bucket; incomplete uploads do not appear in it."""

    def __init__(self, destination: Destination) -> None:
        from obstore.store import S3Store

        try:
            secret = unseal(destination.sealed_secret, row=destination.id)
        except UnsealError as error:
            raise DeliveryError(str(error)) from error
        credential: S3Credential = {
            "access_key_id": destination.access_key_id,
            "secret_access_key": secret,
            "token": None,
            "expires_at": None,
        }
        endpoint = destination.endpoint
        self._prefix = destination.path
        self._store = S3Store(
            destination.bucket,
            # Both, so that the server's environment is not used.
            endpoint=endpoint,
            aws_endpoint_url_s3=endpoint,
            region=destination.region or "us-east-1",
            virtual_hosted_style_request=False,
            client_options={
                "allow_http": endpoint.startswith("http://"),
                "connect_timeout": "10s",
                "timeout": SECONDS,
            },
            retry_config={"max_retries": 2},
            credential_provider=lambda: credential,
        )

    def put(self, folder: str, name: str, source: Source) -> None:
        """Upload a file, large ones in pieces."""
        import obstore
        from obstore.exceptions import BaseError

        key = "/".join(part for part in (self._prefix, folder, name) if part)
        # A file on this machine is streamed.
        content = (
            source
            if isinstance(source, bytes)
            else source.path
            if source.store is None
            else source.pieces()
        )
        try:
            obstore.put(
                self._store, key, content, chunk_size=CHUNK, max_concurrency=AT_ONCE
            )
        except (BaseError, OSError) as error:
            # Further lines dump the request.
            line = str(error).partition("\n")[0][:200]
            raise DeliveryError(f"the store refused: {line}") from error
