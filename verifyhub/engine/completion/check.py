"""Check the claims of work done in an answer against what the run really did."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count, groupby, islice
from typing import TypeAlias

from verifyhub.engine.calls.states import CallState
from verifyhub.engine.completion.actions.claims import (
    ActionClaim,
    action_claims,
    serves,
)
from verifyhub.engine.completion.actions.settle import settle_action
from verifyhub.engine.completion.actions.unread_claims import unread_claims
from verifyhub.engine.completion.claims import WorkClaim, find_claims, is_planned
from verifyhub.engine.completion.deeds import (
    DEEDS,
    MOVES_BRANCH,
    settle_other,
    settle_part_of_commit,
)
from verifyhub.engine.completion.edits import settle_edit
from verifyhub.engine.completion.failed_deeds import FailedDeeds
from verifyhub.engine.completion.fixes import SAW_FAIL, settle_failure, settle_fix
from verifyhub.engine.completion.git_status import by_git_status, by_size_of_commit
from verifyhub.engine.completion.languages.english_reports import ARTEFACT
from verifyhub.engine.completion.languages.model import FILE_KINDS, RUN_KINDS, ClaimKind
from verifyhub.engine.completion.left_over import left_over
from verifyhub.engine.completion.looks import settle_look
from verifyhub.engine.completion.pipelines import settle_labelled
from verifyhub.engine.completion.printed_figures import compare_figures
from verifyhub.engine.completion.printed_words import compare_printed
from verifyhub.engine.completion.ruling import (
    Ruling,
    contradicted,
    unattempted,
    unchecked,
    unless_shown,
    worst,
    worst_of,
)
from verifyhub.engine.completion.run_words import by_failed_run, by_label
from verifyhub.engine.completion.runs import (
    settle_commands,
    settle_kind,
    settle_run,
    uses_program,
)
from verifyhub.engine.completion.segments import Sentence, sentences
from verifyhub.engine.completion.states import settle_state
from verifyhub.engine.ledger.ledger import Ledger
from verifyhub.engine.reports import ClaimStatus, CompletionClaim
from verifyhub.engine.types import Span

_RESULTS = frozenset({*RUN_KINDS, ClaimKind.RUN})
_OF_CHECKS = frozenset((kind,) for kind in RUN_KINDS)
# Claims of one answer that are settled; each may read the whole trace.
MOST_CLAIMS = 300
# Sentences of no known form that are held against the run.
MOST_OPEN = 300
# Claims of one answer that are listed, and sentences that are looked at for them; what
# stands behind is not searched.
MOST_LISTED = 2_000
MOST_SENTENCES = 20_000


@dataclass(frozen=True, slots=True)
class WorkRead:
    """The claims of work of an answer, settled.

    Attributes:
        claims: One entry for each sentence that claims work, in order.
        read_to: Where reading stopped, in code points; None where all was read.
    """

    claims: tuple[CompletionClaim, ...]
    read_to: int | None = None


def check_completion(answer: str, ledger: Ledger) -> tuple[CompletionClaim, ...]:
    """Return the claims of work done of an answer, settled; see `read_work`."""
    return read_work(answer, ledger).claims


def read_work(answer: str, ledger: Ledger) -> WorkRead:
    """Settle every claim of work done in an answer against what its tools did.

    Args:
        answer: What the agent says.
        ledger: What its tools show; nothing outside it is looked at.

    Returns:
        One entry per sentence that claims work, in order of the answer. A sentence
        with several claims ("tests and lint pass") has the status of its worst part;
        where that accuses, only the clauses that it is about are its text and span.
        `evidence` holds tool call indexes, the deciding call first. The grade is C for
        what a successful call's output shows and D for another agent's word. Where the
        ledger left calls unread, a claim may rest on those: none is settled.
    """
    all_sentences = tuple(islice(sentences(answer), MOST_SENTENCES + 1))
    actions = tuple(islice(action_claims(all_sentences, ledger), MOST_LISTED + 1))
    spans = {claim.span for claim in actions}
    opened = count()
    work = islice(
        (
            claim
            for claim in find_claims(all_sentences, statements=bool(ledger.unmade))
            if (not claim.soft or claim.state or ledger.changes)
            and (claim.known or ledger.calls)
            and claim.span not in spans
            and not _is_about_records(claim, ledger)
            and not (claim.open and next(opened) >= MOST_OPEN)
        ),
        MOST_LISTED + MOST_OPEN + 1,
    )
    found = list(work)
    open_claims = [claim for claim in found if claim.open]
    all_claims: list[WorkClaim | ActionClaim] = [
        *(claim for claim in found if not claim.open),
        *actions,
    ]
    claims = sorted(all_claims, key=lambda claim: claim.span)
    stops = [
        item.span[0]
        for item in (*all_sentences[MOST_SENTENCES:], *claims[MOST_LISTED:])
    ]
    claims = claims[:MOST_LISTED]
    settled = 0 if ledger.unread else MOST_CLAIMS
    # What has no known form takes no place of what has.
    asked = [*claims[:settled], *(() if ledger.unread else open_claims)]
    asked.sort(key=lambda claim: claim.span)
    ruled = [(claim, _ruled(claim, ledger)) for claim in asked]
    items = {sentence.span for sentence in all_sentences if sentence.item}
    results = [
        _result(claim, _unless_unrecorded(part, ledger))
        for claim, ruling in _unless_listed(
            tuple(_in_other_words(ruled, items, ledger))
        )
        if ruling is not None
        for part in (ruling, *ruling.others)
    ]
    if settled:
        told = list(_by_failed_deeds(all_sentences[:MOST_SENTENCES], results, ledger))
        places = {result.span[0] for result in told}
        results = [result for result in results if result.span[0] not in places]
        results = sorted([*results, *told], key=lambda result: result.span)
    if serves(ledger) and settled:
        results += unread_claims(all_sentences, ledger, results)
        results.sort(key=lambda result: result.span)
    unsettled = [_result(claim, unchecked()) for claim in claims[settled:]]
    return WorkRead(tuple(results + unsettled), min(stops, default=None))


def _by_failed_deeds(
    all_sentences: Sequence[Sentence],
    results: Sequence[CompletionClaim],
    ledger: Ledger,
) -> Iterator[CompletionClaim]:
    """Yield what else an answer tells of deeds that failed or were taken back."""
    failed = FailedDeeds(ledger)
    if not failed:
        return
    settled = {
        result.span[0]
        for result in results
        if result.status is not ClaimStatus.UNCHECKED
    }
    for sentence in all_sentences:
        if sentence.span[0] in settled or is_planned(sentence.heading):
            continue
        told = failed.settle(sentence)
        if told is not None:
            kind, ruling = told
            first, last = ruling.place or (0, len(sentence.text))
            yield CompletionClaim(
                text=sentence.text[first:last],
                span=(sentence.span[0] + first, sentence.span[0] + last),
                kind=str(kind),
                status=ruling.status,
                evidence=ruling.evidence,
                grade=ruling.grade,
            )


_Ruled: TypeAlias = tuple[WorkClaim | ActionClaim, Ruling | None]


_NOT_SETTLED = frozenset({ClaimStatus.UNATTEMPTED, ClaimStatus.UNCHECKED})


def _in_other_words(
    ruled: Sequence[_Ruled], items: Collection[Span], ledger: Ledger
) -> Iterator[_Ruled]:
    """Look once more at deeds that no call did, knowing what other sentences tell.

    The items of a list may detail a deed that a sentence before the list tells of.
    """
    told, told_in_items = set[int](), set[int]()
    for claim, ruling in ruled:
        if ruling is not None and ruling.status is ClaimStatus.SUPPORTED:
            (told_in_items if claim.span in items else told).update(ruling.evidence)
    items_before = set[int]()
    for claim, ruling in ruled:
        is_item = claim.span in items
        missing = ruling is not None and ruling.status in _NOT_SETTLED
        if missing and isinstance(claim, ActionClaim):
            of_items = told_in_items if is_item else items_before
            ruling = settle_action(claim, ledger, told | of_items)
        elif is_item and ruling is not None and ruling.status is ClaimStatus.SUPPORTED:
            items_before.update(ruling.evidence)
        yield claim, ruling


# Kinds of claims that are about records where a run has no files.
_ANY_OBJECT = FILE_KINDS | {ClaimKind.SEND, ClaimKind.OTHER}


def _is_about_records(claim: WorkClaim, ledger: Ledger) -> bool:
    """Whether the words of a claim are about records, in a run that has no files."""
    any_object = not claim.names and _ANY_OBJECT.issuperset(claim.kinds)
    return (any_object or claim.open) and serves(ledger)


def _ruled(claim: WorkClaim | ActionClaim, ledger: Ledger) -> Ruling | None:
    """Return the ruling on a claim; None where it states a fact of a record."""
    if isinstance(claim, ActionClaim):
        return settle_action(claim, ledger)
    shown = by_git_status(claim, ledger) or by_size_of_commit(claim, ledger)
    ruling = shown or _by_form(claim, ledger)
    if shown or (ruling is not None and ruling.status in _ACCUSING):
        return ruling
    refuted = compare_figures(claim, ruling, ledger)
    if refuted is None and (ruling is None or ruling.status in _NOT_SETTLED):
        of_run = claim.open or claim.kinds in _OF_CHECKS
        failed = by_failed_run(claim, ledger) if of_run else None
        refuted = failed or by_label(claim, ledger)
    return refuted or ruling


def _by_form(claim: WorkClaim, ledger: Ledger) -> Ruling | None:
    if claim.open:
        return None
    if claim.state and claim.kinds == (ClaimKind.COMMIT,):
        return settle_part_of_commit(claim, ledger)
    return settle_state(claim, ledger) if claim.state else settle(claim, ledger)


def settle(claim: WorkClaim, ledger: Ledger) -> Ruling:
    """Return what the ledger says of a claim: the worst of its parts."""
    if claim.parts:
        labelled = settle_labelled(claim, ledger)
        if labelled is not None:
            return labelled
        rulings = [_unless_vague(part, settle(part, ledger)) for part in claim.parts]
        return _of_parts(claim, _unless_written(claim, rulings))
    if ClaimKind.RUN in claim.kinds and (printed := compare_printed(claim, ledger)):
        return printed
    if claim.names.commands and _RESULTS.issuperset(claim.kinds):
        if _STOPPED.search(claim.words):
            return unchecked()
        # How the commands went is what is claimed; their labels say no more.
        ruling = settle_commands(claim, ledger)
        missing = ruling.status is ClaimStatus.UNATTEMPTED
        is_open = missing and not claim.known and not uses_program(claim, ledger)
        return unchecked() if is_open else ruling
    parts = [_settle_part(claim, kind, ledger) for kind in claim.kinds]
    return _by_its_command(claim, worst(parts), ledger) if parts else unattempted()


# "The full `npm test` run timed out": who admits that says nothing of its end.
_STOPPED = re.compile(
    r"(?:\brun|\ue000)\W{0,3}"
    r"(?:timed out|hung|crashed|was (?:killed|blocked|aborted))\b"
)
_ACCUSING = frozenset({ClaimStatus.CONTRADICTED, ClaimStatus.UNATTEMPTED})
# What stands between two parts belongs to neither.
_MARKS = " \t,;—–-"
# Another statement behind the last part: ", and a manual run printed 2".
_ANOTHER = re.compile(
    r"(?:,? and|, but|, after|;) (?=(?:an?|the|it|they|this|that|i|we) [a-z]"
    r"|[`A-Z][\w./`:-]{1,60} (?:is|are|has|have|was|were|gives?|finds?|reports?)\b)"
)
# A part is no shorter than this.
_SHORTEST = 12
_JOINTS = (" and", " but", " then")


def _of_parts(claim: WorkClaim, rulings: Sequence[Ruling]) -> Ruling:
    """Return the worst of the parts, at the accused ones where others stand."""
    parts = list(zip(claim.parts, rulings, strict=True))
    ruling = worst_of([(part.text, ruling) for part, ruling in parts])
    groups = [
        list(group)
        for accused, group in groupby(parts, lambda part: part[1].status in _ACCUSING)
        if accused
    ]
    if not groups or len(groups[0]) == len(parts):
        return ruling
    first, *others = [_of_group(claim, group) for group in groups]
    return replace(first, others=tuple(others))


def _of_group(claim: WorkClaim, group: Sequence[tuple[WorkClaim, Ruling]]) -> Ruling:
    """Return the worst of parts that stand one behind another, at their place."""
    ruling = worst_of([(part.text, ruling) for part, ruling in group])
    place = _place(claim, group[0][0].span[0], group[-1][0].span[1])
    return replace(
        ruling,
        place=place,
        parts=ruling.parts or (claim.text[slice(*place)].rstrip(".:"),),
    )


def _place(claim: WorkClaim, begin: int, end: int) -> Span:
    """Return where the words of some parts stand, without what joins them."""
    first, last = begin - claim.span[0], end - claim.span[0]
    first = last - len(claim.text[first:last].lstrip(_MARKS))
    behind = _ANOTHER.search(claim.text, first + _SHORTEST, last)
    last = behind.start() if behind else last
    words = claim.text[first:last].rstrip(_MARKS)
    for joint in _JOINTS:
        words = words.removesuffix(joint)
    return first, first + len(words.rstrip(_MARKS))


# Deeds that a command does which the claim may name: "Installed it with `npm i x`".
_BY_COMMAND = frozenset(
    {ClaimKind.INSTALL, ClaimKind.OTHER, ClaimKind.SEND, ClaimKind.CREATE}
)
# … and whatever it did, where the claim says so: "replaced via `gh repo …`".
_BY_WAY_OF = re.compile(
    r"\b(?:via|with|using|through|by (?:running|means of)) \W{0,2}\ue000"
)


def _by_its_command(claim: WorkClaim, ruling: Ruling, ledger: Ledger) -> Ruling:
    """Hold a deed against the command that the claim says did it."""
    by_way = _BY_WAY_OF.search(claim.words)
    if by_way and not claim.names.commands:
        return _unless_failed(claim, ruling, ledger)
    if not claim.names.commands or not (by_way or _BY_COMMAND.issuperset(claim.kinds)):
        return ruling
    by_command = settle_commands(replace(claim, went_well=True), ledger)
    decided = by_command.status in {ClaimStatus.SUPPORTED, ClaimStatus.CONTRADICTED}
    # Nothing else shows it, and the command that is said to have done it never ran.
    missing = by_way and by_command.status is ClaimStatus.UNATTEMPTED
    open_yet = missing and ruling.status is ClaimStatus.UNCHECKED
    return by_command if decided or open_yet else ruling


def _unless_failed(claim: WorkClaim, ruling: Ruling, ledger: Ledger) -> Ruling:
    """Contradict a deed by a part of a command that failed: "with `down 1`"."""
    parts = [code for code in claim.names.codes if " " in code]
    calls = [
        command.call
        for command in ledger.commands
        if any(part in command.part.text for part in parts)
    ]
    failed = bool(calls) and ledger.calls[calls[-1]].failed
    return contradicted(calls[-1]) if failed else ruling


def _unless_vague(part: WorkClaim, ruling: Ruling) -> Ruling:
    """Leave a part open that names nothing: "added `x` and fixed"."""
    missing = ruling.status is ClaimStatus.UNATTEMPTED
    vague = missing and not part.names and FILE_KINDS.issuperset(part.kinds)
    return unchecked() if vague else ruling


# "Updated `log.md` with the validation (2 of 2 tests passed)": what follows is written.
_WRITES = re.compile(r"\A\W*(?:i )?(?:updated|filled in|extended) [^;.]{0,80}? with\b")
_BRACKETED = re.compile(r"\([^()]{0,80}\b(?:pass|fail)(?:ed|es|ing)?\b")
_PROSE = (".md", ".txt", ".rst")


def _unless_written(claim: WorkClaim, rulings: Sequence[Ruling]) -> Sequence[Ruling]:
    """Hold what a text was updated with as the change of that text, and no more."""
    first = claim.parts[0]
    in_prose = bool(first.names.files) and first.names.files[0].endswith(_PROSE)
    writes = in_prose and FILE_KINDS.issuperset(first.kinds)
    if not (writes and _WRITES.search(claim.words)):
        return rulings
    return [
        rulings[0] if _BRACKETED.search(part.text) else ruling
        for part, ruling in zip(claim.parts, rulings, strict=True)
    ]


# Items of a list that the run must show before another one is missed.
_FEW_SHOWN = 2


def _unless_listed(settled: Sequence[_Ruled]) -> Iterator[_Ruled]:
    """Leave open what only a list of files tells: they may be of an earlier turn.

    Where this run shows most other items of that list, the list is of this run.
    """
    supported_items: Counter[int] = Counter()
    items: Counter[int] = Counter()
    for claim, ruling in settled:
        if isinstance(claim, WorkClaim) and ruling is not None:
            items[claim.listed] += 1
            supported_items[claim.listed] += ruling.status is ClaimStatus.SUPPORTED
    for claim, ruling in settled:
        if (
            isinstance(claim, WorkClaim)
            and ruling is not None
            and claim.soft
            and not ARTEFACT.match(claim.words)
            and claim.kinds in {(ClaimKind.EDIT,), (ClaimKind.DELETE,)}
            and ruling.status is ClaimStatus.UNATTEMPTED
            and not (
                supported_items[claim.listed] >= _FEW_SHOWN
                and 2 * supported_items[claim.listed] >= items[claim.listed]
            )
        ):
            ruling = unchecked(*ruling.evidence)
        yield claim, ruling


def _unless_unrecorded(ruling: Ruling, ledger: Ledger) -> Ruling:
    """Leave open what leans on a call of which neither output nor status was kept.

    Where those are few, the tools may have had nothing to say.
    """
    silent = ledger.share_unrecorded and any(
        not ledger.calls[index].is_recorded
        and ledger.calls[index].state is CallState.UNKNOWN
        for index in ruling.evidence
    )
    if ruling.status is ClaimStatus.SUPPORTED and silent:
        return unchecked(*ruling.evidence)
    return ruling


def _settle_part(claim: WorkClaim, kind: ClaimKind, ledger: Ledger) -> Ruling:
    if kind in RUN_KINDS:
        return settle_kind(claim, RUN_KINDS[kind], ledger)
    if kind in FILE_KINDS and not MOVES_BRANCH.search(claim.words):
        return _unless_left(claim, _settle_change(claim, kind, ledger), ledger)
    if kind is ClaimKind.RUN:
        return settle_run(claim, ledger)
    if kind is ClaimKind.OTHER and SAW_FAIL.search(claim.words):
        return settle_failure(claim, ledger)
    if kind is ClaimKind.OTHER and (look := settle_look(claim, ledger)):
        return look
    if _is_push(claim, kind):
        kind = ClaimKind.PUSH
    return DEEDS.get(kind, settle_other)(claim, ledger)


def _is_push(claim: WorkClaim, kind: ClaimKind) -> bool:
    """Whether something was sent to a remote: "Sent to `origin/main`."."""
    codes = claim.names.codes
    if kind is ClaimKind.SEND:
        return any(map(_REMOTE.match, codes))
    return kind is ClaimKind.OTHER and bool(_BACKED_UP.search(claim.words))


_REMOTE = re.compile(r"(?:origin|upstream)(?:/|\Z)")
_BACKED_UP = re.compile(
    r"\bbacked up (?:on|to) (?:the remote|origin|github|gitlab|bitbucket)\b"
)


def _settle_change(claim: WorkClaim, kind: ClaimKind, ledger: Ledger) -> Ruling:
    if any(map(_REMOTE.match, claim.names.codes[:1])) and _MOVED.search(claim.words):
        return DEEDS[ClaimKind.PUSH](claim, ledger)
    claim = replace(claim, names=claim.names.without(ledger.tool_names))
    if kind is ClaimKind.FIX:
        return settle_fix(claim, ledger)
    ruling = settle_edit(claim, kind, ledger)
    if ruling.status is ClaimStatus.UNATTEMPTED and kind is ClaimKind.EDIT:
        return unless_shown(ruling, _writing(claim, ledger))
    return ruling


# "`origin/main` moved from `5479151` to `7561d53`."
_MOVED = re.compile(r"\A\W*\ue000+\W* (?:was )?moved\b")
# "h-full items-center": what stands in code, whether or not it is marked as code.
_TOKEN = re.compile(r"(?<![\w/.-])[a-z]\w{0,40}(?:[-_]\w{1,40}){1,4}(?![\w/.])")


def _writing(claim: WorkClaim, ledger: Ledger) -> list[int]:
    """Return the changes that wrote at least two tokens of code that a claim tells."""
    tokens = set(_TOKEN.findall(claim.text)) if "-" in claim.text else set()
    if len(tokens) < _FEW_SHOWN:
        return []
    return [
        change.call
        for change in ledger.done_changes
        if sum(change.holds(token) for token in tokens) >= _FEW_SHOWN
    ]


def _unless_left(claim: WorkClaim, ruling: Ruling, ledger: Ledger) -> Ruling:
    """Contradict that all of something was changed where a call shows what is left."""
    if ruling.status in _ACCUSING:
        return ruling
    call = left_over(claim, ledger)
    return ruling if call is None else contradicted(call, *ruling.evidence)


# "`Form` is split in two, and the build works": of the first clause nothing is said.
_LEAD = re.compile(
    r"(, (?:and |but )?| and )(?:(?:the|all|both|its|a|an) )?"
    r"(?:[\w-]+ ){0,2}[^\w\s.,;]{0,120}\Z"
)
_STATES = re.compile(
    r"\b(?:is|are|was|were|has|have) (?!no\b)\w|[\w\ue000] [a-z]{3,20}(?<!s)s"
    r" (?:the|an?|its|it|\W?\ue000|only|on|in|to|for|with)\b"
)


def _behind_lead(claim: WorkClaim, ruling: Ruling) -> Ruling:
    """Leave out the clause before the accused one that states something else."""
    first, last = ruling.place or (0, len(claim.text))
    at = claim.at - claim.span[0]
    joint = _LEAD.search(claim.words, first, at) if first < at < last else None
    if joint is None or not _STATES.search(claim.words, first, joint.start()):
        return ruling
    place = (joint.end(1), last)
    return replace(ruling, place=place, parts=(claim.text[slice(*place)],))


def _result(claim: WorkClaim | ActionClaim, ruling: Ruling) -> CompletionClaim:
    kind = claim.kinds[0] if isinstance(claim, WorkClaim) else ClaimKind.ACTION
    if isinstance(claim, WorkClaim) and ruling.status in _ACCUSING:
        ruling = _behind_lead(claim, ruling)
    first, last = ruling.place or (0, len(claim.text))
    begin, end = claim.span
    return CompletionClaim(
        text=claim.text[first:last],
        span=(begin + first, begin + last) if ruling.place else (begin, end),
        kind=str(kind),
        status=ClaimStatus(ruling.status),
        evidence=ruling.evidence,
        grade=ruling.grade,
        parts=ruling.parts,
    )
