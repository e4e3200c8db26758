"""Hold what an answer says of a working tree and of commits against git's own words."""

import re

from verifyhub.engine.calls.call import Call
from verifyhub.engine.completion.claims import WorkClaim
from verifyhub.engine.completion.ruling import Ruling, contradicted, supported
from verifyhub.engine.ledger.ledger import Ledger

_CLEAN = re.compile(
    r"\b(?:working (?:tree|directory|copy)|worktree|repo(?:sitory)?|git status)"
    r"(?: is| remains| stays|:)?(?: now| still)? clean\b"
)
_CHANGED = re.compile(
    r"^(?:(?:[MADRCU][MD ]| [MD]|\?\?) \S"
    r"|\s{1,8}(?:modified|deleted|new file|renamed):)",
    re.MULTILINE,
)
_MOVED = re.compile(r"(?<![\w.])[a-f\d]{7,40}\.\.[a-f\d]{7,40}(?![\w.])")
_IS_CLEAN = "nothing to commit, working tree clean"
_SAID_AHEAD = re.compile(r"\bahead of \S{1,80} by (?P<count>\d{1,6})\b")
_AHEAD = re.compile(r"\bahead(?: of '[^'\n]{1,200}' by)? (?P<count>\d{1,6})\b")


def by_git_status(claim: WorkClaim, ledger: Ledger) -> Ruling | None:
    """Rule on a clean tree, or on how many commits and which, by what git reports."""
    if moved := _MOVED.search(claim.text):
        # "8 commits landed on main (1eb1833..d9fa7f8)", as git prints of a push.
        printed = f" {moved.group()} "
        shown = [call.index for call in ledger.calls if printed in call.printed]
        return supported(shown[-1]) if shown else None
    said = _SAID_AHEAD.search(claim.text)
    if not said and not _CLEAN.search(claim.words):
        return None
    status = _last_status(ledger)
    if status is None:
        return None
    if said is None:
        if _CHANGED.search(status.printed):
            return contradicted(status.index)
        edited = any(change.call > status.index for change in ledger.done_changes)
        is_clean = _IS_CLEAN in status.printed and not edited
        return supported(status.index) if is_clean else None
    ahead = _AHEAD.search(status.printed)
    differs = ahead is not None and int(ahead["count"]) != int(said["count"])
    return contradicted(status.index) if differs else None


# "The commit touches 6 files": in the words of the five languages.
_OF_COMMIT = re.compile(r"\b(?:commit|коммит\w*)\b")
_SIZES = {
    "new": re.compile(r"\b(\d{1,5}) (?:new|nouveaux|nuevos|neue|новы[йхе]) "),
    "files": re.compile(
        r"\b(\d{1,5}) (?:files?|fichiers?|archivos?|ficheros?|dateien|файл)"
    ),
    "insertions": re.compile(
        r"\b(\d{1,6}) (?:insertion|inserci[oó]n|einfügung|вставк|добавлен)"
    ),
    "deletions": re.compile(
        r"\b(\d{1,6}) (?:deletion|suppression|eliminaci[oó]n|löschung|удален)"
    ),
}
_PRINTED = {
    "files": re.compile(r"^ (\d{1,5}) files? changed", re.MULTILINE),
    "insertions": re.compile(r"^ \d.* (\d{1,6}) insertions?\(\+\)", re.MULTILINE),
    "deletions": re.compile(r"^ \d.* (\d{1,6}) deletions?\(-\)", re.MULTILINE),
}
_NEW_FILE = re.compile(r"^ create mode ", re.MULTILINE)


def by_size_of_commit(claim: WorkClaim, ledger: Ledger) -> Ruling | None:
    """Contradict a size of the one commit of a run that git printed otherwise."""
    if not _OF_COMMIT.search(claim.words) or len(ledger.commits) != 1:
        return None
    printed = ledger.calls[ledger.commits[0]].printed
    if not _PRINTED["files"].search(printed):
        return None
    for what, pattern in _SIZES.items():
        said = pattern.search(claim.words)
        if said is None:
            continue
        if what == "new":
            shown = {str(len(_NEW_FILE.findall(printed)))}
        else:
            shown = set(_PRINTED[what].findall(printed)) or {"0"}
        return None if said[1] in shown else contradicted(ledger.commits[0])
    return None


def _last_status(ledger: Ledger) -> Call | None:
    """Return the last `git status`, if no command of git changed anything later.

    A commit of nothing says as much: the tree is clean.
    """
    for command in reversed(ledger.commands):
        if command.part.program != "git":
            continue
        is_clean = _IS_CLEAN in ledger.calls[command.call].printed
        if command.part.verb == "status" or is_clean:
            return ledger.calls[command.call]
        if not command.part.looks:
            return None
    return None
