"""Ask whether changes and commits still stand, or a later call took them back."""

import re
from bisect import bisect_left
from collections.abc import Sequence

from verifyhub.engine.calls.changes import CallChange
from verifyhub.engine.completion.ruling import Ruling, contradicted, unchecked
from verifyhub.engine.ledger.ledger import Ledger
from verifyhub.engine.ledger.runs import Command

# Changes that are asked whether they still stand, the newest ones.
MOST_DECIDING = 200
# Commands of git that make a commit.
COMMITTING = frozenset({"commit", "revert", "cherry-pick", "merge", "am", "rebase"})


def unless_taken_back(changes: Sequence[CallChange], ledger: Ledger) -> Ruling:
    """Leave open what some changes may be, unless each failed or was taken back."""
    done = [change for change in changes if change.done or change.cut]
    if not done:
        return contradicted(*(change.call for change in reversed(changes)))
    undone = [undoing(change, ledger) for change in done[-MOST_DECIDING:]]
    if None in undone:
        return unchecked(done[-1].call)
    return contradicted(max(call for call in undone if call is not None))


def undoing(write: CallChange, ledger: Ledger) -> int | None:
    """Return the call that took a change back: a rollback of git, or a deletion."""
    pops = [
        command.call
        for command in ledger.rollbacks
        if command.part.verb == "stash" and not _POPS.isdisjoint(command.part.words)
    ]
    for command in ledger.rollbacks:
        if command.call <= write.call or command.failed:
            continue
        kept = command.part.verb == "stash" and max(pops, default=-1) >= command.call
        kept = kept or _is_committed(command, write, ledger)
        if _discards(command, write) and not kept:
            return command.call
    if write.deleted:
        return None
    for later in ledger.deletions:
        if (
            later.call > write.call
            and write.paths
            and all(
                later.touches([path]) or _holds(later.paths, path)
                for path in write.paths
            )
        ):
            return later.call
    return None


def _holds(folders: Sequence[str], path: str) -> bool:
    """Whether a file lies in one of some folders, which are named from the same root.

    An absolute path may lie in a folder of at least two names.
    """
    path = path.removeprefix("./")
    for folder in folders:
        name = folder.removeprefix("./").rstrip("/")
        inside = path.startswith(f"{name}/")
        if name and (inside or ("/" in name and f"/{name}/" in path)):
            return True
    return False


# What takes a stash out again.
_POPS = frozenset({"pop", "apply"})


# "git checkout HEAD~1 -- a.py": what was committed goes as well.
_OF_REVISION = re.compile(
    r"(?:HEAD|@)[~^@].*|ORIG_HEAD|(?:origin|upstream)/\S+|[a-f\d]{7,40}|--source\S*|-s"
)


def _is_committed(command: Command, write: CallChange, ledger: Ledger) -> bool:
    """Whether a rollback found a change committed, and goes to no earlier revision."""
    at = bisect_left(ledger.commits, write.call)
    between = at < len(ledger.commits) and ledger.commits[at] < command.call
    return between and not any(map(_OF_REVISION.fullmatch, command.part.words))


def _discards(command: Command, write: CallChange) -> bool:
    verb, words = command.part.verb, command.part.argv
    if verb == "reset":
        return "--hard" in words
    if verb == "stash":
        return (_POPS | {"list", "show", "drop"}).isdisjoint(words)
    if verb == "restore" and "--staged" in words and "--worktree" not in words:
        return False
    if verb not in {"checkout", "restore"}:
        return False
    names = [word for word in words[2:] if not word.startswith("-")]
    return "." in names or write.touches(names) or write.lies_in(names)


# "git reset HEAD~1", "git reset --soft main": the branch is moved to before.
_EARLIER = re.compile(
    r"(?:HEAD|@)[~^@].*|ORIG_HEAD|(?:origin|upstream)/\S+|main|master"
)


def reset_after(committed: Sequence[int], ledger: Ledger) -> int | None:
    """Return the reset that took the last commit away, if none was made later."""
    for command in ledger.commands if committed else ():
        part = command.part
        if part.program != "git" or command.call <= committed[-1] or command.failed:
            continue
        if part.verb == "reset" and any(map(_EARLIER.fullmatch, part.words[2:])):
            return command.call
        if part.verb == "update-ref" and "-d" in part.words:
            return command.call
    return None


# Where a rebase or merge began.
_BEFORE = re.compile(r"ORIG_HEAD|(?:HEAD)?@\{\d{1,4}\}")


def put_back(ledger: Ledger) -> int | None:
    """Return the reset that put a branch back to where a rebase or merge found it."""
    back = None
    for command in ledger.commands:
        part = command.part
        if part.program != "git" or command.failed:
            continue
        if part.verb == "reset" and any(map(_BEFORE.fullmatch, part.words[2:])):
            back = command.call
        elif part.verb in COMMITTING and "--abort" not in part.words:
            back = None
    return back
