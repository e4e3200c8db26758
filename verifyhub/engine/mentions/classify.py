"""What kind of thing a piece of text names, and the key it is compared by."""

import re
from dataclasses import dataclass

from verifyhub.engine.mentions.spelled import is_spelled_path
from verifyhub.engine.mentions.words import (
    BARE_FILES,
    CODE_LIKE_EXTENSIONS,
    EXTENSIONS,
    NOT_A_STEM,
    PLAIN,
    PROGRAMS,
)
from verifyhub.engine.text.lookalike import is_disguised, skeleton
from verifyhub.engine.types import MentionKind

# Longest text that is looked at as one name; longer ones are no names.
LONGEST = 400


@dataclass(frozen=True, slots=True)
class Named:
    """A classified text: its kind, its key and where in the text the name stands.

    `weak` marks names that are ordinary words too: their absence says little.
    """

    kind: MentionKind
    key: str
    start: int
    end: int
    weak: bool = False


_LINES = re.compile(r"(?:(?::|#L|:L)\d++(?:[-–:,]L?\d++)*+|\(\d++(?:,\s?\d++)?\))$")
_WORD = r"[\w$]++(?:-++[\w$]++)*+"
QUALIFIED = re.compile(rf"(?:{_WORD})(?:(?:\.|::|#|->|\?\.|\\)(?:{_WORD}))*+[!?]?$")
SEPARATORS = re.compile(r"\.|::|#|->|\?\.|\\")
CALLEE = re.compile(
    rf"((?:@|\*|&|\.|new |await |async |func |def |function )?)"
    rf"((?:{_WORD})(?:(?:\.|::|#|->|\?\.)(?:{_WORD}))*+)"
    r"(?:<[^<>()]{0,80}>)?\("
)
_TAG = re.compile(r"</?([A-Z][\w.]*+)")
PATH_CHARS = re.compile(r"[\w.@~+$%/\\-]++$")
_ENV = re.compile(r"\$\{?([A-Za-z_]\w*+)\}?$|(?:process\.env\.|os\.environ\.)(\w++)$")
_ASSIGNED = re.compile(r"([A-Z][A-Z0-9_]{2,})=")
_HEX = re.compile(r"[0-9a-f]{7,40}$")
_VERSION = re.compile(r"v?\d++(?:\.\d++){1,3}(?:[-+][0-9A-Za-z.-]++)?$")
_ROOT = re.compile(r"file://|[A-Za-z]:(?=[\\/])")
_FLAG = re.compile(r"--?[A-Za-z][\w-]*+$")
_COMMAND_WORD = re.compile(r"[\w./:@%+,~^={}\[\]*?\"'$<>|&;\\-]++$")
DOMAIN = re.compile(r"[a-z0-9-]++(?:\.[a-z0-9-]++)+$")
_UNESCAPE = re.compile(r"\\([_*\-.\[\]()#`~+!])")


def unescaped(text: str) -> str:
    """Undo Markdown's escapes, as prose shows `git\\_operations.go`."""
    return _UNESCAPE.sub(r"\1", text) if "\\" in text else text


def path_key(text: str) -> tuple[str, int]:
    """Split a path from its line suffix: the path and where it ends."""
    match = _LINES.search(text)
    end = match.start() if match else len(text)
    return text[:end], end


def extension(path: str) -> str:
    """Return the extension of a path's last component, lower case, or ""."""
    name = path.replace("\\", "/").rpartition("/")[2]
    stem, dot, last = name.rpartition(".")
    return last.lower() if dot and stem else ""


def as_file(text: str, *, in_code: bool) -> Named | None:
    """Read a text as the name of a file, with or without folders and lines."""
    path, _ = path_key(text)
    rooted = _ROOT.match(path)
    if not path or not PATH_CHARS.match(path, rooted.end() if rooted else 0):
        return None
    plain = path.replace("\\", "/")
    name = plain.rpartition("/")[2]
    if not name or name.strip(".") == "" or "*" in name:
        return None
    if not _is_file_name(name, has_folder="/" in plain, in_code=in_code):
        return None
    return Named(MentionKind.FILE, path, 0, len(text), weak=_is_brand(path, in_code))


def _is_file_name(name: str, *, has_folder: bool, in_code: bool) -> bool:
    if name.lower() in BARE_FILES:
        return has_folder or (in_code and name.lower() not in {"build", "workspace"})
    stem, dot, last = name.rpartition(".")
    if not dot or not last:
        return False
    if not stem:
        return _is_dot_file(last, has_folder)
    if not (in_code or has_folder) and not _is_prose_file(stem, last):
        return False
    last = last.lower()
    if last in EXTENSIONS:
        if has_folder:
            return True
        if last in CODE_LIKE_EXTENSIONS and stem.lower() in NOT_A_STEM:
            return False
        return stem.lower() not in NOT_A_STEM or last not in CODE_LIKE_EXTENSIONS
    known = last.isascii() and last.isalnum() and len(last) <= 8
    return has_folder and known and not last[0].isdigit()


def _is_prose_file(stem: str, last: str) -> bool:
    """Tell `util.c` from `a.m.`, and `README.MD` from `It works.So`."""
    written = last.islower() or last.isdigit() or stem.isupper() or last[-1].isdigit()
    return written and (len(stem) > 1 or len(last) > 1)


_DOT_HEADS = ("git", "env", "docker", "editorconfig", "npm", "eslint", "prettier")
_DOT_TAILS = ("ignore", "rc", "_profile", "_history", "-version", "_rules")


def _is_dot_file(name: str, has_folder: bool) -> bool:
    known = name.lower() in EXTENSIONS
    if has_folder:
        return True
    return not known and (name.startswith(_DOT_HEADS) or name.endswith(_DOT_TAILS))


def _is_brand(path: str, in_code: bool) -> bool:
    stem, _, last = path.partition(".")
    return not in_code and last == "js" and stem[:1].isupper() and stem.isalpha()


def in_code_span(text: str, noun: str | None) -> list[Named]:
    """Read what stands between backticks.

    Args:
        text: The code span, without its backticks.
        noun: The kind that a word before it names (`package`, `class`, `function`).
    """
    bare = text.strip()
    if not bare or len(bare) > LONGEST or "\n" in bare:
        return []
    lead = len(text) - len(text.lstrip())
    if is_disguised(bare):
        return _disguised(bare, noun, lead)
    for reader in (
        _url,
        _env,
        _spelled,
        _file_and_symbol,
        _listed_files,
        _call,
        _tag,
        _one_word,
    ):
        found = reader(bare, noun)
        if found:
            return [
                Named(n.kind, n.key, n.start + lead, n.end + lead, n.weak)
                for n in found
            ]
    return _command(bare, lead)


def _disguised(text: str, noun: str | None, lead: int) -> list[Named]:
    """Read a name spelt with look-alike characters by the name it passes for.

    The key keeps the characters as they are: it equals no honest name.
    """
    return [
        Named(named.kind, text, lead, lead + len(text))
        for named in in_code_span(skeleton(text), noun)[:1]
    ]


def _url(text: str, noun: str | None) -> list[Named]:
    if "://" not in text or " " in text:
        return []
    scheme = text.partition("://")[0].lower()
    if scheme not in {"http", "https", "ftp", "ws", "wss"}:
        return []
    key = text.rstrip(".,;:!?'\"")
    return [Named(MentionKind.URL, key, 0, len(key))]


def _env(text: str, noun: str | None) -> list[Named]:
    match = _ENV.match(text)
    if match:
        name = match.group(1) or match.group(2)
        return [Named(MentionKind.ENVIRONMENT_VARIABLE, name, 0, len(text))]
    match = _ASSIGNED.match(text)
    if match and " " not in text:
        name = match.group(1)
        return [Named(MentionKind.ENVIRONMENT_VARIABLE, name, 0, len(name))]
    return []


def _spelled(text: str, noun: str | None) -> list[Named]:
    path, end = path_key(text)
    if not is_spelled_path(path):
        return []
    return [Named(MentionKind.FILE, path, 0, end)]


def _file_and_symbol(text: str, noun: str | None) -> list[Named]:
    if noun == "package" and "/" not in text and extension(text) in {"js", "io"}:
        return []
    named = as_file(text, in_code=True)
    if named:
        return [named]
    head, colon, tail = text.partition(":")
    if not colon or "/" in tail or " " in head:
        return []
    named = as_file(head, in_code=True)
    if not named:
        return []
    tail_at = len(head) + 1 + (len(tail) - len(tail.lstrip(":")))
    rest = tail.lstrip(":")
    symbol = _call(rest, None) or _one_word(rest, "function")
    return [named] + [
        Named(s.kind, s.key, s.start + tail_at, s.end + tail_at, s.weak) for s in symbol
    ]


def _listed_files(text: str, noun: str | None) -> list[Named]:
    """Read `a.go:38-41, 123-126` and `a.go, b.go`: files parted by commas."""
    if "," not in text:
        return []
    found: list[Named] = []
    position = 0
    for part in text.split(","):
        bare = part.strip()
        named = as_file(bare, in_code=True)
        if named:
            at = position + len(part) - len(part.lstrip())
            found.append(Named(named.kind, named.key, at, at + len(bare)))
        elif not bare or not bare.replace("-", "").replace(" ", "").isdigit():
            return []
        position += len(part) + 1
    return found


def _call(text: str, noun: str | None) -> list[Named]:
    match = CALLEE.match(text)
    if not match or not text.rstrip(";:! ").endswith((")", "}", "]", "…", "...")):
        return []
    name = match.group(2)
    if name.lower() in {"if", "for", "while", "switch", "catch", "return", "func"}:
        return []
    key = ".".join(SEPARATORS.split(name))
    return [Named(MentionKind.FUNCTION, key, 0, len(text))]


def _tag(text: str, noun: str | None) -> list[Named]:
    match = _TAG.match(text)
    if not match:
        return []
    return [Named(MentionKind.CLASS, match.group(1), *match.span(1))]


def _one_word(text: str, noun: str | None) -> list[Named]:
    marks = "*&[]@<" if "/" in text else "*&[].@<"
    lead = len(text) - len(text.lstrip(marks))
    tail = len(text.rstrip("*[]>;,:?!="))
    core = text[lead:tail]
    if not core or " " in core:
        return []
    if text.startswith("@") and "/" in text:
        return [Named(MentionKind.PACKAGE, text, 0, len(text))]
    if _FLAG.match(core):
        return [Named(MentionKind.COMMAND, core, lead, tail, weak=len(core) < 4)]
    if _VERSION.match(core):
        return [Named(MentionKind.VERSION, core, lead, tail)]
    if _HEX.match(core) and any(c.isdigit() for c in core) and not core.isdigit():
        return [Named(MentionKind.COMMIT, core, lead, tail)]
    if "/" in core or core.endswith("\\"):
        return _folder_or_package(core, lead, tail, noun)
    return _symbol(core, lead, tail, noun)


def _folder_or_package(
    core: str, lead: int, tail: int, noun: str | None
) -> list[Named]:
    if not PATH_CHARS.match(core) or core.strip("/\\.~") == "":
        return []
    host = core.partition("/")[0]
    if noun == "package" or (DOMAIN.match(host) and not core.startswith(".")):
        return [Named(MentionKind.PACKAGE, core.rstrip("/"), lead, tail)]
    plain = core.replace("\\", "/")
    sure = plain.endswith("/") or plain.startswith(("./", "../", "/", "~"))
    return [Named(MentionKind.DIRECTORY, plain, lead, tail, weak=not sure)]


def _symbol(core: str, lead: int, tail: int, noun: str | None) -> list[Named]:
    if not QUALIFIED.match(core) or core.isdigit():
        return []
    parts = [part for part in SEPARATORS.split(core.rstrip("!?")) if part]
    key = ".".join(parts)
    last = parts[-1]
    if noun == "package":
        return [Named(MentionKind.PACKAGE, core, lead, tail)]
    if core.lower() in PLAIN or len(core) < 2:
        return []
    kind = symbol_kind(last, noun)
    weak = len(parts) == 1 and noun is None and last.isalpha() and last.islower()
    return [Named(kind, key, lead, tail, weak)]


def symbol_kind(name: str, noun: str | None) -> MentionKind:
    """Say what kind of symbol a name is: what a word before it says, or its case."""
    if noun is not None:
        return MentionKind(noun)
    if "_" in name and name.isupper():
        return MentionKind.IDENTIFIER
    if name[:1].isupper() and any(char.islower() for char in name):
        return MentionKind.CLASS
    return MentionKind.IDENTIFIER


def _command(text: str, lead: int) -> list[Named]:
    words = text.removeprefix("$ ").split()
    offset = lead + (2 if text.startswith("$ ") else 0)
    if len(words) < 2 or not all(_COMMAND_WORD.match(word) for word in words):
        return []
    program = words[0].rpartition("/")[2]
    flags = any(_FLAG.match(word.partition("=")[0]) for word in words[1:])
    known = program in PROGRAMS or words[0].startswith("./")
    plain = program.islower() and len(words) <= 5 and program.replace("-", "").isalnum()
    if not known and not flags and not plain:
        return []
    if not known and any(mark in text for mark in ("{", "=>", " = ", "==", ";")):
        return []
    key = " ".join(words)
    weak = not known and not flags
    if weak:
        files = _files_among(text, lead)
        if files:
            return files
    return [Named(MentionKind.COMMAND, key, offset, lead + len(text), weak)]


def _files_among(text: str, lead: int) -> list[Named]:
    """Read the file names in a phrase that is no command: `merge into a.md`."""
    found: list[Named] = []
    for match in re.finditer(r"\S++", text):
        named = as_file(match.group(), in_code=True)
        if named:
            at = lead + match.start()
            found.append(Named(named.kind, named.key, at, at + named.end))
    return found
