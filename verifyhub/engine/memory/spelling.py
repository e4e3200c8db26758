"""Normalise spellings of package names that no index distinguishes."""

from typing import NamedTuple

from verifyhub.engine.types import MentionKind

# What joins the parts of a name: spellings that differ in nothing else are one name,
# as packaging tools have it. The same set for Python and for the database.
JOINTS = "-_. "
_WITHOUT = str.maketrans("", "", JOINTS)


def without_joints(key: str) -> str:
    """Return a name without case and joints."""
    return key.lower().translate(_WITHOUT) or key


class NameSpelling(NamedTuple):
    """The kind of thing that a name names, and its key."""

    kind: str
    key: str

    @property
    def folded(self) -> tuple[str, str]:
        """The common form of all spellings of a name.

        Only of packages: `my_file.py` beside `my-file.py` is another file, and often
        the very one that a correction is about.
        """
        is_package = self.kind == MentionKind.PACKAGE
        return self.kind, without_joints(self.key) if is_package else self.key
