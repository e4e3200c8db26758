"""Classify the names in a text, and compute their comparison keys."""

import re
import unicodedata

from verifyhub.engine.calls.programs import is_program
from verifyhub.engine.mentions.files import (
    PATH_CHARS,
    as_file,
    as_folder,
    extension,
    path_key,
)
from verifyhub.engine.mentions.named import ClassifiedText
from verifyhub.engine.mentions.packages import as_package
from verifyhub.engine.mentions.patterns import read_pattern
from verifyhub.engine.mentions.spelled import is_spelled_path
from verifyhub.engine.mentions.words import BARE_FILES, EXTENSIONS, PLAIN
from verifyhub.engine.text.lookalike import is_disguised, skeleton
from verifyhub.engine.text.tokens import word_set
from verifyhub.engine.types import MentionKind

# Maximum length of a text that may be a name.
LONGEST = 400

_WORD = r"[\w$]++(?:-++[\w$]++)*+"
QUALIFIED = re.compile(rf"(?:{_WORD})(?:(?:\.|::|#|->|\?\.|\\)(?:{_WORD}))*+[!?]?$")
SEPARATORS = re.compile(r"\.|::|#|->|\?\.|\\")
CALLEE = re.compile(
    rf"((?:@|\*|&|\.|new |await |async |func |def |function )?)"
    rf"((?:{_WORD})(?:(?:\.|::|#|->|\?\.)(?:{_WORD}))*+)"
    r"(?:<[^<>()]{0,80}>)?\("
)
_TAG = re.compile(r"</?([A-Z][\w.]*+)")
_ENV = re.compile(
    r"\$\{?([A-Za-z_]\w*+)\}?$|%([A-Z]\w*+)%$"
    r"|(?:process\.env\.|import\.meta\.env\.|os\.environ\.|\$env:)(\w++)$"
    r"|(?:process\.env|os\.environ|ENV)\[['\"](\w++)['\"]\]$"
    r"|(?:os\.)?(?:getenv|Getenv|environ\.get|env::var)\(['\"](\w++)['\"]"
)
_ASSIGNED = re.compile(r"(?:(?:export|set|setx) )?([A-Z][A-Z0-9_]{2,})=")
_FLAG = re.compile(r"--?[A-Za-z][\w-]*+$")
_COMMAND_WORD = re.compile(r"[\w./:@%+,~^={}\[\]*?\"'$<>|&;\\-]++$")
# A host ends in a short word of letters, unlike `state.input`.
DOMAIN = re.compile(r"[a-z0-9-]++(?:\.[a-z0-9-]++)*\.[a-z]{2,4}$")
_UNESCAPE = re.compile(r"\\([_*\-.\[\]()#`~+!])")


def unescaped(text: str) -> str:
    """Undo Markdown escapes: `git\\_operations.go` in prose."""
    return _UNESCAPE.sub(r"\1", text) if "\\" in text else text


def escaped_end(text: str, end: int) -> int:
    """Return the position in a text of a position in the unescaped text."""
    for mark in _UNESCAPE.finditer(text):
        if mark.start() >= end:
            break
        end += 1
    return end


def in_code_span(text: str, noun: str | None) -> list[ClassifiedText]:
    """Classify a text between backticks.

    Args:
        text: The code span, without its backticks.
        noun: The kind in a preceding word (`package`, `class`, `function`).
    """
    bare = _unelided(text.strip())
    if not bare or len(bare) > LONGEST or "\n" in bare:
        return []
    lead = len(text) - len(text.lstrip())
    if lead == 0 and _WORD_ALONE.match(bare) and bare.lower() not in BARE_FILES:
        return _single_word(bare, noun)  # Nothing else is spelt like this.
    if not bare.isascii():
        if not unicodedata.is_normalized("NFC", bare):
            composed = in_code_span(unicodedata.normalize("NFC", bare), noun)[:1]
            return [
                match._replace(start=lead, end=lead + len(bare)) for match in composed
            ]
        if is_disguised(bare):
            # The key keeps the original characters, so it equals no real name.
            return [
                ClassifiedText(match.kind, bare, lead, lead + len(bare))
                for match in in_code_span(skeleton(bare), noun)[:1]
            ]
    for reader in (
        _url,
        _env,
        _spelled,
        _file_and_symbol,
        as_package,
        _subscript,
        _listed_files,
        _call,
        _tag,
        _member_of_package,
        _single_word,
    ):
        names = reader(bare, noun)
        if names:
            return [name.moved(lead) for name in names]
    return _command(bare, lead)


_WORD_ALONE = re.compile(r"[A-Za-z0-9_]+$", re.ASCII)
# `./...` stands for all packages of a Go module, and is not abbreviated.
_ELIDED = re.compile(r"(?<=[^\s./])(?:\s(?:\.{3}|…|\\)|/(?:\.{3}|…)|…)$")


def _unelided(text: str) -> str:
    """Remove the mark of an abbreviated path or command."""
    match = _ELIDED.search(text[-6:])
    return text[: len(text) - 6 + match.start()] if match and len(text) > 6 else text


def _url(text: str, noun: str | None) -> list[ClassifiedText]:
    if "://" not in text or " " in text:
        return []
    scheme = text.partition("://")[0].lower()
    if scheme not in {"http", "https", "ftp", "ws", "wss"}:
        return []
    key = text.rstrip(".,;:!?'\"")
    return [ClassifiedText(MentionKind.URL, key, 0, len(key))]


def _env(text: str, noun: str | None) -> list[ClassifiedText]:
    variable = as_environment_variable(text)
    if variable:
        return [variable]
    match = _ASSIGNED.match(text)
    if match and " " not in text[match.end() :]:
        name, span = match.group(1), match.span(1)
        return [ClassifiedText(MentionKind.ENVIRONMENT_VARIABLE, name, *span)]
    return []


def as_environment_variable(text: str) -> ClassifiedText | None:
    """Read `$NAME`, `${NAME}`, `%NAME%`, `process.env.NAME`, `os.environ["NAME"]`.

    `$name` in lower case is a variable of a script, and so an identifier.
    """
    match = _ENV.match(text)
    if not match:
        return None
    name = next(group for group in match.groups() if group)
    # `$name` is a variable of a script; environment variables are in capitals.
    is_identifier = text.startswith("$") and ":" not in text and not name.isupper()
    kind = MentionKind.IDENTIFIER if is_identifier else MentionKind.ENVIRONMENT_VARIABLE
    return ClassifiedText(kind, name, 0, len(text))


def _spelled(text: str, noun: str | None) -> list[ClassifiedText]:
    path, end = path_key(text)
    found = is_spelled_path(path)
    return [ClassifiedText(MentionKind.FILE, path, 0, end)] if found else []


def _file_and_symbol(text: str, noun: str | None) -> list[ClassifiedText]:
    if noun == "package" and "/" not in text and extension(text) in {"js", "io"}:
        return []
    match = as_file(text, in_code=True)
    if match:
        return [match]
    head, colon, tail = text.partition(":")
    if not colon or "/" in tail or " " in head:
        return []
    match = as_file(head, in_code=True)
    if not match:
        return []
    tail_at = len(head) + 1 + (len(tail) - len(tail.lstrip(":")))
    rest = tail.lstrip(":")
    symbols = _call(rest, None) or _single_word(rest, "function")
    return [match, *(symbol.moved(tail_at) for symbol in symbols)]


def _listed_files(text: str, noun: str | None) -> list[ClassifiedText]:
    """Read `a.go:38-41, 123-126` and `a.go, b.go`: files separated by commas."""
    if "," not in text:
        return []
    files: list[ClassifiedText] = []
    position = 0
    for part in text.split(","):
        bare = part.strip()
        match = as_file(bare, in_code=True)
        if match:
            at = position + len(part) - len(part.lstrip())
            files.append(ClassifiedText(match.kind, match.key, at, at + len(bare)))
        elif not bare or not bare.replace("-", "").replace(" ", "").isdigit():
            return []
        position += len(part) + 1
    return files


_SUBSCRIPT = re.compile(r"([A-Za-z_$][\w.$]*+)\[(['\"]?)([\w.-]{1,120})\2\]$")


def _subscript(text: str, noun: str | None) -> list[ClassifiedText]:
    """Read `options["max_size"]`: a name and, if quoted, its key."""
    match = _SUBSCRIPT.match(text)
    if not match:
        return []
    names = _symbol(match.group(1), *match.span(1), noun)
    if match.group(2):
        names += _symbol(match.group(3), *match.span(3), None)
    return names


def _call(text: str, noun: str | None) -> list[ClassifiedText]:
    match = CALLEE.match(text)
    if not match or not text.rstrip(";:! ").endswith((")", "}", "]", "…", "...")):
        return []
    name = match.group(2)
    if name.lower() in {"if", "for", "while", "switch", "catch", "return", "func"}:
        return []
    if not any(char.isalpha() for char in name):
        return []
    key = ".".join(SEPARATORS.split(name))
    return [ClassifiedText(MentionKind.FUNCTION, key, 0, len(text))]


def _tag(text: str, noun: str | None) -> list[ClassifiedText]:
    match = _TAG.match(text)
    return (
        [ClassifiedText(MentionKind.CLASS, match[1], *match.span(1))] if match else []
    )


_MEMBER_OF_PACKAGE = re.compile(r"[\w.@/-]{1,300}/([a-z]\w*+\.[A-Z]\w*+)$")


def _member_of_package(text: str, noun: str | None) -> list[ClassifiedText]:
    """Read `shop/build.Version`: a name of Go after the path of its package."""
    match = _MEMBER_OF_PACKAGE.match(text)
    if not match or extension(text) in EXTENSIONS:
        return []
    return _symbol(match.group(1), *match.span(1), noun)


def _single_word(text: str, noun: str | None) -> list[ClassifiedText]:
    marks = "*&[]@<" if "/" in text else "*&[].@<"
    lead = len(text) - len(text.lstrip(marks))
    tail = len(text.rstrip("*[]>;,:?!="))
    core = text[lead:tail]
    if not core or " " in core:
        return []
    if _FLAG.match(core):
        return [
            ClassifiedText(MentionKind.COMMAND, core, lead, tail, weak=len(core) < 4)
        ]
    match = read_pattern(core, in_code=True)
    if match:
        return [ClassifiedText(match.kind, match.key, lead, tail, match.weak)]
    if "/" in core or core.endswith("\\"):
        return _folder_or_package(core, lead, tail, noun)
    return _symbol(core, lead, tail, noun)


def _folder_or_package(
    core: str, lead: int, tail: int, noun: str | None
) -> list[ClassifiedText]:
    if not PATH_CHARS.match(core) or core.strip("/\\.~") == "":
        return []
    host = core.partition("/")[0]
    if noun == "package" or (DOMAIN.match(host) and not core.startswith(".")):
        return [ClassifiedText(MentionKind.PACKAGE, core.rstrip("/"), lead, tail)]
    match = as_folder(core)
    return [ClassifiedText(match.kind, match.key, lead, tail, match.weak)]


def _symbol(core: str, lead: int, tail: int, noun: str | None) -> list[ClassifiedText]:
    if not QUALIFIED.match(core) or core.isdigit():
        return []
    parts = [part for part in SEPARATORS.split(core.rstrip("!?")) if part]
    key = ".".join(parts)
    last = parts[-1]
    if noun == "package":
        return [ClassifiedText(MentionKind.PACKAGE, key, lead, tail)]
    if core.lower() in PLAIN or len(core) < 2:
        return []
    kind = symbol_kind(last, noun)
    weak = len(parts) == 1 and noun is None and last.isalpha() and last.islower()
    return [ClassifiedText(kind, key, lead, tail, weak)]


def symbol_kind(name: str, noun: str | None) -> MentionKind:
    """Return the kind of a symbol, by a preceding word or by its case."""
    if noun is not None:
        return MentionKind(noun)
    if "-" in name or ("_" in name and name.isupper()):
        return MentionKind.IDENTIFIER
    if name[:1].isupper() and any(char.islower() for char in name):
        return MentionKind.CLASS
    return MentionKind.IDENTIFIER


def _command(text: str, lead: int) -> list[ClassifiedText]:
    if text.startswith("--"):
        # Options without their program, one by one: `--ref main --force`.
        return [
            ClassifiedText(MentionKind.COMMAND, flag, 0, len(flag)).moved(
                lead + match.start()
            )
            for match in re.finditer(r"(?<!\S)--\S++", text)
            if _FLAG.match(flag := match.group().partition("=")[0])
        ]
    words = text.removeprefix("$ ").split()
    offset = lead + (2 if text.startswith("$ ") else 0)
    if len(words) < 2 or not all(_COMMAND_WORD.match(word) for word in words):
        return []
    program = words[0].rpartition("/")[2]
    flags = any(_FLAG.match(word.partition("=")[0]) for word in words[1:])
    known = is_program(program) or words[0].startswith("./")
    plain = program.islower() and len(words) <= 5 and program.replace("-", "").isalnum()
    if not known and not flags and not plain:
        return []
    if not known and any(mark in text for mark in ("{", "=>", " = ", "==", ";")):
        return []
    key = " ".join(words)
    weak = not flags and (not known or not _ENGLISH.isdisjoint(words))
    # A phrase that is no command may name files: `merge into a.md`.
    if weak:
        files = [
            name.moved(lead + match.start())
            for match in re.finditer(r"\S++", text)
            if (name := as_file(match.group(), in_code=True))
        ]
        if files:
            return files
    return [ClassifiedText(MentionKind.COMMAND, key, offset, lead + len(text), weak)]


# `make it the default`: the name of a program may be an English verb.
_ENGLISH = word_set(
    "a an and are as at be by for from if in into is it its no not of on or so that the"
    " then there they this to was when where which will with you your"
)
