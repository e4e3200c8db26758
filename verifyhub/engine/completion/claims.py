"""Find the sentences of an answer that say that work was done."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise, takewhile
from operator import attrgetter

from verifyhub.engine.completion.languages import LANGUAGES
from verifyhub.engine.completion.languages.english import (
    OFFERED,
    bare_deed,
    done_deed,
    find_english,
    kind_of,
    own_check,
    standing,
)
from verifyhub.engine.completion.languages.model import (
    BUILDERS,
    FILE_KINDS,
    FORMATTERS,
    LINTERS,
    RUN_KINDS,
    TEST_TOOLS,
    TYPE_CHECKERS,
    ClaimKind,
    ClaimWord,
)
from verifyhub.engine.completion.languages.outcomes import finder_named
from verifyhub.engine.completion.languages.status_lines import (
    ticked_status,
    verdict_label,
)
from verifyhub.engine.completion.lists import (
    act_in_file,
    committed_item,
    is_only_code,
    listed_command,
    listed_file,
    lists_of,
    titled_deed,
)
from verifyhub.engine.completion.names import Names, file_titled, names_in
from verifyhub.engine.completion.segments import Sentence, lowered
from verifyhub.engine.types import Span

# The text below such a heading quotes a document and reports no work of this run.
_DOCUMENT_HEADING = re.compile(r"\b(?:changelog|release notes|unreleased)\b")
# There "all tests pass" is a wish; past tense remains a report.
_PLAN_HEADING = re.compile(
    r"\b(?:next steps?|recommend\w*|suggest\w*|to-?do|proposed|proposal|test plan"
    r"|acceptance|success criteria|definition of done|how to|план|следующие шаги"
    r"|étapes suivantes|nächste schritte|próximos pasos)\b"
)
# The lines below such a heading explain how something works, not who did it.
_EXPLAINING = re.compile(
    r"\bhow\b[^.:]{0,60}\bworks?\b|\bworks as follows\b|\bwhat happens (?:when|if|on)\b"
)
_WENT_WELL = re.compile(
    r"\b(?:cleanly|successfully|passe[sd]|clean"
    r"|without (?:any |an? )?(?:errors?|issues?|problems?|warnings?|failures?)"
    r"|no (?:errors?|issues?|problems?|warnings?)"
    r"|sans (?:erreur|problème)|ohne (?:fehler|befund)|fehlerfrei|erfolgreich"
    r"|sin (?:errores"
    r"|problemas)|успешно|без ошибок)\b"
)
_EXPLANATION = re.compile(
    r"\s[-–—]\s|\bso that\b"
    r"|\bthat (?:shows?|showed|prints?|printed|outputs?|reproduced?)\b"
    r"|\bwhich\b|\binstead of\b|\bbecause\b|\bsince\b"
)
_EARLIER = re.compile(
    r"\b(?:before (?:the|my|these|those) (?:final |last |latest )?(?:edits?|changes?)"
    r"|before (?:i|we) (?:started|began|changed|touched|edited|made)"
    r"|at that point|earlier|previously|at the time)\b"
)
_FINAL = re.compile(r"\bfinal (?:code|state|version)\b")
_RUN_OBJECTS: tuple[tuple[ClaimKind, re.Pattern[str]], ...] = (
    (ClaimKind.LINT, re.compile(r"\b(?:lint\w*)\b|линтер")),
    (ClaimKind.TYPECHECK, re.compile(r"\btype[- ]?check\w*|проверк\w+ типов|typprüf")),
    (ClaimKind.FORMAT, re.compile(r"\bformatter\b")),
    (ClaimKind.BUILD, re.compile(r"\b(?:the|a|full|clean) build\b|сборк")),
    (ClaimKind.TESTS, re.compile(r"\b\w*tests?\b|\btestsuite|suite\b|тест|pruebas")),
)
# Words of English alone: French, German and Spanish share many others with it, so that
# "failed to build the compiler" would read as French for "the build compiles".
_ENGLISH_ONLY = re.compile(
    r"\b(?:the|to|and|of|that|this|with|would|did|were|is|it|its|are|from|where|which"
    r"|here|been|have|when|only|each|every|they|these|has|had|for|not)\b"
)
_NEVER_ENGLISH = re.compile(
    r"\b(?:ich|wir|habe|haben|der|das|den|ist|sind|wurden?|und|alle|mit|le|les|des|est"
    r"|sont|ont|ai|et|nous|el|los|las|se|he|todos|todas|está|están|del|por)\b"
)
# Says that the agent itself did it; a deed without an actor may be older.
OWN = re.compile(r"\b(?:i|we)(?:['’]ve| have)?\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkClaim:
    """One sentence that claims work: what kinds of it, and what it names.

    `kinds` are in the order of the sentence. `current`: it says how things are now, so
    that a run before the last edit does not show it. `soft`: a plan may be worded so.
    `went_well`: it says that what was run succeeded, not only that it was run. `parts`
    are the clauses of a compound claim, each with the names that stand in it. `listed`
    is the same for the claims of one list. `known`: its words are always of work.
    `state`: it only says how a thing is, not who did it. `at`: where its first word of
    work stands, in code points of the answer. `placed`: its file is the one
    that its list is about. `introduced`: names in the line that introduces its list.
    `label`: the check that a line marks as passed or done.
    """

    text: str
    span: Span
    kinds: tuple[ClaimKind, ...]
    names: Names
    words: str
    current: bool = False
    soft: bool = False
    went_well: bool = True
    listed: int = 0
    known: bool = True
    state: bool = False
    at: int = 0
    placed: bool = False
    introduced: tuple[str, ...] = ()
    label: str = ""
    parts: "tuple[WorkClaim, ...]" = ()

    @property
    def open(self) -> bool:
        """Whether its words are of no known form: only the run tells what it claims."""
        return self.state and self.soft and self.kinds == (ClaimKind.RUN,)


def is_planned(heading: str) -> bool:
    """Return whether what stands under a heading is a plan, or quotes a document."""
    return bool(_PLAN_HEADING.search(heading) or _DOCUMENT_HEADING.search(heading))


def find_claims(
    sentences: Iterable[Sentence], *, statements: bool = False
) -> Iterator[WorkClaim]:
    """Yield every claim of work done in the sentences of an answer, in order.

    Plans, conditions, questions, advice, quotes and admissions are left out.

    Args:
        sentences: The sentences.
        statements: Whether any sentence that says how named code is claims that.
    """
    for heading, below in groupby(sentences, key=attrgetter("heading")):
        if _DOCUMENT_HEADING.search(heading):
            continue
        planned = bool(_PLAN_HEADING.search(heading))
        for group in lists_of(tuple(below)):
            planned_list = planned and group[0].item
            claims = _claims_of(group, planned_list, statements=statements)
            if _EXPLAINING.search(group[0].intro):
                claims = (claim for claim in claims if _of_checks(claim))
            yield from claims


def _of_checks(claim: WorkClaim) -> bool:
    """Whether a claim tells how tests or other checks went, wherever it stands."""
    return claim.known and not claim.soft and RUN_KINDS.keys() >= set(claim.kinds)


def _claims_of(
    group: Sequence[Sentence], planned: bool, *, statements: bool
) -> Iterator[WorkClaim]:
    """Yield the claims of one list, or of what stands between two lists."""
    claims: Iterable[WorkClaim | None] = (
        _claim_in(sentence, plan=planned, statements=statements) for sentence in group
    )
    reports = False
    # Prose may be long, and is read no further than anybody asks.
    if not planned and any(sentence.item for sentence in group):
        claims = tuple(claims)
        claim_count = sum(
            claim is not None and not (claim.soft or claim.state) for claim in claims
        )
        reports = 2 * claim_count > len(group) - 1
    for at, (sentence, claim) in enumerate(zip(group, claims, strict=True)):
        if reports and (claim is None or claim.open):
            claim = _listed_deed(sentence) or claim
        if claim is not None:
            claim = _of_files_below(claim, group, at)
            yield replace(_in_its_file(claim, sentence), listed=group[0].span[0])


def _of_files_below(claim: WorkClaim, group: Sequence[Sentence], at: int) -> WorkClaim:
    """Return "Updated the guide:" as an edit of the files that alone stand below it."""
    sentence = group[at]
    introduces = sentence.item and sentence.text.endswith(":") and not claim.names
    if not introduces or not FILE_KINDS.issuperset(claim.kinds):
        return claim
    following = map(group.__getitem__, range(at + 1, len(group)))
    below = takewhile(
        lambda item: item.above.endswith(sentence.text) and is_only_code(item),
        following,
    )
    files = tuple(file for item in below for file in names_in(item, 0).files)
    return replace(claim, names=replace(claim.names, files=files), placed=bool(files))


def _in_its_file(claim: WorkClaim, sentence: Sentence) -> WorkClaim:
    """Return an edit as one of the file that the item stands under, if it has none."""
    file = file_titled(sentence.above) if sentence.above else None
    edits = FILE_KINDS.issuperset(claim.kinds) and not claim.parts
    if file is None or not edits or claim.names.files or claim.names.commands:
        return claim
    return replace(claim, names=replace(claim.names, files=(file,)), placed=True)


def _listed_deed(sentence: Sentence) -> WorkClaim | None:
    """Read an item as a deed without a subject, where most others report work."""
    if not sentence.item:
        return None
    text = lowered(sentence.masked)
    word = bare_deed(text)
    if word is None and act_in_file(sentence, text):
        word = ClaimWord(ClaimKind.EDIT, 0, 0, soft=True)
    return _claim(sentence, text, [word]) if word else None


def _claim_in(sentence: Sentence, *, plan: bool, statements: bool) -> WorkClaim | None:
    text = lowered(sentence.masked)
    listed = listed_command(sentence, text)
    if listed is not None:
        return None if plan else _claim(sentence, text, [listed])
    for find in LANGUAGES:
        items = sorted(
            (item for item in find(text) if not (plan and item.result)),
            key=lambda item: item.start,
        )
        if items and (find is find_english or not _is_english(text)):
            claim = _claim(sentence, text, items)
            if claim is not None:
                return _with_label(claim, sentence)
            break
    if plan:
        return None
    step = done_deed(text, ticked=sentence.ticked)
    if step is None and sentence.ticked and (passed := ticked_status(text)):
        return _claim(sentence, text, passed)
    if step is None:
        stands = standing(text, statements=statements)
        if stands and stands.kind is not ClaimKind.RUN:
            claim = _claim(sentence, text, [stands])
            state = _with_label(claim, sentence) if claim else None
        else:
            state = None
        return (
            _titled(sentence, text)
            or _listed_file(sentence, text)
            or state
            or _open(sentence, text, label=_label_of(text, sentence), asked=stands)
        )
    claim = _claim(sentence, text, [step[0]])
    return _with_label(replace(claim, words=step[1]), sentence) if claim else None


def _open(
    sentence: Sentence, text: str, *, label: str, asked: ClaimWord | None
) -> WorkClaim | None:
    """Read a line of no known form that the run may contradict, or lacks all words of.

    `label` is the check of any kind that it tells of; `asked`: it has a figure, or says
    that something went well.
    """
    if not (label or asked):
        return None
    return WorkClaim(
        text=sentence.text,
        span=sentence.span,
        kinds=(ClaimKind.RUN,),
        names=Names(codes=sentence.codes),
        words=text,
        soft=True,
        known=False,
        state=True,
        label=label,
    )


_LABELLED = {(ClaimKind.RUN,), (ClaimKind.OTHER,)}


def _with_label(claim: WorkClaim, sentence: Sentence) -> WorkClaim:
    if claim.kinds not in _LABELLED or claim.names.commands:
        return claim
    return replace(claim, label=_label_of(claim.words, sentence))


def _label_of(text: str, sentence: Sentence) -> str:
    marked = verdict_label(text, ticked=sentence.ticked) or own_check(text)
    return marked or finder_named(text)


def _titled(sentence: Sentence, text: str) -> WorkClaim | None:
    """Read an item whose deed stands in the line over its list."""
    committed = committed_item(sentence, text)
    if committed is not None:
        return _claim(sentence, text, [committed])
    verb = titled_deed(sentence)
    if verb is None:
        return None
    kind = kind_of(verb, text) or ClaimKind.EDIT
    claim = _claim(sentence, text, [ClaimWord(kind, 0, 0, soft=True)])
    return replace(claim, words=f"{verb} {text}") if claim else None


_GONE_TITLE = re.compile(r"\W*(?:files? )?(?:removed|deleted)(?: files?)?\W*\Z")


def _listed_file(sentence: Sentence, text: str) -> WorkClaim | None:
    """Read an item that names a file and says what is new there."""
    parts = listed_file(sentence, text)
    if parts is None:
        return None
    only, words = parts
    is_deleted = _GONE_TITLE.search(sentence.intro or sentence.heading)
    return WorkClaim(
        text=sentence.text,
        span=sentence.span,
        kinds=(ClaimKind.DELETE if is_deleted else ClaimKind.EDIT,),
        names=replace(names_in(only, 0), idents=()),
        words=words,
        soft=True,
    )


def _is_english(text: str) -> bool:
    return len(_ENGLISH_ONLY.findall(text)) > len(_NEVER_ENGLISH.findall(text))


def _claim(sentence: Sentence, text: str, items: list[ClaimWord]) -> WorkClaim | None:
    names = names_in(sentence, _said_until(text, items))
    if not names.commands and any(map(TEST_NAME.fullmatch, names.codes[:1])):
        # "`TestEvict` passes" is a result of tests.
        items = [
            replace(item, kind=ClaimKind.TESTS, needs_command=False)
            if item.kind is ClaimKind.RUN and item.result
            else item
            for item in items
        ]
    items = [
        item
        for item in items
        if (names.commands or not item.needs_command)
        and (names.files or _DOCUMENT.search(text) or not item.needs_file)
    ]
    items = [item for item in items if item.known or not _is_within(item, items)]
    if names.commands:
        items = [item for item in items if not _is_of_commands(item, text)] or items
    if not items:
        return None
    kinds = list(dict.fromkeys(item.kind for item in items))
    if kinds == [ClaimKind.TESTS]:
        kinds = _checks_listed(text) or kinds
    said = _said(text, items)
    went_well = any(item.result for item in items) or bool(_WENT_WELL.search(text))
    current = any(item.current for item in items) or bool(_FINAL.search(text))
    if ClaimKind.RUN in kinds:
        kinds = _resolve_run(kinds, text, names)
    return WorkClaim(
        parts=tuple(_parts(sentence, text, items)) if _is_compound(items) else (),
        text=sentence.text[:said],
        span=(sentence.span[0], sentence.span[0] + said),
        kinds=tuple(kinds),
        names=names,
        words=text,
        current=current and not _EARLIER.search(text),
        soft=all(item.soft for item in items),
        known=any(item.known for item in items),
        state=all(item.state for item in items),
        at=sentence.span[0] + min(item.start for item in items),
        went_well=went_well,
        introduced=sentence.introduced,
    )


# What is a file without its name.
_DOCUMENT = re.compile(r"\A\W*(?:readme|changelog|(?:the )?release notes)\b")
# A test, or a file of tests, by its name.
TEST_NAME = re.compile(
    r"test_\w{2,80}|Test[A-Z]\w{1,80}|\w{2,80}(?:Tests?|Spec|_test|_spec)"
    r"|[\w./-]{0,120}(?:test|spec)[\w-]{0,40}\.\w{1,5}(?:::[\w:.-]{1,80})?"
)


def _is_within(item: ClaimWord, others: list[ClaimWord]) -> bool:
    """Whether the word of an unknown deed is part of a wording that is known."""
    return any(
        other.known and other.start <= item.start and item.end <= other.end
        for other in others
    )


# "All checks pass (fmt, lint, tests)": each of these.
_CHECKS_LISTED = re.compile(r"\bchecks?\b[^()]{0,30}\(([^()]{3,100})\)")
_CHECKS = tuple(
    (kind, re.compile(rf"(?:{topic})(?:[ :-][\w:-]+)?"))
    for kind, topic in (
        (ClaimKind.FORMAT, rf"fmt|format\w*|{FORMATTERS}"),
        (ClaimKind.LINT, rf"lint\w*|{LINTERS}"),
        (ClaimKind.TYPECHECK, rf"type[- ]?check\w*|types|{TYPE_CHECKERS}"),
        (ClaimKind.BUILD, rf"build|compile|{BUILDERS}"),
        (ClaimKind.TESTS, rf"(?:unit |all )?tests?|{TEST_TOOLS}"),
    )
)


def _checks_listed(text: str) -> list[ClaimKind]:
    """Return the kinds of the checks in the list of them; empty if one is unknown."""
    listed = _CHECKS_LISTED.search(text)
    names = re.split(r",(?: and)? ?| (?:and|\+|&) ", listed[1]) if listed else []
    kinds = [
        next((kind for kind, topic in _CHECKS if topic.fullmatch(name.strip())), None)
        for name in names
    ]
    return [] if None in kinds else list(dict.fromkeys(filter(None, kinds)))


# "`terraform fmt` and `terraform validate` both pass": the commands do, not tests.
_ALL_OF_THEM = re.compile(r"(?:all|both|they|everything)\b(?!.*\btests?\b)")


def _is_of_commands(item: ClaimWord, text: str) -> bool:
    phrase = text[item.start : item.end]
    return item.kind is ClaimKind.TESTS and bool(_ALL_OF_THEM.match(phrase))


def _is_compound(items: list[ClaimWord]) -> bool:
    """Whether a sentence claims several things, or that several went well."""
    kinds = {item.kind for item in items}
    return len(kinds) > 1 or sum(item.result for item in items) > 1


_BETWEEN = re.compile(
    r"[;,—–|]\s|\b(?:and|but|then|und|aber|et|mais|y|pero|и|но)\b|\s-\s"
)


def _parts(
    sentence: Sentence, text: str, items: list[ClaimWord]
) -> Iterator[WorkClaim]:
    """Yield the clauses of a compound claim; nothing where it has only one.

    A clause ends where the last conjunction before the next claim's word stands. What
    has none between them ("tests and lint pass") is one.
    """
    cuts = [0]
    for item, next_item in pairwise(items):
        between = list(
            _BETWEEN.finditer(text, item.end, max(item.end, next_item.start))
        )
        if between:
            cuts.append(between[-1].end())
    ends = [*cuts[1:], len(text)]
    files: tuple[str, ...] = ()
    # "`cart.py`: renamed `a`; added `b`": all of it is of that file.
    of_file = _FILE_FIRST.match(sentence.masked) is not None
    for begin, end in zip(cuts, ends, strict=True) if len(cuts) > 1 else ():
        clause_items = [
            replace(item, start=item.start - begin, end=min(item.end, end) - begin)
            for item in items
            if begin <= item.start < end
        ]
        offset = sentence.span[0]
        clause = replace(
            sentence,
            text=sentence.text[begin:end],
            span=(offset + begin, offset + end),
            prose=sentence.prose[begin:end],
        )
        part = _claim(clause, text[begin:end], clause_items) if clause_items else None
        if part is None:
            continue
        goes_on = part.kinds == (ClaimKind.RUN,) and _RAN_IT.search(part.words)
        if goes_on or (of_file and not part.names.files):
            part = replace(part, names=replace(part.names, files=files))
        files = part.names.files
        yield part


_FILE_FIRST = re.compile(r"\W*\ue000+\W{0,3}[:—–-]\s")
# "Wrote `a.sh` and ran it."
_RAN_IT = re.compile(r"\b(?:re-?)?(?:ran|executed) (?:it|them)\b")


def _said_until(text: str, items: list[ClaimWord]) -> int:
    """Return where the claim ends and its explanation begins.

    "Removed the cap - it now uses `size`": the edit need not hold `size`.
    """
    explained = _EXPLANATION.search(text, items[-1].end)
    return explained.start() if explained else len(text)


# What is no part of the claim: "(not pushed)", "…, which parses dates".
_UNSAID = re.compile(
    r"\((?:not|nothing|no \w+ yet|before|was|were|previously)\b[^()]{1,80}\)\W*\Z"
    r"|, which (?!(?:i|we|is|are|was|were|has|have|all|now)\b)[^;]{1,400}\Z|"
    + OFFERED.pattern
)


def _said(text: str, items: list[ClaimWord]) -> int:
    """Return where the words end that claim work, and an admission or use begins."""
    last = max(item.end for item in items)
    unsaid = _UNSAID.search(text, last)
    return len(text[: unsaid.start()].rstrip()) if unsaid else len(text)


# These are no test suites, whatever they are called.
_OTHER_TESTS = re.compile(
    r"\b(?:load|stress|soak|smoke|sanity|performance)[ -](?:tests?|runs?|checks?)\b"
    r"|\bcoverage\b"
)


def _resolve_run(kinds: list[ClaimKind], text: str, names: Names) -> list[ClaimKind]:
    """Return what was run: "ran the linter" is a lint claim.

    A command that the sentence names stays a run; "ran it, all tests pass" is settled
    by its result alone.
    """
    if names.commands:
        return kinds
    other_kinds: list[ClaimKind] = [kind for kind in kinds if kind is not ClaimKind.RUN]
    if _OTHER_TESTS.search(text):
        return kinds
    for kind, pattern in _RUN_OBJECTS:
        if pattern.search(text):
            return list(dict.fromkeys([*other_kinds, kind]))
    return other_kinds if RUN_KINDS.keys() & set(other_kinds) else kinds
