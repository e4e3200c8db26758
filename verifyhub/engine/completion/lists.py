"""Read the items of a list by what the list is: of changes, of checks, of steps.

Who lists the files of a change leaves the verb out ("`retry.go`: three attempts"), and
who lists checks leaves out that they passed. What stands above the list says it, and so
do the other items: the items of one list tell of one kind of thing.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from verifyhub.engine.calls.shell import split_command
from verifyhub.engine.completion.languages.english import find_english, kind_of
from verifyhub.engine.completion.languages.model import FILE_KINDS, ClaimKind, ClaimWord
from verifyhub.engine.completion.names import file_titled, names_in
from verifyhub.engine.completion.segments import CODE_MARK, Sentence, mask, mask_names

# An item that begins with a file tells what was done to it, below such a title. The
# group is the end of the name: `\W` takes what stands before it.
_FILE_FIRST = re.compile(
    r"\W*(\ue000)(?:\]\s*)?\W*(?:\([^()]{1,60}\)\W*)?"
    r"(?:[:—–]|-\s|with (?:the|an?) |(?:now |also )?[a-z]{2,20}s (?!\W*$))"
)
# "**Race condition** in `cache.py`", "retries are capped (`retry.go`)".
# A list of nothing but files, below "Removed" or "Files changed".
_FILE_ALONE = re.compile(r"\W*(\ue000)\W*(?:\([^()]{1,160}\)\W*)?\Z")
# "Phase 2: `docs/phase-2.md`".
_LABELLED = re.compile(r"[^\ue000:]{2,60}: \[?\W?(\ue000++)\W*+\Z")
_FILE_LAST = re.compile(r"[^\ue000]{3,160}? (?:in |\()(\ue000++)\W*+\Z")
# A list of changes, as its title says; no plan, question or description.
_CHANGES_TITLE = re.compile(
    r"\b(?:change[sd]?|edit(?:s|ed)?|modifi\w+|touched|updated?|updates|implement\w*"
    r"|fix(?:e[sd])?|added|created|done|did|completed|new files|recap|delivered"
    r"|removed|deleted|what (?:i|we|was)|изменени\w*|сделано"
    r"|geändert\w*|änderungen|modifi\w+"
    r"|cambios|changements)\b|\bfiles?\W+what\W*\Z"
)
_OPEN_TITLE = re.compile(
    r"\b(?:how|why|if|when|once|before|next|will|would|should|could|can|may|might|must"
    r"|need\w*|to|not|never|suggest\w*|recommend\w*|propos\w*|plan\w*|remaining|todo"
    r"|option\w*|require\w*|you|your|existing|relevant|related|possible|potential"
    r"|review|issue\w*|problem\w*|concern\w*|finding\w*|risk\w*|example\w*|current"
    r"|untouched|unchanged|uncommitted|pending|staged|request\w*|pr|commit\w*|upstream"
    r"|main|branch|theirs|user|why|root cause)\b|n['’]t\b|\?|#\d"
)
# What an item says of a file that was not changed, or changed by somebody else.
_NO_CHANGE = re.compile(
    r"\b(?:no|not|never|none|unchanged|untouched|already|existing|still|skipped|pending"
    r"|should|would|could|will|can|needs?|must|missing|todo|correct|fine|reviewed|read"
    r"|if|see|before|was|were|pre-existing|unrelated|committed)\b|n['’]t\b|[?❌✗✘⚠]"
)


def is_row(sentence: Sentence) -> bool:
    """Return whether a sentence is a row of a table."""
    return sentence.text.rstrip().endswith("|")


def listed_file(sentence: Sentence, text: str) -> tuple[Sentence, str] | None:
    """Return the part of an item that names the file that it says was changed.

    Args:
        sentence: An item of a list or a row of a table.
        text: It in lower case, masked.
    """
    title = title_of(sentence) or sentence.intro or sentence.heading
    lead = sentence.lead.lower()
    if not title and lead and _tells_of_changes(lead):
        title = lead
    if CODE_MARK not in sentence.masked or _is_open(title):
        return None
    titled = bool(title) and _tells_of_changes(title)
    if not (titled or (sentence.item and not title)):
        return None
    match = _FILE_FIRST.match(sentence.masked)
    if match is None and sentence.item:
        match = _FILE_LAST.match(sentence.masked)
    if match is None and titled and sentence.item:
        match = _FILE_ALONE.match(sentence.masked) or _LABELLED.match(sentence.masked)
    if match is None or _NO_CHANGE.search(text, match.end(1)):
        return None
    only = replace(
        sentence,
        text=sentence.text[: match.end(1)],
        prose=sentence.prose[: match.end(1)],
    )
    return (only, text[: match.end(1)]) if names_in(only, 0).files else None


_FIRST_WORD = re.compile(r"\W*([a-z-]{2,24})\b")


@lru_cache(maxsize=64)
def _is_open(title: str) -> bool:
    """Whether a title speaks of what is to be done, or of others' work.

    "Moved the guide to the new names:" tells where to.
    """
    first = _FIRST_WORD.match(title)
    if first and kind_of(first[1], "") in FILE_KINDS:
        title = title.replace(" to ", " ")
    return _OPEN_TITLE.search(title) is not None


@lru_cache(maxsize=64)
def _tells_of_changes(title: str) -> bool:
    """Whether a title, or the sentence above a list, says that files were changed."""
    if _CHANGES_TITLE.search(title):
        return True
    return any(
        word.kind in FILE_KINDS for word in find_english(mask_names(mask(title)))
    )


_ONLY_CODE = re.compile(r"[\W\ue000]*\Z")
# "The commit includes:": what stands below it was committed.
_COMMIT_TITLE = re.compile(
    r"\bcommit (?:includes|contains|covers|consists of)\W*\Z"
    r"|\bcommitted\b[^.;]{0,80} (?:that|which) (?:includes|contains|covers)\W*\Z"
    r"|\b(?:included|files|changes?) in (?:this|the) commit\W*\Z"
    r"|\Anew (?:[\w`/-]+ ){0,2}commits?\W*\Z"
    r"|\Acommitted(?: files| changes)?\W*\Z|\A(?:files|changes) committed\W*\Z"
)
# "Removed:" over names: each of them is what was removed.
_DEED_TITLE = re.compile(
    r"\W*(?:also |then |what (?:i|we) |i |we )?(removed|deleted|added|created|renamed"
    r"|moved|extracted|replaced|dropped)"
    r"(?: (?:files?|functions?|methods?|helpers?|tests?|types?|code|dead code))?\W*\Z"
)


def is_only_code(sentence: Sentence) -> bool:
    """Return whether a sentence is inline code and nothing else."""
    return CODE_MARK in sentence.prose and bool(_ONLY_CODE.match(sentence.prose))


def title_of(sentence: Sentence) -> str:
    """Return the words of the line over an item, in lower case, without marks."""
    return sentence.above.strip("*_# \t").lower()


def committed_item(sentence: Sentence, text: str) -> ClaimWord | None:
    """Read an item in the list of what a commit has."""
    if not (sentence.item and _COMMIT_TITLE.search(title_of(sentence))):
        return None
    match = _FILE_FIRST.match(sentence.masked) or _FILE_ALONE.match(sentence.masked)
    if match is None and CODE_MARK in sentence.masked:
        return None
    if match is None:
        # What else a commit has is as untrue as the commit, and no more.
        return ClaimWord(
            ClaimKind.COMMIT, 0, len(text), soft=True, known=False, state=True
        )
    if _NO_CHANGE.search(text, match.end(1)):
        return None
    return ClaimWord(ClaimKind.COMMIT, match.start(1), match.end(1))


def titled_deed(sentence: Sentence) -> str | None:
    """Return the verb that stands over a list of names: "Removed:"."""
    if not (sentence.item and _begins_with_name(sentence.masked)):
        return None
    match = _DEED_TITLE.match(title_of(sentence))
    return match[1] if match else None


# "Passes `id` to the list": what a file that was changed does now.
_ACTS = re.compile(
    r"[^\w\ue000]*(?:now )?[a-z]{2,19}(?<![su])s (?:[\w-]+ ){0,3}\W?\ue000"
)


def act_in_file(sentence: Sentence, text: str) -> bool:
    """Whether an item in the list of a file says what the code there does."""
    return bool(
        sentence.item
        and file_titled(sentence.above)
        and _ACTS.match(text)
        and not _NO_CHANGE.search(text)
    )


_NO_WORDS = re.compile(r"\W*")
_PARTS_FROM_NAME = frozenset(":—–(-")


def _begins_with_name(masked: str) -> bool:
    """Whether an item is a name in code, or has one before what it says of it."""
    marks = _NO_WORDS.match(masked)
    begin = marks.group() if marks else ""
    behind = begin[begin.rfind(CODE_MARK) + 1 :]
    alone = len(begin) == len(masked)
    return CODE_MARK in begin and (alone or not _PARTS_FROM_NAME.isdisjoint(behind))


# A list of bare commands is a report where what stands above it says so.
_SAYS_PASSED = re.compile(
    # Who lists checks as done, and does not say that one failed, says that they passed.
    r"\b(?:(?:checks?|tests?|validations?|verifications?) (?:run|done)|verified"
    r"|validated|checked|tested|passed|passes|passing|green|clean"
    r"|succeeded|all pass)\b"
)
_SAYS_RUN = re.compile(r"\b(?:i ran|we ran|ran|commands run|executed)\b")
_TITLE = re.compile(
    r"\W*(?:\w+ ){0,2}(?:verification|validation|checks|testing|tests|quality gates?)"
    r"(?: (?:done|results?|performed|summary))?\W*\Z"
)
_NO_REPORT = re.compile(
    r"\b(?:to (?:run|verify|test|check|validate)|how|you|please|should|would|will|can"
    r"|could|not|never|skipped|fail\w*|unable|remaining|still|must|need\w*|plan\w*"
    r"|(?:it|they|he|she|worker|subagent|agent) (?:also )?(?:ran|did|executed|used)"
    r"|if|once|when|before|next|suggest\w*|recommend\w*|example)\b|n['’]t\b|\?"
)
_OPTION = re.compile(r"\s(?:-{1,2}[a-zA-Z]|\S*/\S)")
# "Running the full suite with `pytest -q`", below "Verified by".
_BY_RUNNING = re.compile(
    r"\W*(?:(?:re-?)?running|executing|reproducing|invoking|building with"
    r"|a(?:n| clean| green| fresh| full)? run of)\b"
)


def _is_run(code: str) -> bool:
    """Whether code in a list is certainly a command: by its kind, or by its options."""
    parts = split_command(code)
    return bool(parts) and bool(parts[0].kinds or _OPTION.search(code))


def listed_command(sentence: Sentence, text: str) -> ClaimWord | None:
    """Read an item that is a command and nothing else, by what introduces its list."""
    if not sentence.item or CODE_MARK not in sentence.prose:
        return None
    bare = is_only_code(sentence) and all(map(_is_run, sentence.codes))
    if not bare and not _BY_RUNNING.match(text):
        return None
    title = sentence.intro or sentence.heading
    if not title or _NO_REPORT.search(title):
        return None
    passed = bool(_SAYS_PASSED.search(title))
    is_titled = bool(_TITLE.match(title))
    if not (passed or is_titled or _SAYS_RUN.search(title)):
        return None
    return ClaimWord(
        ClaimKind.RUN,
        0,
        len(sentence.prose),
        result=passed or is_titled,
        soft=is_titled and not passed,
        needs_command=True,
    )


def lists_of(sentences: Sequence[Sentence]) -> Iterator[Sequence[Sentence]]:
    """Yield the sentences of one part of an answer list by list, in order."""
    group: list[Sentence] = []
    for sentence in sentences:
        if group and _kind(sentence) != _kind(group[-1]):
            yield group
            group = []
        group.append(sentence)
    if group:
        yield group


def _kind(sentence: Sentence) -> tuple[bool, bool, str]:
    return (sentence.item, is_row(sentence), sentence.intro)
