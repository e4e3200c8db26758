"""Read files and folders in answers: with lines, drives and brackets."""

import re

from verifyhub.engine.mentions.named import ClassifiedText
from verifyhub.engine.mentions.words import (
    BARE_FILES,
    CODE_LIKE_EXTENSIONS,
    EXTENSIONS,
    NOT_A_STEM,
)
from verifyhub.engine.text.tokens import word_set
from verifyhub.engine.types import MentionKind

_LINES = re.compile(r"(?:(?::|#L|:L)\d++(?:[-–:,]L?\d++)*+|\(\d++(?:,\s?\d++)?\))$")
PATH_CHARS = re.compile(r"[\w.@~+$%/\\-]++$")
_ROOT = re.compile(r"file://|[A-Za-z]:(?=[\\/])")


def path_key(text: str) -> tuple[str, int]:
    """Split a path from its line suffix; return the path and its end."""
    numbered = text[-1:].isdecimal() or text.endswith(")")
    match = _LINES.search(text) if numbered else None
    end = match.start() if match else len(text)
    return text[:end], end


def extension(path: str) -> str:
    """Return the extension of a path's last component in lower case, or ""."""
    name = path.replace("\\", "/").rpartition("/")[2]
    stem, dot, last = name.rpartition(".")
    return last.lower() if dot and stem else ""


def as_file(text: str, *, in_code: bool) -> ClassifiedText | None:
    """Read a text as the name of a file, with or without folders and lines."""
    path, _ = path_key(text)
    rooted = _ROOT.match(path)
    if not path or not PATH_CHARS.match(path, rooted.end() if rooted else 0):
        return None
    plain = path.replace("\\", "/")
    name = plain.rpartition("/")[2]
    if not name or name.strip(".") == "" or "*" in name:
        return None
    has_folder = "/" in plain.lstrip("/")
    if not _is_file_name(name, has_folder=has_folder, in_code=in_code):
        return None
    if extension(name) not in EXTENSIONS and _is_choice(plain):
        return None
    return ClassifiedText(
        MentionKind.FILE, path, 0, len(text), weak=_is_brand(path, in_code)
    )


def _is_choice(plain: str) -> bool:
    """Distinguish `state.input/state.output`, two names, from a folder with a dot."""
    folders, _, _ = plain.rpartition("/")
    return any("." in part.strip(".") for part in folders.split("/"))


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
    spelled, last = last, last.lower()
    if last in EXTENSIONS:
        if has_folder:
            return True
        if last in CODE_LIKE_EXTENSIONS and _is_member(stem, spelled):
            return False
        return stem.lower() not in NOT_A_STEM or last not in CODE_LIKE_EXTENSIONS
    if stem.startswith(".") and not has_folder:
        return last.isalnum() and stem[1:].startswith(_DOT_HEADS)
    if _is_exported(stem, spelled) and not spelled.isupper():
        # `shop/build.Version`, a name of Go.
        return False
    known = last.isascii() and last.isalnum() and len(last) <= 8
    return has_folder and known and not last[0].isdigit()


def _is_member(stem: str, last: str) -> bool:
    """Distinguish `sql.DB` and `Array.prototype.map`, members of a type, from files."""
    if stem.endswith(".prototype") or stem.lower() in NOT_A_STEM:
        return True
    return _is_exported(stem, last)


def _is_exported(stem: str, last: str) -> bool:
    return stem.islower() and last[:1].isupper()


def _is_prose_file(stem: str, last: str) -> bool:
    """Distinguish `util.c` from `a.m.`, and `README.MD` from `It works.So`."""
    is_plain = last.islower() or last.isdigit() or stem.isupper() or last[-1].isdigit()
    return is_plain and (len(stem) > 1 or len(last) > 1)


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


# Beginnings of absolute paths; `/api/users` is an address of a service.
_TOPS = word_set(
    """
    Applications Library Users Volumes app bin builds data etc home lib media mnt
    nix opt private proc repo root run runner sbin srv src sys testbed tmp usr var
    work workdir workspace workspaces
    """
)


def as_folder(path: str) -> ClassifiedText:
    """Read a path as a folder; weak if it may also be a choice of words or a route."""
    plain = path.replace("\\", "/")
    weak = not plain.startswith(("./", "../", "~"))
    if plain.startswith("/"):
        weak = plain.split("/")[1] not in _TOPS
    elif plain.endswith("/"):
        # `1/` and `2/` are numbers of examples.
        weak = plain[:-1].isdigit()
    return ClassifiedText(MentionKind.DIRECTORY, plain, 0, len(path), weak)
