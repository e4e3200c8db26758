"""Settle the stated state of a thing: by what brought it about, or by what shows it.

Most such sentences tell of the program, and no call can show them: they are no claims.
One is missed where the whole trace holds no word of the very thing that it is about,
and contradicted where the last thing that was run of it went wrong.
"""

import re
from dataclasses import replace

from verifyhub.engine.calls.call import Call
from verifyhub.engine.calls.changes import base_name
from verifyhub.engine.calls.deed_words import stem
from verifyhub.engine.calls.outcomes.model import Result
from verifyhub.engine.calls.outcomes.trouble import is_silent
from verifyhub.engine.calls.programs import ProgramRole
from verifyhub.engine.calls.tools import ToolKind
from verifyhub.engine.completion.claims import WorkClaim
from verifyhub.engine.completion.fixes import failing
from verifyhub.engine.completion.languages.english_states import (
    NEW_FILE,
    State,
    StateForm,
    read_state,
)
from verifyhub.engine.completion.languages.model import ClaimKind
from verifyhub.engine.completion.looks import only_lists
from verifyhub.engine.completion.names import PROSE_FILE
from verifyhub.engine.completion.ruling import Ruling, contradicted, unattempted
from verifyhub.engine.completion.run_topics import run_topic
from verifyhub.engine.completion.runs import may_run, settle_commands, settle_run
from verifyhub.engine.completion.segments import CODE_MARK
from verifyhub.engine.completion.shared_words import by_words
from verifyhub.engine.completion.taken_back import unless_taken_back
from verifyhub.engine.ledger.ledger import Ledger
from verifyhub.engine.reports import ClaimStatus
from verifyhub.engine.text.tokens import word_set
from verifyhub.engine.types import Span

_AGAINST = frozenset({ClaimStatus.CONTRADICTED, ClaimStatus.UNATTEMPTED})
_RAN = frozenset({StateForm.WELL, StateForm.NONE_LEFT})
# A name of the world: a capital inside a sentence, or inside a word.
_NAME = re.compile(
    r"(?<=[\w,:;)’'] )[A-Z][a-z]+[A-Z]?\w*\b"
    r"|\b(?:[A-Z]{2,}[a-z]\w+|[A-Z][a-z]+[A-Z]\w*)"
)
_NOUN = re.compile(r"[a-z][a-z-]{2,40}")
# Nouns by which any answer speaks of its matter; that a trace lacks them says nothing.
_ABSTRACT = word_set(
    """
    issue problem bug cause change fix work code feature implementation approach
    solution behavior behaviour logic case thing part step result everything nothing
    something anything both all each one two three it this that these those they way
    reason point idea difference question answer note summary task goal plan key rest
    others other same first second last latter former design pattern decision
    requirement concern gap risk detail improvement option setup flow process state
    item section list table following project system app application user data
    function method class module component library package file folder directory
    value name path line word comment finding suggestion recommendation review
    version mistake condition crate tree run check output import script job server
    use occurrence call reference test suite limit working number count order
    need validation refactoring refactor implementation solution
    """
)
ABSTRACT_STEMS = frozenset(map(stem, _ABSTRACT))
_FUNCTION_WORDS = word_set(
    "the and all both its your our their this that these those with for from into new"
    " old every each now also again two three four five six seven eight nine ten"
    " one several many no not zero"
)
# Deeds whose outcome stays: what "is created on login" is a description.
_STAYS = re.compile(
    r"\b(?:is|are) (?:\w+ ){0,2}(?:attached|configured|pinned|regenerated|recompiled"
    r"|refreshed|uploaded|pushed|archived|bumped|replaced|deleted|removed|installed"
    r"|published|applied|documented|translated|covered|registered|checked in|committed"
    r"|merged|tagged|saved|stored|wired|exported|linked (?:from|in)|updated|rebuilt"
    r"|converted|renamed|upgraded|migrated|deployed|set up|resolved|addressed|fixed"
    r"|closed|reverted|extended|adjusted|adapted|formatted|rebuilt|marked"
    r"|attached)\b"
    r"|\b(?:was|were|has been|have been|got)\b"
)
_WRITTEN = re.compile(r"\b(?:is|are) (?:\w+ ){0,2}written to \Z")
# What a thing has, or a text tells; all else of this form is how the program behaves.
_OWNS = re.compile(
    r"\b(?:has|have|got|gained|lost|carr(?:y|ies)|accompan\w+|mentions?|explains?"
    r"|describes?|documents?|lists?|says|uses?|calls?|includes?|covers?|contains?)$"
)
# Texts whose matter stands in an edit, if they were written here.
_TELLERS = re.compile(r"\b(?:tests?|specs?|docs?|documentation|readme|guide)$")
# What brings a new thing, or takes up the one that was spoken of.
_RELATES = re.compile(r" (?:an?|one|two|both|it|them|the same|the new)\b")
# What it is done to: what was spoken of, or a thing by its name.
_RELATED = re.compile(
    r" (?:to |from )?(?:(?:it|them|both|these)\b"
    r"|(?:the|this|the new|the same) (?P<noun>[a-z]{3,30})\b)"
)
_BE = re.compile(r"\b(?:is|are|was|were|been|gets?|got)\b")
_TOKEN = re.compile(r"[^\W_]{3,60}")


# What only a program does.
_REBUILT = re.compile(r"\b(?:is|are) (?:\w+ )?re(?:built|compiled|deployed|started)\Z")


def settle_state(claim: WorkClaim, ledger: Ledger) -> Ruling | None:
    """Return what the trace says of how a thing stands; None where it says nothing."""
    state = read_state(claim.words)
    failed = _failed_edit(claim, state, ledger)
    failed = _nothing_stands(claim, state, ledger) if failed is None else failed
    if failed is not None:
        return replace(contradicted(failed), place=_clause(claim, state))
    if _is_unmade_file(claim, ledger) or _is_unmade_picture(claim, ledger):
        return unattempted()
    if claim.soft:
        return None
    if state is None or state.form is StateForm.DONE:
        by_shared_words = by_words(claim, ledger)
        if by_shared_words.status is ClaimStatus.CONTRADICTED:
            return by_shared_words
    if state is None:
        return None
    if state.form in _RAN:
        ruling = _by_runs(claim, state, ledger)
        if ruling is not None:
            return ruling
    if "no longer" in claim.words[: state.end] and not claim.names.files:
        return None
    missing = ledger.shows_all_deeds and (
        (_REBUILT.search(claim.words[: state.end]) and not may_run(claim, ledger))
        or _is_unmentioned(claim, state, ledger)
        or _is_untouched(claim, state, ledger)
    )
    return unattempted() if missing else None


_OF_FILES = frozenset({StateForm.HOLDS, StateForm.DONE, StateForm.PLACED})
# "… is linked in `app.tsx`": of that file.
_IN_FILE = re.compile(r" (?:in|into|from|at|under|by) (?:the )?\W?\ue000+\W*\Z")
# A look at a change shows what is in its files.
_DIFF = "diff --git "


def _is_untouched(claim: WorkClaim, state: State, ledger: Ledger) -> bool:
    """Whether a run that changes files neither changed nor read those of a claim.

    "`NEWS.md` mentions it": who has not read it knows that from no edit but his own.
    """
    files = claim.names.files[-1:] if _IN_FILE.match(state.rest) else claim.names.files
    holds = state.form is StateForm.HOLDS and not state.subject.startswith(CODE_MARK)
    if not files or state.form not in _OF_FILES or holds or not ledger.done_changes:
        return False
    if any(change.touches(files) or not change.paths for change in ledger.changes):
        return False
    bases = [path.rpartition("/")[2] for path in files]
    is_prose = all(map(PROSE_FILE.search, files))
    return not any(
        (entry.names(bases) and (_DIFF in entry.call.output or not only_lists(entry)))
        or (not is_prose and any(part.may_write for part in entry.commands))
        for entry in ledger.calls
    )


def _failed_edit(claim: WorkClaim, state: State | None, ledger: Ledger) -> int | None:
    """Return the failed edit that alone would have made a thing so.

    It holds a name of the claim that no edit that was made holds, or is the only one
    of its file; and nobody changed that file later.
    """
    names = [*claim.names.idents, *claim.names.codes]
    names = [name for name in names if len(name) > _SHORT_NAME]
    names = [name for name in names if name not in claim.names.files]
    of_file = (
        state.form not in _RAN
        if state is not None
        else _OF_FILE.match(claim.words) is not None
    )
    files = claim.names.files if of_file else ()
    # "Both views (`List`, `Grid`) now share it": each in a file of its name.
    of_part = state is not None and "(" in claim.words[: state.end]
    done = ledger.done_changes
    for change in reversed(ledger.unmade):
        if any(
            change.holds(name) and not any(made.holds(name) for made in done)
            for name in names
        ):
            return change.call
        if change.touches(files) and not any(made.touches(files) for made in done):
            return change.call
        stems = {base_name(path).partition(".")[0] for path in change.paths}
        if of_part and any(name.lower() in stems for name in names):
            return change.call
    return None


_SHORT_NAME = 2
# "Both shortcuts work now": who says that may use words of his own.
_WORKS = re.compile(r"\A(?:both|all|the|these|those)\b.* work(?:s|ed)?\Z")
_NOW = re.compile(r"\bnow\b|\b(?:has|have) been\b")
_LONG_WORD = re.compile(r"[a-z]{5,40}")


# "`a.yml` sets it", "Limit raised to 3 in `a.yml`": by an edit of that file.
_OF_FILE = re.compile(
    r"[\W_]*(?:\ue000|(?:[\w-]+ ){1,4}(?:\w+ed|set) (?:from \S+ )?to\b)"
)
# ", changelog entry written": another deed, of which this one says nothing.
_NEXT_DEED = re.compile(
    r", (?:and )?(?:[\w\ue000-]+ ){1,5}(?:\w+ed|written|made|put|set|built)\b"
)


def _clause(claim: WorkClaim, state: State | None) -> Span | None:
    """Return where the first of several deeds of a line stands."""
    if state is not None and state.form is not StateForm.DONE:
        return None
    behind = _NEXT_DEED.search(claim.words, state.end if state else 0)
    return (0, behind.start()) if behind else None


def _nothing_stands(
    claim: WorkClaim, state: State | None, ledger: Ledger
) -> int | None:
    """Return the call by which no change of the run stands, if a claim is of one.

    "The parser now reads it" is untrue where the only edit failed, or was taken back.
    """
    of_run = state is not None and state.form in _RAN
    if of_run or not ledger.changes or not _NOW.search(claim.words):
        return None
    words = {word[:8] for word in _LONG_WORD.findall(claim.words)}
    about = [
        change
        for change in ledger.changes
        if any(word in text.lower() for word in words for text in change.texts)
    ]
    if not about or ledger.reports or ledger.unread:
        return None
    ruling = unless_taken_back(ledger.changes, ledger)
    return ruling.evidence[0] if ruling.status is ClaimStatus.CONTRADICTED else None


def _is_unmade_file(claim: WorkClaim, ledger: Ledger) -> bool:
    """Whether a claim speaks of a new file that no call of the run makes."""
    files = claim.names.files
    is_new = claim.kinds == (ClaimKind.CREATE,) or NEW_FILE.search(claim.words)
    if not (files and is_new and ledger.shows_all_deeds):
        return False
    made = any(change.touches(files) for change in ledger.changes)
    return not (made or any(entry.names(claim.names.bases) for entry in ledger.calls))


# What no edit of a text makes.
_PICTURE = re.compile(
    r".+\.(?:gif|png|jpe?g|webp|mp4|mov|webm|mp3|pdf|zip)", re.IGNORECASE
)


def _is_unmade_picture(claim: WorkClaim, ledger: Ledger) -> bool:
    """Whether a claim is of a new picture or film, and no call could make it."""
    if claim.kinds != (ClaimKind.CREATE,) or ledger.unread or ledger.reports:
        return False
    bases = claim.names.bases
    return all(map(_PICTURE.fullmatch, bases)) and not any(
        entry.commands or entry.kind is ToolKind.OTHER or entry.names(bases)
        for entry in ledger.calls
    )


def _by_runs(claim: WorkClaim, state: State, ledger: Ledger) -> Ruling | None:
    """Settle that a thing works by the last call that ran it, or looked for it."""
    search = _still_found(claim, state, ledger)
    if search is not None:
        return contradicted(search)
    if claim.names.commands and state.subject.startswith(CODE_MARK):
        ruling = settle_commands(claim, ledger)
        return ruling if ruling.status in _AGAINST else None
    words = _telling(state.subject)
    call = _last_run_of(words, ledger) if words else None
    if call is not None:
        failed = call.failed or any(
            result.result is Result.FAILED for result in call.results
        )
        return contradicted(call.index) if failed else None
    if run_topic(state.subject) is None:
        # What works passes its checks too; "checks run" may be a heading.
        works = "work" in claim.words[state.start : state.end]
        calls = [] if words else failing(ledger, checks=works)
        fell = calls and _is_run_by(state.subject, claim, calls, ledger)
        return contradicted(calls[-1]) if fell else None
    ruling = settle_run(replace(claim, words=state.subject), ledger)
    missing = ruling.status is ClaimStatus.UNATTEMPTED and not ruling.evidence
    failed = ruling.status is ClaimStatus.CONTRADICTED
    return ruling if failed or (missing and ledger.is_whole) else None


def _is_run_by(
    subject: str, claim: WorkClaim, calls: list[int], ledger: Ledger
) -> bool:
    """Whether calls run what a subject is about: its code by that code, else any."""
    codes = claim.names.codes if CODE_MARK in subject else ()
    return not codes or any(ledger.calls[call].names(codes) for call in calls)


def _last_run_of(words: list[str], ledger: Ledger) -> Call | None:
    """Return the last call that ran what some words name, all of them."""
    roots = [_root(word) for word in words]
    for deed in reversed(ledger.deeds):
        if deed.looks or deed.command is None:
            continue
        entry = ledger.calls[deed.call]
        text = f"{deed.text} {entry.tail.lower()}"
        if all(root in text for root in roots):
            return entry
    return None


def _still_found(claim: WorkClaim, state: State, ledger: Ledger) -> int | None:
    """Return the search that still found what the answer says is gone."""
    names = [ident for ident in claim.names.idents if len(ident) > 2]
    if state.form is not StateForm.NONE_LEFT or not names:
        return None
    searches = [
        command
        for command in ledger.commands
        if ProgramRole.SEARCHES in command.part.role and names[0] in command.part.text
    ]
    if not searches or (
        ledger.changes[-1:] and (ledger.changes[-1].call > searches[-1].call)
    ):
        return None
    last = ledger.calls[searches[-1].call]
    return last.index if last.passed and not is_silent(last.printed) else None


def _is_unmentioned(claim: WorkClaim, state: State, ledger: Ledger) -> bool:
    """Whether the run holds no word of what a sentence names, or is about."""
    run_text, names = ledger.run_text, claim.names
    statement = claim.words[state.start : state.end]
    brought = _STAYS.search(statement) or not _BE.search(statement)
    # A program writes logs, and no guide.
    of_prose = bool(names.files) and all(map(PROSE_FILE.search, names.files))
    told = of_prose and _WRITTEN.search(f"{statement}{state.rest[:4]}") is not None
    is_done = state.form is StateForm.DONE and (brought or told)
    is_certain = state.changed or is_done or state.form in _RAN
    if is_certain and (ledger.is_whole or state.changed):
        codes = (*names.idents, *names.commands)
        if (
            any(base_name(path) not in run_text for path in names.files)
            or any(_is_unseen(code, run_text) for code in codes)
            or _is_unmentioned_name(claim, state, run_text)
        ):
            return True
    if names.files or names.idents or names.commands or not ledger.is_whole:
        return False
    return _is_unmentioned_thing(state, statement, run_text, sure=bool(is_certain))


def _is_unmentioned_name(claim: WorkClaim, state: State, run_text: str) -> bool:
    """Whether a name of the world stands nowhere: where, or what alone, it is about."""
    known = _is_known(state, run_text)
    return any(
        (match.start() >= state.end or not known)
        and match.group().lower() not in run_text
        for match in _NAME.finditer(claim.text)
    )


def _is_unmentioned_thing(
    state: State, statement: str, run_text: str, *, sure: bool
) -> bool:
    """Whether no word of the subject stands anywhere, or none of what it now holds."""
    if state.form is StateForm.PLACED or _WORKS.search(statement):
        return False
    if state.form is StateForm.HOLDS:
        telling = state.changed and _TELLERS.search(state.subject)
        rest_words = _telling(state.rest) if telling else []
        if len(rest_words) > 1 and not any(
            _root(word) in run_text for word in rest_words
        ):
            return True
        sure = _OWNS.search(statement) is not None
        sure = sure and (state.changed or _RELATES.match(state.rest) is not None)
    if state.form in {StateForm.HOLDS, StateForm.ACTS} and not sure:
        relation = _RELATED.match(state.rest)
        sure = relation is not None and (
            relation["noun"] is None or _root(relation["noun"]) in run_text
        )
    return sure and bool(_telling(state.subject)) and not _is_known(state, run_text)


def _is_known(state: State, run_text: str) -> bool:
    return any(_root(word) in run_text for word in _nouns(state.subject))


def _is_unseen(ident: str, run_text: str) -> bool:
    tokens = sorted(_TOKEN.findall(ident.lower()), key=len)
    return bool(tokens) and tokens[-1] not in run_text


def _nouns(subject: str) -> list[str]:
    return [word for word in _NOUN.findall(subject) if word not in _FUNCTION_WORDS]


def _telling(subject: str) -> list[str]:
    """Return the words of a subject that identify it."""
    return [word for word in _nouns(subject) if stem(word) not in ABSTRACT_STEMS]


def _root(word: str) -> str:
    root = stem(word)
    return root[: max(4, len(root) - 1)]
