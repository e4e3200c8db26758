"""Hold any sentence that reports work against deeds that failed or were taken back.

Most runs repeat what failed. Where a run did not, whoever tells that the very thing is
so contradicts it, in whatever words: "`dev` on the remote points at `2dc121d`".
"""

import re
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, replace

from verifyhub.engine.calls.changes import CallChange, base_name
from verifyhub.engine.calls.deed_words import stem, stems
from verifyhub.engine.calls.programs import ProgramRole
from verifyhub.engine.calls.shell import SimpleCommand
from verifyhub.engine.calls.states import CallState
from verifyhub.engine.completion.languages.english import is_exempt, is_imperative
from verifyhub.engine.completion.languages.model import ClaimKind
from verifyhub.engine.completion.languages.outcomes import says_ill
from verifyhub.engine.completion.names import PROSE_FILE
from verifyhub.engine.completion.ruling import Ruling, contradicted
from verifyhub.engine.completion.run_words import clauses
from verifyhub.engine.completion.segments import Sentence, lowered
from verifyhub.engine.completion.taken_back import reset_after, undoing
from verifyhub.engine.ledger.ledger import Ledger
from verifyhub.engine.text.tokens import word_set

_WORD = re.compile(r"[^\W_]{3,60}")
_NAME = re.compile(r"[\w./-]{4,120}")
# Deeds that are looked at, the newest ones.
_MOST = 20
# Characters of one deed that are read.
_SIZE = 20_000
_EMPTY = word_set(
    """
    the and all both its your our their this that these those with for from into new now
    old also was were has have been are will one two three four five not but
    """
)


@dataclass(frozen=True, slots=True)
class _Telling:
    """How an answer tells of a command of git.

    `stems` are those of words for it beside the words of the command; `done` says in
    any of the five languages that it went well.
    """

    kind: ClaimKind
    stems: frozenset[str]
    done: re.Pattern[str] | None = None


_COMMANDS = {
    "push": _Telling(
        ClaimKind.PUSH,
        stems("push pushed remote origin upstream published commit commits branch"),
        re.compile(
            r"\b(?:pushed|gepusht|pouss[ée]e?s?|enviad[oa]s?|empujad[oa]s?"
            r"|(?:за|от)?пуш(?:ил|ен|нул)\w*)\b"
        ),
    ),
    "commit": _Telling(
        ClaimKind.COMMIT,
        stems("commit commits committed created"),
        re.compile(
            r"\b(?:committed|committet|commité[es]?|confirmad[oa]s?"
            r"|закоммичен\w*|закоммитил\w*|коммит (?:\w+ )?создан)\b"
        ),
    ),
    "merge": _Telling(ClaimKind.OTHER, stems("merge merged")),
    "cherry-pick": _Telling(ClaimKind.COMMIT, stems("commit commits cherry picked")),
    "tag": _Telling(ClaimKind.OTHER, stems("tag tagged release")),
}
_CHANGE = _Telling(ClaimKind.EDIT, frozenset())
_CHANGES = ProgramRole.RECORDS | ProgramRole.ROLLS_BACK | ProgramRole.MAKES
# Who tells what is wrong, or that nothing was done, does not tell that it is done.
_DEFECT = re.compile(
    r"\b(?:problems?|bugs?|issues?|caused?|causes|lack(?:s|ing|ed)?|wrong(?:ly)?"
    r"|instead of|nothing|none|den(?:y|ied)|declined|nichts|rien|nada|ничего"
    r"|unchanged|untouched|no (?:\w+ )?changes?|sin cambios|sans changements?"
    r"|ohne änderung\w*|unverändert|без изменений)\b"
)
# "The date has to lie after today", "Jemand wird Sie anrufen".
_NOT_YET = re.compile(
    r"\b(?:must|ha(?:s|ve) to|muss|müssen|doit|doivent|debe|deben|должн[аоы]|должен)\b"
    r"|\A[^\w\ue000]*no\b(?! longer)"
    r"|\bw(?:ird|erden) (?!jetzt|nun)[^.;]{0,60}[a-zäöüß]en\W*\Z"
)
# "Done.", "The implementation is complete and working.": of all that was done.
_ALL_DONE = re.compile(
    r"\W*(?:(?:it|that|this|everything|all"
    r"|the (?:\w+ )?(?:implementation|changes?|edit|fix|update|task|work|script|program"
    r"|code|solution))(?:['’]s| is| are)? (?:now )?(?:all )?)?"
    r"(?:done|fixed|works|working|applied|completed?|updated|finished|committed|pushed"
    r"|reverted|renamed|removed|changed|added|in place|ready)"
    r"(?: and (?:now )?(?:working|works|completed?|done|ready|pushed|committed))?"
    r"(?: now| as expected| correctly| successfully)?\W*"
)


@dataclass(frozen=True, slots=True)
class FailedDeed:
    """A deed that failed and was not repeated, or that was taken back.

    `call` is the one that failed or took it back; `names` and `own`, stems of words,
    stand in no deed that was done; `words` are the stems of all that it says.
    """

    call: int
    names: frozenset[str]
    own: frozenset[str]
    words: frozenset[str]
    telling: _Telling


class FailedDeeds:
    """The newest deeds of a run that failed or were taken back, and what was done."""

    def __init__(self, ledger: Ledger) -> None:
        back = _taken_back(ledger)
        failed = [(change.call, _text_of(change), _CHANGE) for change in ledger.unmade]
        failed += [
            (call, _text_of(ledger.done_changes[place]), _CHANGE)
            for place, call in back.items()
        ]
        failed += _failed_commands(ledger)
        undone = reset_after(ledger.commits, ledger)
        failed += [] if undone is None else [(undone, "", _COMMANDS["commit"])]
        # Who was refused talks of what was proposed.
        failed = [
            deed
            for deed in failed
            if ledger.calls[deed[0]].state is not CallState.REFUSED
        ]
        failed.sort(key=lambda deed: deed[:2])
        self._any_stands = len(back) < len(ledger.done_changes)
        done = _texts_done(ledger, back) if failed else []
        self._done = [_stems(text) for text in done]
        names = {name for text in done for name in _NAME.findall(text[:_SIZE])}
        words = frozenset[str]().union(*self._done)
        self._deeds = [
            FailedDeed(
                call,
                frozenset(_NAME.findall(text[:_SIZE])) - names,
                _stems(text) - words,
                _stems(text) | telling.stems,
                telling,
            )
            for call, text, telling in failed[-_MOST:]
        ]

    def __bool__(self) -> bool:
        return bool(self._deeds)

    def settle(self, sentence: Sentence) -> tuple[ClaimKind, Ruling] | None:
        """Contradict a sentence that tells of one of them as done, of its kind."""
        text = lowered(sentence.masked)
        is_report = not (is_exempt(text) or says_ill(text) or is_imperative(text))
        if not is_report or _DEFECT.search(text) or _NOT_YET.search(text):
            return None
        if _ALL_DONE.fullmatch(text):
            last = self._deeds[-1]
            ruling = contradicted(last.call)
            return None if self._any_stands else (last.telling.kind, ruling)
        words = _stems(sentence.text)
        bare = (name.strip(".") for name in _NAME.findall(sentence.text))
        names = set(filter(_CODE.fullmatch, bare))
        names |= {base_name(name) for name in names if _FILE.fullmatch(name)}
        for deed in reversed(self._deeds):
            telling, ruling = deed.telling, contradicted(deed.call)
            said = telling.done and telling.done.search(text)
            if said:
                place = next(
                    (first, min(last, len(sentence.text)))
                    for first, last in clauses(text)
                    if last > said.start()
                )
                return telling.kind, replace(ruling, place=place)
            if telling.stems and not words & telling.stems:
                continue
            tells = names & deed.names or self._shares(words, deed)
            if tells or (_IS_SO.search(text) and _is_only_of(deed, words)):
                return telling.kind, ruling
        return None

    def _shares(self, words: frozenset[str], deed: FailedDeed) -> bool:
        """Whether most of some words are of a deed, and of none that was done."""
        shared = len(words & deed.words)
        return bool(
            words & (deed.telling.stems or deed.own)
            and shared >= max(_FEWEST, _SHARE * len(words))
            and not any(len(words & done) >= shared for done in self._done)
        )


_FEWEST = 2
_SHARE = 0.6


def _is_only_of(deed: FailedDeed, words: frozenset[str]) -> bool:
    """Whether so many words stand in this deed alone that a sentence is about it."""
    own = len(words & deed.own)
    return own >= _FEWEST and own >= len(words) * (
        _MANY_OWN if own > _FEWEST else _MOST_OWN
    )


_MANY_OWN = 0.2
_MOST_OWN = 0.3
# How something is since a change, in the five languages.
_IS_SO = re.compile(
    r"\b(?:now|jetzt|nun|maintenant|désormais|dorénavant|ahora|теперь)\b"
    r"|\b(?:is|are|was|were|has been|have been) (?:\w+ )?\w{2,20}(?:ed|en)\b"
    r"|\b(?:wurde|wurden|ist|sind) (?:\w+ ){0,6}\w{3,20}(?:t|en)\b"
    r"|\b(?:a|ont) été\b|\b(?:ha|han) sido\b|\bse (?:ha|han)\b"
)
_FILE = re.compile(r".+/[^/]+\.\w{1,8}")
# A name of code, or a hash.
_CODE = re.compile(r".*[a-z\d][A-Z._/].*|.*[_\d].*")


def _text_of(change: CallChange) -> str:
    """Return the names of a change's files, and its text.

    A long report has words of all that was done in the run, and tells it from nothing.
    """
    names = tuple(map(base_name, change.paths))
    is_report = bool(names) and all(map(PROSE_FILE.search, names))
    if is_report and sum(map(len, change.texts)) > _LONGEST_NOTE:
        return " ".join(names)
    return " ".join((*names, *change.texts))


_LONGEST_NOTE = 1_500


def _taken_back(ledger: Ledger) -> Mapping[int, int]:
    """Return the places of the newest changes that git took back, with what did.

    A file that was made and deleted may have served its purpose.
    """
    calls = {command.call for command in ledger.rollbacks}
    changes = ledger.done_changes
    newest = range(max(0, len(changes) - _MOST), len(changes)) if calls else ()
    undone = ((place, undoing(changes[place], ledger)) for place in newest)
    return {place: call for place, call in undone if call is not None and call in calls}


def _texts_done(ledger: Ledger, back: Container[int]) -> list[str]:
    """Return what the changes say that stand, and the commands that went well."""
    return [
        *(
            _text_of(change)
            for place, change in enumerate(ledger.done_changes)
            if place not in back
        ),
        *(
            command.part.text
            for command in ledger.commands
            if not ledger.calls[command.call].went_wrong
        ),
    ]


def _failed_commands(ledger: Ledger) -> Iterator[tuple[int, str, _Telling]]:
    """Yield the commands that should change something and never went well."""
    last: dict[tuple[str, str], int] = {}
    # Of a chain the parts before the last one may have been done.
    failed: dict[int, SimpleCommand] = {}
    for command in ledger.commands:
        part = command.part
        if part.verb not in _COMMANDS:
            continue
        if not ledger.calls[command.call].went_wrong:
            last[part.program, part.verb] = command.call
        elif part.role & _CHANGES:
            failed[command.call] = part
    for call, part in failed.items():
        if last.get((part.program, part.verb), -1) < call:
            yield call, part.text, _COMMANDS[part.verb]


def _stems(text: str) -> frozenset[str]:
    words = set(_WORD.findall(text[:_SIZE].lower())) - _EMPTY
    return frozenset(map(stem, words))
