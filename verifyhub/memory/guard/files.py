"""Read names from uploaded lock files, manifests and lists."""

import hashlib
import json
import re
from dataclasses import dataclass

from django.utils.translation import gettext as _

from verifyhub.common.strict_json import StrictJSONError, loads, text_problem
from verifyhub.engine.ledger.packages import read_file
from verifyhub.memory.guard.names import MAX_NAME_LENGTH, SYMBOLS, is_storable, name_key

MAX_FILE_BYTES = 16 * 1024 * 1024
MAX_NAMES = 1_000_000
# A value takes at least two lines of a lock file.
MAX_JSON_VALUES = 2_000_000
_SNAPSHOT_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_JSON_FILES = frozenset(
    {"package.json", "package-lock.json", "composer.json", "composer.lock"}
)


class SnapshotRefusedError(ValueError):
    """A file cannot be a snapshot; the message says why, without its text."""

    def __init__(self, message: str, *, too_large: bool = False) -> None:
        super().__init__(message)
        self.too_large = too_large


@dataclass(frozen=True, slots=True, kw_only=True)
class NameFile:
    """The distinct names of a file, as pairs of key and text, and its hash."""

    pool: str
    names: tuple[tuple[str, str], ...]
    sha256: str


def check_snapshot_name(name: str) -> str:
    """Return a snapshot's name.

    Raises:
        SnapshotRefusedError: If it is not 1 to 100 letters, digits, `.`, `_`, `-`.
    """
    if not _SNAPSHOT_NAME.fullmatch(name):
        raise SnapshotRefusedError(
            _(
                "A snapshot's name is 1 to 100 letters, digits, dots, dashes and"
                " underscores, and begins with a letter or digit."
            )
        )
    return name


def read_names(format_name: str, data: bytes) -> NameFile:
    """Read an uploaded file.

    Args:
        format_name: The file's own name, such as `uv.lock`, or `symbols` for a list
            with one name a line.
        data: The file's content, which is never executed.

    Raises:
        SnapshotRefusedError: If it is too large, not UTF-8, of an unknown format, or
            contains no name.
    """
    if len(data) > MAX_FILE_BYTES:
        raise SnapshotRefusedError(
            _("The file has more than %(n)s bytes.") % {"n": MAX_FILE_BYTES},
            too_large=True,
        )
    text = _decoded(data)
    if format_name in _JSON_FILES:
        text = _laid_out(data)
    if format_name == SYMBOLS:
        pool, words = SYMBOLS, _symbol_lines(text)
    else:
        parsed = read_file(format_name, text)
        if parsed is None:
            raise SnapshotRefusedError(
                _(
                    "This is not a readable lock file or manifest; pass its own name "
                    "as `file`, or `symbols` for a list of names."
                )
            )
        pool = str(parsed[0])
        words = [named.name for named in parsed[2]]
    names = _distinct(pool, words)
    return NameFile(pool=pool, names=names, sha256=hashlib.sha256(data).hexdigest())


def _decoded(data: bytes) -> str:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SnapshotRefusedError(_("The file is not UTF-8.")) from error
    if problem := text_problem(text):
        raise SnapshotRefusedError(problem)
    return text


def _laid_out(data: bytes) -> str:
    """Parse JSON strictly and format it with one member a line, as readers expect."""
    try:
        value = loads(data, max_bytes=MAX_FILE_BYTES, max_nodes=MAX_JSON_VALUES)
    except StrictJSONError as error:
        raise SnapshotRefusedError(f"The file is invalid: {error}") from error
    return json.dumps(value, indent=1, ensure_ascii=False)


def _symbol_lines(text: str) -> list[str]:
    words = [line.strip() for line in text.split("\n")]
    for number, word in enumerate(words, start=1):
        if word and not is_storable(word):
            raise SnapshotRefusedError(
                _(
                    "Line %(n)s is not a name: enter one word of at most %(most)s "
                    "visible characters."
                )
                % {"n": number, "most": MAX_NAME_LENGTH}
            )
    # `Class.method` is known by its last part, and by its first.
    return [part for word in words if word for part in re.split(r"[.:#]+", word)]


def _distinct(pool: str, words: list[str]) -> tuple[tuple[str, str], ...]:
    names: dict[str, tuple[str, str]] = {}
    for word in words:
        if is_storable(word):
            key = name_key(pool, word)
            names.setdefault(word if pool == SYMBOLS else key, (key, word))
    if not names:
        raise SnapshotRefusedError(_("The file contains no names that can be read."))
    if len(names) > MAX_NAMES:
        raise SnapshotRefusedError(
            _("The file has more than %(n)s names.") % {"n": MAX_NAMES}, too_large=True
        )
    return tuple(names.values())
