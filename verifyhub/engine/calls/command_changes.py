"""Changes made by commands of a shell."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from verifyhub.engine.calls.changes import CallChange, ChangeKind
from verifyhub.engine.calls.facts import CallFacts
from verifyhub.engine.calls.inline_python import python_writes
from verifyhub.engine.calls.patches import BEGIN, read_patch
from verifyhub.engine.calls.programs import ProgramRole
from verifyhub.engine.calls.shell import (
    FILLED_IN,
    SimpleCommand,
    heredocs,
    redirections,
)
from verifyhub.engine.calls.tool_changes import is_cut, patch_changes

_PATH_WORD = re.compile(
    r"(?<![\w@.~+/-])(?:[\w@.~+-]*(?:/[\w@.~+-]+)+|[\w@~+-]+\.[A-Za-z]\w{0,9})"
)
_SCRIPT_WRITE = re.compile(
    r"write_(?:text|bytes)|writeFile|appendFile|(?<!stdout)(?<!stderr)\.write\("
    r"|open\([^)\n]{1,120}['\"][wax]b?\+?['\"]|File\.write|IO\.write"
    r"|file_put_contents|shutil\.(?:copy|move)|os\.(?:remove|rename|unlink)"
    r"|\.(?:unlink|rename)\(|json\.dump\(|\.to_csv\("
)
_ELSEWHERE = ("/dev/", "/tmp/")  # noqa: S108 - read in a command, never opened
# Characters of a script in which paths are looked for.
_SCRIPT_LIMIT = 20_000


def command_changes(entry: CallFacts) -> Iterator[CallChange]:
    """Yield the changes of a call's commands, in order."""
    command = entry.command or ""
    patches = [patch for text in _patch_texts(entry) for patch in read_patch(text)]
    if patches:
        yield from patch_changes(entry, patches)
        return
    for part in entry.commands:
        yield from _part_changes(entry, part, command)


def _patch_texts(entry: CallFacts) -> Iterator[str]:
    command = entry.command or ""
    if BEGIN in command:
        yield command
    elif any(ProgramRole.PATCHES in part.role for part in entry.commands):
        yield from (command[one.start : one.end] for one in heredocs(command))


def _part_changes(
    entry: CallFacts, part: SimpleCommand, command: str
) -> Iterator[CallChange]:
    role = part.role
    if role & ProgramRole.DELETES:
        yield _change(entry, ChangeKind.DELETE, _plain(part.operands), ())
    elif role & (
        ProgramRole.MOVES | ProgramRole.COPIES | ProgramRole.TOUCHES | ProgramRole.LINKS
    ):
        named = part.operands
        moved = role & ProgramRole.MOVES and len(named) == 2
        yield replace(
            _change(entry, ChangeKind.TOUCH, named, (command,)),
            rewritten=tuple(_plain(_targets(part))),
            gone=tuple(_plain(named[:1])) if moved else (),
        )
    elif role & ProgramRole.EDITS:
        if "view" not in part.words:
            yield _change(entry, ChangeKind.TOUCH, _named(part.text), (command,))
    elif part.edits_in_place:
        touched = _change(entry, ChangeKind.TOUCH, _named(part.text), (command,))
        yield replace(touched, rewritten=tuple(_plain(part.edited)))
    elif part.runs_inline and _SCRIPT_WRITE.search(command):
        written = _written_inline(part, command)
        if written is not None:
            yield _change(entry, ChangeKind.TOUCH, written, (command,))
    elif part.rewrites:
        yield _change(entry, ChangeKind.TOUCH, (), ())
    elif role & ProgramRole.MAKES_FOLDERS:
        yield _change(entry, ChangeKind.TOUCH, part.operands, (command,))
    else:
        yield from _redirected(entry, part, command)


def _written_inline(part: SimpleCommand, command: str) -> tuple[str, ...] | None:
    """Return the files that a script in a command may write; None where it writes none.

    What Python writes is read off its script; of other languages, and where a script
    does not spell the file, it may be any file that the command names.
    """
    anything = _named(command[:_SCRIPT_LIMIT])
    script = _python(part, command)
    if script is None:
        return anything
    writes = python_writes(script)
    if writes.others:
        return anything
    return writes.paths or None


def _python(part: SimpleCommand, command: str) -> str | None:
    """Return the script of Python that a command holds: behind `-c`, or fed to it."""
    if part.program != "python":
        return None
    words = part.argv
    if "-c" in words[:-1]:
        return words[words.index("-c") + 1]
    end = part.start + len(part.text)
    fed = [one for one in heredocs(command) if part.start <= one.opened < end]
    return command[fed[0].start : fed[0].end] if fed else None


def _targets(part: SimpleCommand) -> tuple[str, ...]:
    """Return what surely was written: a target that may be a folder is none."""
    named = part.operands
    if part.role & ProgramRole.TOUCHES:
        return named
    if len(named) != 2 or "." not in named[1].rsplit("/", 1)[-1].lstrip("."):
        return ()
    return named[1:]


def _redirected(
    entry: CallFacts, part: SimpleCommand, command: str
) -> Iterator[CallChange]:
    for _, path, appends in redirections(part.text):
        if path.startswith(_ELSEWHERE):
            continue
        content = None if appends else _fed(part, command)
        yield CallChange(
            call=entry.index,
            action=ChangeKind.REWRITE if content is None else ChangeKind.WRITE,
            paths=(path,),
            done=entry.succeeded,
            texts=(command,),
            cut=is_cut((command,)),
            content=content,
        )


def _fed(part: SimpleCommand, command: str) -> str | None:
    """Return the text that `cat > file <<'TAG'` puts in a file; None if unknown."""
    if part.program != "cat" or part.joined == "|":
        return None
    end = part.start + len(part.text)
    for one in heredocs(command):
        if part.start <= one.opened < end:
            text = command[one.start : one.end]
            return text if one.literal or FILLED_IN.isdisjoint(text) else None
    return None


def _change(
    entry: CallFacts, action: ChangeKind, paths: Iterable[str], texts: tuple[str, ...]
) -> CallChange:
    return CallChange(
        call=entry.index,
        action=action,
        paths=tuple(paths),
        done=entry.succeeded,
        texts=texts,
        cut=is_cut(texts),
    )


def _plain(words: Iterable[str]) -> Iterator[str]:
    return (word for word in words if FILLED_IN.isdisjoint(word))


def _named(text: str) -> tuple[str, ...]:
    return tuple(_PATH_WORD.findall(text))
