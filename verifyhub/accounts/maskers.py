"""Maskers of projects, each made once in a process (ADR 0077)."""

from functools import lru_cache
from typing import TypeAlias

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from verifyhub_client.masking import Masker, OwnPattern

# The project's id, kinds of personal data, and names and patterns of its own.
MaskRules: TypeAlias = tuple[bytes, tuple[str, ...], tuple[tuple[str, str], ...]]


@lru_cache(maxsize=1024)
def masker(secret: str, masks: MaskRules) -> Masker:
    """Return a project's masker; its key is its own, so that masks differ."""
    project, personal, patterns = masks
    kdf = HKDF(
        algorithm=SHA256(), length=32, salt=None, info=b"verifyhub.mask.1:" + project
    )
    return Masker(
        kdf.derive(secret.encode()),
        personal=personal,
        patterns=[OwnPattern(*pattern) for pattern in patterns],
    )
