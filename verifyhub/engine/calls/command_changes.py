"""Changes made by commands of a shell."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from verifyhub.engine.calls.call import LedgerCall
from verifyhub.engine.calls.changes import Action, Change
from verifyhub.engine.calls.patches import BEGIN, read_patch
from verifyhub.engine.calls.shell import Part, heredocs, redirections
from verifyhub.engine.calls.tool_changes import is_cut, patch_change, tool_changes
from verifyhub.engine.text.tokens import word_set

_PATH_WORD = re.compile(
    r"(?<![\w@.~+/-])(?:[\w@.~+-]*(?:/[\w@.~+-]+)+|[\w@~+-]+\.[A-Za-z]\w{0,9})"
)
_SCRIPT_WRITE = re.compile(
    r"write_text|writeFile|\.write\(|open\([^)\n]{1,120}['\"][wa]|File\.write|>>? ?\S"
)
# Editors that some agents call as commands of a shell.
_EDITORS = word_set("str_replace_editor str_replace_based_edit_tool edit create insert")
_DELETERS = word_set("rm unlink rmdir trash")
_MOVERS = word_set("mv cp tee touch install ln")
_SCRIPTS = word_set("python python3 node perl ruby bun deno php")
_PATCHERS = frozenset({"patch", "git apply", "git am", "apply_patch"})
_FIXERS = re.compile(r"\s(?:--fix|--write|-w|--in-place|-i\S*|lint:fix|fmt|format)\b")
_IN_PLACE = re.compile(r"\s-\w*i")
_ELSEWHERE = ("/dev/", "/tmp/")  # noqa: S108 - read in a command, never opened
# Characters of a script in which paths are looked for.
_SCRIPT_LIMIT = 20_000
# What the shell fills in is not known here.
_FILLED_IN = frozenset("*?[{$`\\")


def read_changes(entry: LedgerCall) -> Iterator[Change]:
    """Yield what a call changed, or tried to change."""
    return command_changes(entry) if entry.command else tool_changes(entry)


def command_changes(entry: LedgerCall) -> Iterator[Change]:
    """Yield the changes of a call's commands, in order."""
    command = entry.command or ""
    patches = [patch for text in _patch_texts(entry) for patch in read_patch(text)]
    if patches:
        yield from (patch_change(entry, patch) for patch in patches)
        return
    for part in entry.parts:
        yield from _part_changes(entry, part, command)


def _patch_texts(entry: LedgerCall) -> Iterator[str]:
    command = entry.command or ""
    if BEGIN in command:
        yield command
    elif any(part.program in _PATCHERS for part in entry.parts):
        yield from (command[one.start : one.end] for one in heredocs(command))


def _part_changes(entry: LedgerCall, part: Part, command: str) -> Iterator[Change]:
    program = part.program
    if program in _DELETERS or program == "git rm":
        yield _change(entry, Action.DELETE, _plain(part.operands), ())
    elif program in _MOVERS or program == "git mv":
        named = part.operands
        yield replace(
            _change(entry, Action.TOUCH, named, (command,)),
            rewritten=tuple(_plain(_targets(program, named))),
            gone=tuple(_plain(named[:1])) if _moves(program, named) else (),
        )
    elif program in _EDITORS:
        if "view" not in part.words:
            yield _change(entry, Action.TOUCH, _named(part.text), (command,))
    elif program in {"sed", "perl"} and _IN_PLACE.search(part.text):
        touched = _change(entry, Action.TOUCH, _named(part.text), (command,))
        # The first operand is the script, unless an option gave it.
        files = part.operands[0 if " -e" in part.text else 1 :]
        yield replace(touched, rewritten=tuple(_plain(files)))
    elif program in _SCRIPTS and _SCRIPT_WRITE.search(command):
        named = _named(command[:_SCRIPT_LIMIT])
        yield _change(entry, Action.TOUCH, named, (command,))
    elif _FIXERS.search(f" {part.text}") and program not in {"grep", "rg", "ls"}:
        yield _change(entry, Action.TOUCH, (), ())
    elif program == "mkdir":
        yield _change(entry, Action.TOUCH, part.words[1:], (command,))
    else:
        yield from _redirected(entry, part, command)


def _moves(program: str, named: tuple[str, ...]) -> bool:
    return program in {"mv", "git mv"} and len(named) == 2


def _targets(program: str, named: tuple[str, ...]) -> tuple[str, ...]:
    """Return what surely was written: a target that may be a folder is none."""
    if program in {"tee", "touch"}:
        return named
    if len(named) != 2 or "." not in named[1].rsplit("/", 1)[-1].lstrip("."):
        return ()
    return named[1:]


def _redirected(entry: LedgerCall, part: Part, command: str) -> Iterator[Change]:
    for _, path, appends in redirections(part.text):
        if path.startswith(_ELSEWHERE):
            continue
        content = None if appends else _fed(part, command)
        yield Change(
            call=entry.index,
            action=Action.REWRITE if content is None else Action.WRITE,
            paths=(path,),
            done=entry.succeeded,
            texts=(command,),
            cut=is_cut((command,)),
            content=content,
        )


def _fed(part: Part, command: str) -> str | None:
    """Return the text that `cat > file <<'TAG'` puts in a file; None if unknown."""
    if part.program != "cat" or part.joined == "|":
        return None
    end = part.start + len(part.text)
    for one in heredocs(command):
        if part.start <= one.opened < end:
            text = command[one.start : one.end]
            return text if one.literal or _FILLED_IN.isdisjoint(text) else None
    return None


def _change(
    entry: LedgerCall, action: Action, paths: Iterable[str], texts: tuple[str, ...]
) -> Change:
    return Change(
        call=entry.index,
        action=action,
        paths=tuple(paths),
        done=entry.succeeded,
        texts=texts,
        cut=is_cut(texts),
    )


def _plain(words: Iterable[str]) -> Iterator[str]:
    return (word for word in words if _FILLED_IN.isdisjoint(word))


def _named(text: str) -> tuple[str, ...]:
    return tuple(_PATH_WORD.findall(text))
