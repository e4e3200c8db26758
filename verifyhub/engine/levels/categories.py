"""Problems that levels find, in the eight categories that metrics count."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Category(StrEnum):
    """The category of a problem (ADR-0002 of the source, "Error Categories")."""

    MISSING_FIELD = "missing_field"
    INVALID_TYPE = "invalid_type"
    SCHEMA_MISMATCH = "schema_mismatch"
    HASH_MISMATCH = "hash_mismatch"
    ANCHOR_MISMATCH = "anchor_mismatch"
    FILE_NOT_FOUND = "file_not_found"
    FILESYSTEM_MISMATCH = "filesystem_mismatch"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One error: its place as a JSON path into the interaction, and its category.

    `message` is VerifyHub's own text; it never holds what an agent wrote.
    """

    path: str
    category: Category
    message: str

    def as_dict(self) -> dict[str, Any]:
        return {
            "path": self.path,
            "category": str(self.category),
            "message": self.message,
        }
