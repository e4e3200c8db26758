"""Settle claims about files: created, edited, fixed, deleted."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatch
from itertools import islice

from verifyhub.engine.calls.call import Call
from verifyhub.engine.calls.changes import CallChange, base_name, same_file
from verifyhub.engine.calls.cuts import marks_of_cuts
from verifyhub.engine.calls.programs import ProgramRole
from verifyhub.engine.calls.states import CallState
from verifyhub.engine.calls.tools import ToolKind
from verifyhub.engine.completion.claims import OWN, WorkClaim, find_claims
from verifyhub.engine.completion.commands_did import (
    by_commands,
    by_known_work,
    is_done_elsewhere,
)
from verifyhub.engine.completion.languages.model import ClaimKind
from verifyhub.engine.completion.names import PROSE_PATH
from verifyhub.engine.completion.ruling import (
    Ruling,
    contradicted,
    supported,
    unattempted,
    unchecked,
)
from verifyhub.engine.completion.segments import CODE_MARK, sentences
from verifyhub.engine.completion.shared_words import is_unspoken_of
from verifyhub.engine.completion.spelling import is_spelled_in, without_topics
from verifyhub.engine.completion.taken_back import (
    MOST_DECIDING,
    undoing,
    unless_taken_back,
)
from verifyhub.engine.ledger.ledger import Ledger
from verifyhub.engine.reports import ClaimStatus, Grade

_LONG_WORD = re.compile(r"[^\W\d_]{5,40}")


def settle_edit(claim: WorkClaim, kind: ClaimKind, ledger: Ledger) -> Ruling:
    """Settle a claim that files were changed.

    What no call did, but a call shows to stand as claimed, stays open: work of an
    earlier turn, or of somebody else, which the answer reports.
    """
    claim = replace(claim, names=without_topics(claim.names, claim.text))
    if (
        _is_of_other_documents(claim, ledger)
        or _is_of_other_place(claim, ledger)
        or _is_unmoved(claim, ledger)
    ):
        return unattempted()
    quoting = _quoting(claim, ledger)
    written = [change.call for change in quoting if change.done or change.cut]
    if quoting and not written:
        return contradicted(quoting[-1].call)
    elsewhere = (
        is_done_elsewhere(claim)
        and not _may_be_written(claim, ledger)
        and not any(change.done for change in _touching(ledger, claim.names.files))
    )
    ruling = (
        by_commands(claim, ledger) if elsewhere else _by_changes(claim, kind, ledger)
    )
    if written and ruling.status is ClaimStatus.UNATTEMPTED:
        return supported(written[-1])
    if ruling.status is not ClaimStatus.UNATTEMPTED or OWN.search(claim.words):
        return ruling
    if claim.placed and _may_be_written(claim, ledger):
        return ruling  # It was done here, in another file.
    index = _shown_before(claim, ledger)
    index = _in_diff(claim, ledger) if index is None else index
    if index is not None:
        return unchecked(index)
    return unchecked() if _is_done_by_task(claim, ledger) else ruling


# "… to the README": these documents are known by their names.
_IN_DOCUMENT = re.compile(
    r"(?:\b(?:to|in) (?:the |our )?|\A\W*(?:the )?)(?:(readme)|changelog)\b(?!\.\w)"
    r"|\A\W*(?:project |agent )?(memory)\b"
)


def _is_of_other_documents(claim: WorkClaim, ledger: Ledger) -> bool:
    """Whether a claim is of a document, and no call of this run was given it."""
    named = _IN_DOCUMENT.search(claim.words)
    if named is None or ledger.reports or not (ledger.changes or named[2]):
        return False
    path = re.compile(named[1] or named[2] or _IS_NEWS, re.IGNORECASE)
    return not any(path.search(entry.given) for entry in ledger.calls)


# "Moved `a.md` to `docs/`": a call would name that file, or a pattern of it.
_MOVED = re.compile(r"\bmoved (?:the (?:\w+ ){0,2})?\W?\ue000+\W? (?:in)?to\b")
_MOVES = frozenset({"mv", "rename", "move", "rsync"})


def _is_unmoved(claim: WorkClaim, ledger: Ledger) -> bool:
    """Whether a claim is of a file that was moved, and no call that acts names it."""
    files = claim.names.files
    if not (files and _MOVED.search(claim.words) and ledger.shows_all_deeds):
        return False
    source = base_name(files[0])
    moves = any(
        not _MOVES.isdisjoint(command.part.words[:2]) for command in ledger.commands
    )
    return not moves and source not in ledger.deed_inputs


# "… in the staging database": something that a call would name.
_PLACE = re.compile(
    r"\b(?:in|on|from|against) (?:the |our )?(staging|production|prod|live)"
    r" (?:database|db|server|environment|cluster|instance|bucket|system)s?\b"
)


def _is_of_other_place(claim: WorkClaim, ledger: Ledger) -> bool:
    """Whether a claim is of work in an environment that no call names."""
    place = _PLACE.search(claim.words)
    if place is None or ledger.reports:
        return False
    name = place[1][:4]
    # Lowering each text would cost each claim more than three looks.
    spellings = (name, name.title(), name.upper())
    return not any(
        spelling in text
        for call in ledger.calls
        for text in call.texts
        for spelling in spellings
    )


_QUOTED = re.compile(r"[\"“]([^\"“”\n]{8,200})[\"”]")


def _quoting(claim: WorkClaim, ledger: Ledger) -> list[CallChange]:
    """Return the changes that hold all texts which a claim quotes; none without any."""
    quoted = [text.rstrip(".") for text in _QUOTED.findall(claim.text)]
    return [
        change for change in ledger.changes if quoted and all(map(change.holds, quoted))
    ]


_DONE_BEFORE = re.compile(r"✅|\[x\]|\b(?:done|completed)\b", re.IGNORECASE)
# Lines of a task that are looked at, those that hold all names of a claim.
_MOST_TASK_LINES = 20


def _is_done_by_task(claim: WorkClaim, ledger: Ledger) -> bool:
    """Whether a line of the task names all that is claimed, as done.

    A summary of the turns before, or a plan with its ticks, is neither evidence nor the
    agent's answer: no call shows what it reports, and nobody failed to attempt it.
    """
    names = [*map(base_name, claim.names.files), *claim.names.idents]
    names = [name.lower() for name in names]
    lines = (
        line
        for line in ledger.asked_lines
        if names and all(name in line.lower() for name in names)
    )
    return any(
        _DONE_BEFORE.search(line)
        or any(not (made.state or made.soft) for made in find_claims(sentences(line)))
        for line in islice(lines, _MOST_TASK_LINES)
    )


_ADDS = re.compile(r"\b(?:added|created|new|introduced|implemented|wrote|extracted)\b")
_DIFF_LINE = re.compile(r"^[+-](?![+-]{2})[^\n]*", re.MULTILINE)


def _shown_before(claim: WorkClaim, ledger: Ledger) -> int | None:
    """Return the call that shows the work that is claimed as done before.

    What was added stands in the text of a file; of any other change only the lines of
    a diff tell.
    """
    idents = claim.names.idents
    if not idents:
        return None
    routes = [code for code in claim.names.codes if code.startswith("/")]
    for entry in reversed(ledger.calls):
        text = entry.call.output
        if not entry.shows_stored or not all(name in text for name in idents):
            continue
        if claim.names.files and not all(route in text for route in routes):
            continue
        if _ADDS.search(claim.words):
            return entry.index
        lines = "\n".join(_DIFF_LINE.findall(text))
        if any(name in lines for name in idents):
            return entry.index
    return None


def _in_diff(claim: WorkClaim, ledger: Ledger) -> int | None:
    """Return the diff that may show what is claimed, of work that no call here did.

    It is of a file that the claim names, or the trace leaves out a part of it.
    """
    files, idents = claim.names.files, claim.names.idents
    if _touching(ledger, files) if files else ledger.changes:
        return None
    counted = _naming(files, ledger.summed_by_name)
    if counted:
        return counted[0].index
    if files:
        diffs = _naming(files, ledger.diffed_by_name)
    else:
        diffs = [entry for entry, _ in reversed(ledger.diffs)]
    for entry in diffs:
        if not idents or any(marks_of_cuts(entry.call.output)):
            return entry.index
    return None


def _naming(
    files: tuple[str, ...], calls_by_name: Mapping[str, Sequence[tuple[Call, str]]]
) -> list[Call]:
    """Return the calls that showed one of some files, the last one first."""
    calls = {
        entry.index: entry
        for name in files
        for entry, path in calls_by_name.get(base_name(name), ())
        if same_file(name, path)
    }
    return [calls[index] for index in sorted(calls, reverse=True)]


def _by_changes(claim: WorkClaim, kind: ClaimKind, ledger: Ledger) -> Ruling:
    if _TIDIED.search(claim.words) and not claim.names.files:
        return _by_tidying(ledger)
    if kind is ClaimKind.DELETE and claim.names.files:
        ruling = _settle_delete(claim, ledger)
        if ruling is not None:
            return ruling
    removed = _removed(claim, ledger)
    if removed is not None:
        return removed
    return _by_content(claim, kind, ledger)


def _by_content(claim: WorkClaim, kind: ClaimKind, ledger: Ledger) -> Ruling:
    """Settle a claim by the changes that hold what it names."""
    files = claim.names.files
    if len(files) > 1 and _is_subject(claim):
        files = files[:1]
    touching = _touching(ledger, files)
    candidates = touching if claim.names.files else list(ledger.changes)
    if kind is not ClaimKind.DELETE:
        candidates = [write for write in candidates if not write.deleted]
    holding = list(filter(_Wanted(claim).is_in, candidates))
    succeeded = [write for write in holding if write.done]
    unmade = _unmade(claim, candidates) if succeeded else None
    if unmade is not None:
        return contradicted(unmade.call)
    if succeeded and kind is ClaimKind.CREATE and _PASSING.search(claim.words):
        return supported(succeeded[-1].call)
    if succeeded:
        ruling = _unless_undone(succeeded, ledger)
        is_undone = ruling.status is ClaimStatus.CONTRADICTED
        back = is_undone and _TOOK_BACK.search(claim.words)
        if is_undone and kind is not ClaimKind.CREATE and not back:
            ruling = _unless_scratch(claim, ruling, succeeded, ledger)
        return supported(*ruling.evidence) if back else ruling
    return _not_done(claim, ledger, touching, holding)


def _unless_scratch(
    claim: WorkClaim, ruling: Ruling, writes: list[CallChange], ledger: Ledger
) -> Ruling:
    """Leave open what only files of the agent's own held, which it then removed.

    A script that shows a bug names what was mended, in an edit of other words.
    """
    if claim.names.files or any(write.content is None for write in writes):
        return ruling
    own = {path for write in writes for path in write.paths}
    for change in reversed(ledger.done_changes):
        if not (change.deleted or own.intersection(change.paths)):
            return unchecked(change.call)
    return ruling


def _unmade(claim: WorkClaim, changes: Sequence[CallChange]) -> CallChange | None:
    """Return the failed change that alone has a name of the claim.

    Who tried again, and changed that file, may have done it in other words.
    """
    not_done = [change for change in changes if not change.done]
    done = [change for change in changes if change.done]
    for name in claim.names.idents if not_done else ():
        failed = [change for change in not_done if change.holds(name)]
        if not failed:
            continue
        found = [change for change in done if change.holds(name)]
        if _ADDS.search(claim.words) and any(_defines(name, made) for made in failed):
            # Who only calls it has not added it.
            found = [change for change in found if _defines(name, change)]
        if found or any(change.takes_out(name) for change in done):
            continue
        if not any(
            change.call > failed[-1].call
            and change.touches(failed[-1].paths)
            and (change.cut or not change.replaced or not _MOVED_IN.search(claim.words))
            for change in done
        ):
            return failed[-1]
    return None


def _defines(name: str, change: CallChange) -> bool:
    """Whether a change holds the definition of a name, or may hold it elsewhere."""
    defining = re.compile(
        r"\b(?:def|func|fun|fn|class|function|const|let|var|type|struct|interface|enum"
        rf"|trait) (?:\([^()\n]{{0,60}}\) )?{re.escape(name)}\b"
    )
    return any(defining.search(text) for text in change.texts)


# What was moved stands in the change by its name.
_MOVED_IN = re.compile(r"\b(?:moved|relocated|extracted)\b")
# "I reverted the timeout change": that it is gone is what the claim says.
_TOOK_BACK = re.compile(r"\b(?:reverted|restored|undid|rolled back|discarded)\b")


def _may_be_written(claim: WorkClaim, ledger: Ledger) -> bool:
    """Whether a change holds what a claim names: a migration makes an index, too."""
    if not claim.names.idents:
        return False
    return any(map(_Wanted(claim).is_in, ledger.done_changes))


# Who made a script to see a bug takes it away again.
_PASSING = re.compile(
    r"\b(?:temp(?:orary)?|scratch|debug(?:ging)?|repro(?:duction|duce)?|throwaway"
    r"|script that)\b"
)


# "Cleaned up the reproduction script": files of the agent's own, which then are gone.
_TIDIED = re.compile(
    r"\b(?:cleaned up|cleaned|removed|deleted)\W+(?:(?:the|my|all|any|its|both|of) )*"
    r"(?:temp(?:orary)?|scratch|debug(?:ging)?|repro(?:duction)?|throwaway)\b"
    r"[^.;,]{0,30}\b(?:scripts?|files?|artifacts?|test cases?)\b"
)


def _by_tidying(ledger: Ledger) -> Ruling:
    if ledger.deletions:
        return supported(ledger.deletions[-1].call)
    written = [
        change.call for change in ledger.done_changes if change.content is not None
    ]
    return unattempted(*written[-1:]) if written else unchecked()


def _not_done(
    claim: WorkClaim,
    ledger: Ledger,
    touching: list[CallChange],
    holding: list[CallChange],
) -> Ruling:
    """Settle where no successful write holds what the claim names."""
    if holding:
        return contradicted(*(write.call for write in reversed(holding)))
    if not touching and _is_left_alone(claim, ledger):
        return unattempted()
    done_here = [write for write in touching if write.done]
    has_place = claim.placed or bool(_LOCATED.match(claim.words))
    is_located = has_place and not ledger.leaves_out_reads
    if claim.names.files and not touching and not (is_located or _is_subject(claim)):
        elsewhere = list(filter(_Wanted(claim).is_in, ledger.done_changes))
        if elsewhere and claim.names.idents and not _PLACED.search(claim.words):
            return _unless_undone(elsewhere, ledger)
    if not claim.names.files and _is_no_test(claim, ledger):
        return unattempted()
    if any(write.cut for write in done_here or ledger.done_changes) and (
        done_here or not claim.names.files
    ):
        still_open = unless_taken_back(done_here or ledger.done_changes, ledger)
        is_open = still_open.status is ClaimStatus.UNCHECKED
        return unchecked(*(w.call for w in done_here[-1:])) if is_open else still_open
    if not claim.names.files and not claim.names.idents:
        return _by_words(claim, ledger)
    shown = _shown_as_made(claim, ledger) if not touching else None
    return shown or _by_others(claim, ledger)


def _is_left_alone(claim: WorkClaim, ledger: Ledger) -> bool:
    """Whether nothing in the run can have changed the one file that a claim is about.

    "Modified `menu.tsx`: added `Home`" is not shown by another file with that name.
    """
    files, codes = claim.names.files, claim.names.codes
    if len(files) != 1 or not codes or files[0] not in codes[0]:
        return False
    return (
        _DONE_TO.match(claim.words) is not None
        and ledger.shows_all_deeds
        and all(change.paths for change in ledger.changes)
        and not any(command.part.may_write for command in ledger.commands)
        and not any(_says_changed(files[0], entry) for entry in ledger.calls)
    )


def _says_changed(file: str, entry: Call) -> bool:
    """Whether git tells of a file, which may be that it was changed."""
    base = base_name(file)
    by_git = any(command.program == "git" for command in entry.commands)
    return by_git and base in entry.call.output.lower()


_DONE_TO = re.compile(
    r"\W*(?:(?:i|we)(?:['’]ve| have)? )?(?:also |then |just )?(?:updated|changed|edited"
    r"|modified|adjusted|extended|fixed|corrected|rewrote|reworded|refactored)\b\W{1,6}"
    r"(?:(?:[\w'’-]+ ){1,6}(?:in|inside|of) )?(?:the )?\W?\ue000"
)


def _shown_as_made(claim: WorkClaim, ledger: Ledger) -> Ruling | None:
    """Settle a file that a program wrote: it says so, or the file is there to read."""
    if not _MADE.search(claim.words) or not claim.names.files:
        return None
    bases = claim.names.bases
    for entry in reversed(ledger.calls):
        if not entry.names(bases):
            continue
        if entry.kind is ToolKind.READ and entry.state is CallState.ERROR:
            return contradicted(entry.index)
        if entry.kind is ToolKind.READ and entry.succeeded and ledger.commands:
            return supported(entry.index)
        lines = entry.tail.splitlines() if entry.command and not entry.failed else ()
        if any(
            _SAYS_WRITTEN.search(line) and any(base in line for base in bases)
            for line in lines
        ):
            return supported(entry.index)
    return None


_MADE = re.compile(r"\b(?:saved|written|wrote|exported|generated|created|stored)\b")
_SAYS_WRITTEN = re.compile(
    r"\b(?:saved?|saving|written|wrote|writing|exported|generated|created)\b",
    re.IGNORECASE,
)


# "Dropped `x` from `package.json`": nowhere else.
_PLACED = re.compile(r"\ue000 (?:from|to|into) \W?\ue000+\W*$")
_IS_TEST, _IS_NEWS = r"test(?!bed)|spec", r"chang|history|news|release"


# What a claim without names is about, and the paths that show it.
_TOPICS = tuple(
    (re.compile(topic), re.compile(path, re.IGNORECASE))
    for topic, path in (
        (r"\b(?:changelog|release notes?)\b", _IS_NEWS),
        (r"\breadme\b", r"readme"),
        (r"\b(?:docs?|documentation)\b|документац", PROSE_PATH.pattern),
        (
            r"\b(?:in|to|into) (?:the )?ci\b|\bci (?:workflow|pipeline|config)\b",
            r"\.github/|gitlab-ci|jenkinsfile|\bci\b|pipeline",
        ),
        (r"\btests?\b|тест", _IS_TEST),
    )
)


def _by_words(claim: WorkClaim, ledger: Ledger) -> Ruling:
    """Settle a claim that names nothing: by its topic, or not at all."""
    changes = ledger.done_changes
    for topic, path in _TOPICS:
        if topic.search(claim.words):
            about = [
                change.call for change in changes if any(map(path.search, change.paths))
            ]
            if about:
                return supported(about[-1])
            changes = tuple(change for change in changes if not change.paths)
    if not changes:
        return _by_others(claim, ledger)
    if ledger.unmade and all(_only_formats(change, ledger) for change in changes):
        return contradicted(ledger.unmade[-1].call)
    known = by_known_work(claim, ledger)
    if is_done_elsewhere(claim):
        return known or unattempted()
    if known is None and is_unspoken_of(claim, ledger):
        return _by_others(claim, ledger)
    return known or unless_taken_back(changes, ledger)


def _only_formats(change: CallChange, ledger: Ledger) -> bool:
    """Whether a change is only the layout that a formatter gave to any files."""
    parts = [part for part in ledger.calls[change.call].commands if part.may_change]
    return not change.paths and all(
        part.role & (ProgramRole.FORMAT | ProgramRole.INSTALLS) or part.kinds
        for part in parts
    )


_NEW_TEST = re.compile(
    r"\b(?:added|created|wrote|written|introduced)"
    r" (?:(?:a|an|new|\w+|unit|regression|integration|more) ){0,3}tests?\b"
)
_A_TEST = re.compile(r"(?<![a-z])tests?(?!bed)|test_|spec|assert|expect", re.IGNORECASE)


def _is_no_test(claim: WorkClaim, ledger: Ledger) -> bool:
    """Whether a claim is of a new test, and nothing that was changed is one."""
    if not _NEW_TEST.search(claim.words) or ledger.reports:
        return False
    texts = (
        text
        for change in ledger.done_changes
        for text in (*change.paths, *change.texts)
    )
    is_hidden = any(
        change.cut and not all(map(_TESTED_APART.search, change.paths))
        for change in ledger.done_changes
    )
    return not (is_hidden or any(map(_A_TEST.search, texts)))


# Tests of these languages stand in files of their own, which their names tell.
_TESTED_APART = re.compile(r"\.(?:[cm]?[jt]sx?|vue|svelte|go|java|kt|cs|php|css|html)$")


def _by_others(claim: WorkClaim, ledger: Ledger) -> Ruling:
    """Look at commands and at other agents' reports, the last resort."""
    names = [*claim.names.files, *claim.names.idents]
    for report in reversed(ledger.reports):
        if any(name in report.call.output for name in names):
            return supported(report.index, grade=Grade.D)
    return by_commands(claim, ledger)


def _touching(ledger: Ledger, files: tuple[str, ...]) -> list[CallChange]:
    """Return the changes of files that a claim names, in order."""
    changes = {
        id(change): change
        for name in files
        for change in ledger.changes_by_name.get(base_name(name), ())
        if change.touches([name])
    }
    return sorted(changes.values(), key=lambda change: change.call)


_CHANGES_WITHIN = re.compile(
    r"\b(?:updated|changed|modified|edited|fixed|refactored|simplified|improved"
    r"|adjusted|cleaned|hardened|resolved|addressed|corrected)\b"
)
_VERSION = re.compile(r"(?<![\w.])v?(\d+(?:\.\d+){1,3}[\w.-]{0,20}?)(?![\w])")


_TO_VERSION = re.compile(
    r"\b(?:from v?\d[\w.-]*|version bumped) to v?(\d+(?:\.\d+)+)\b"
)


# "`OrderService.total()`", "`Grid::at`".
_OWNER = re.compile(r"([A-Z]\w*)(?:\.|::)")


class _Wanted:
    """What a claim names besides files: read once, and looked for in every change."""

    def __init__(self, claim: WorkClaim) -> None:
        words, names = claim.words, claim.names
        self._files, self._idents = names.files, names.idents
        # Nothing else can be spelled in another way.
        self._spelled = [name for name in names.idents if "/" in name or " " in name]
        adds = _ADDS.search(words) is not None
        self._taken_out = () if adds else names.idents
        # "Guarded `OrderService.total()`", by an edit of `OrderService.java`.
        owners = (_OWNER.match(code) for code in names.codes)
        self._owners = frozenset(
            owner[1].lower() for owner in owners if owner is not None and not adds
        )
        # "Updated `load()` in `a.py`" may change one line of `load`; "Added `load()`"
        # cannot do without the name.
        self._within = _CHANGES_WITHIN.search(words) is not None
        # "Bumped `log4j` to 2.23.1 in `pom.xml`": the edit may hold the number alone.
        self._versions = _VERSION.findall(words)
        to_version = _TO_VERSION.search(words)
        self._set_to = to_version[1] if to_version else None
        self._fixes = ClaimKind.FIX in claim.kinds
        self._words = {word[:8] for word in _LONG_WORD.findall(words)}

    def is_in(self, write: CallChange) -> bool:
        """Return whether a change holds it."""
        if not self._idents and self._set_to and write.texts:
            return write.holds(self._set_to)
        if not self._idents:
            return bool(self._files) or self._fixes or self._shares_words(write)
        return (
            any(map(write.holds, self._idents))
            or any(is_spelled_in(name, write) for name in self._spelled)
            or any(map(write.takes_out, self._taken_out))
            or self._is_of_class(write)
            or self._may_lie_within(write)
        )

    def _is_of_class(self, write: CallChange) -> bool:
        """Return whether the file of a class that has the method was changed."""
        return bool(self._owners) and any(
            base_name(path).partition(".")[0] in self._owners for path in write.paths
        )

    def _may_lie_within(self, write: CallChange) -> bool:
        """Return whether the named file was changed where the names need not show."""
        if not (self._within or self._versions) or not write.touches(self._files):
            return False
        return self._within or any(map(write.holds, self._versions))

    def _shares_words(self, write: CallChange) -> bool:
        if not self._words:
            return False
        text = " ".join((*write.paths, *write.texts)).lower()
        return any(word in text for word in self._words)


# "**`load` helper** (`loader.py:40`): Added a cache": there, and nowhere else.
_LOCATED = re.compile(r"[^:.;(]{1,160}\(\W?\ue000+\W{0,3}\)\W{0,3}[:—–]\s")


def _is_subject(claim: WorkClaim) -> bool:
    """Return whether the sentence begins with the file that it names."""
    codes = claim.names.codes
    first = claim.names.files[0].rsplit("/", 1)[-1]
    return (
        bool(codes)
        and first in codes[0]
        and claim.words.lstrip(" *_(-")[:1] == CODE_MARK
    )


def _unless_undone(writes: list[CallChange], ledger: Ledger) -> Ruling:
    """Support the claim, unless a later call took every such change back."""
    writes = writes[-MOST_DECIDING:]
    undone = [(write, undoing(write, ledger)) for write in writes]
    remaining = [write for write, call in undone if call is None]
    if remaining:
        return supported(*(write.call for write in reversed(remaining)))
    calls = [call for _, call in undone if call is not None]
    return contradicted(max(calls), *(write.call for write in writes))


def _settle_delete(claim: WorkClaim, ledger: Ledger) -> Ruling | None:
    """Settle the deletion of files; None where the claim may be about their text."""
    deletions = [
        write for write in _touching(ledger, claim.names.files) if write.deleted
    ]
    if deletions:
        return _by_deletions(deletions, ledger)
    return None if claim.names.idents else unattempted()


# "Removed the old `a.py`": the file itself is what was removed, not a part of it.
_REMOVES = re.compile(
    r"\b(?:removed|dropped|deleted|purged|cleaned up|stripped)"
    r"(?: (?:the|an?|all|both|old|unused|obsolete|stale|dead|legacy|redundant|leftover"
    r"|temporary|empty|entire|whole|now[- ]\w+|files?|folders?|director(?:y|ies)"
    r"|modules?|scripts?)){0,5}\W{0,4}(?P<code>\ue000+)"
    r"|\b(?:removed|deleted|cleaned up) (?:[\w-]+ ){1,5}\(\ue000++\)"
    r"|\ue000\W{0,4}(?:(?:file|folder|module|script|was|is|has been|now) ){0,3}"
    r"(?:removed|deleted|dropped|cleaned up)\b(?! from\b)"
)


# "Removed the old logs (`run-*.log`)": many files, that no edit takes away.
_FILE_PATTERN = re.compile(r"[\w./-]*\*[\w*./-]*\.\w{1,6}")


def _of_pattern(patterns: Sequence[str], ledger: Ledger) -> Ruling:
    """Settle the deletion of files that a pattern names."""
    names = [base_name(pattern) for pattern in patterns]
    deletions = [
        change
        for change in ledger.changes
        if change.deleted
        and (
            not change.paths
            or any(
                fnmatch(base_name(path), name)
                for path in change.paths
                for name in names
            )
        )
    ]
    if deletions:
        return _by_deletions(deletions, ledger)
    return unattempted() if ledger.shows_all_deeds else unchecked()


def _removed(claim: WorkClaim, ledger: Ledger) -> Ruling | None:
    """Settle "removed `a.py`" as a deletion, where one of that name was tried."""
    if not _REMOVES.search(claim.words):
        return None
    patterns = [code for code in claim.names.codes if _FILE_PATTERN.fullmatch(code)]
    if patterns:
        return _of_pattern(patterns, ledger)
    names = {code.rstrip("/").removeprefix("./") for code in claim.names.codes}
    names |= set(claim.names.files)
    deletions = [
        write
        for write in ledger.changes
        if write.deleted
        and any(
            same_file(name, path.rstrip("/")) for name in names for path in write.paths
        )
    ]
    return _by_deletions(deletions, ledger) if deletions else None


def _by_deletions(deletions: list[CallChange], ledger: Ledger) -> Ruling:
    done = [
        change
        for change in deletions
        if change.done and not ledger.calls[change.call].failed
    ]
    if done:
        return _unless_undone(done, ledger)
    return contradicted(*(write.call for write in reversed(deletions)))
