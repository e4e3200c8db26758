"""Normalise spellings of package names that no index distinguishes."""

from verifyhub.engine.types import MentionKind

# What joins the parts of a name: spellings that differ in nothing else are one name,
# as packaging tools have it. The same set for Python and for the database.
JOINTS = "-_. "
_WITHOUT = str.maketrans("", "", JOINTS)


def without_joints(key: str) -> str:
    """Return a name without case and joints."""
    return key.lower().translate(_WITHOUT) or key


def folded_name(kind: str, key: str) -> tuple[str, str]:
    """Return the common form of all spellings of a name.

    Only of packages: `my_file.py` beside `my-file.py` is another file, and often the
    very one that a correction is about.
    """
    return kind, without_joints(key) if kind == MentionKind.PACKAGE else key
