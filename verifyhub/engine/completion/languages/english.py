"""English: simple past and perfect with "I", "we" or no subject, and result words."""

import re
from collections.abc import Iterator

from verifyhub.engine.completion.languages.model import (
    ClaimKind,
    Found,
    Language,
    alternation,
    kinds_by_word,
)
from verifyhub.engine.completion.segments import CODE_MARK

_VERBS = kinds_by_word(
    {
        ClaimKind.EDIT: (
            "added updated changed modified edited replaced refactored renamed removed"
            " moved extracted rewrote rewritten simplified converted wired implemented"
            " introduced extended adjusted switched bumped inlined improved migrated"
            " reverted restored tweaked consolidated applied integrated hooked injected"
            " exposed dropped documented reordered reworked patched wrapped hardened"
            " enabled disabled cleaned cleaned_up unified merged_the streamlined"
            " deduplicated reorganized reorganised restructured tightened relaxed"
            " expanded shortened optimized optimised normalized normalised appended"
            " prepended commented_out uncommented registered propagated"
            " threaded aligned polished swapped stripped guarded ported upgraded"
            " downgraded pinned parameterized parametrized localized formatted"
            " reformatted fleshed_out rolled_back redesigned made_the"
        ),
        ClaimKind.CREATE: "created wrote generated scaffolded drafted saved written",
        ClaimKind.DELETE: "deleted purged",
        ClaimKind.FIX: "fixed resolved addressed repaired corrected",
        ClaimKind.RUN: "ran executed re-ran reran rerun_the benchmarked profiled",
        ClaimKind.COMMIT: "committed amended",
        ClaimKind.PUSH: "pushed force-pushed",
        ClaimKind.SEND: (
            "sent posted emailed e-mailed mailed replied notified messaged opened"
            " submitted filed published forwarded commented"
        ),
        ClaimKind.INSTALL: "installed",
        ClaimKind.OTHER: (
            "cancelled canceled booked refunded scheduled "
            "tagged deployed released merged rebased restarted uploaded downloaded"
            " rotated backed_up provisioned closed cherry-picked squashed"
        ),
    }
)
_VERB = re.compile(rf"\b(?:{alternation(_VERBS)})\b")

_BOUNDARY = re.compile(r"[:;,(—–→•|+&✓✅✔]|\s-+\s|\band\b|\bthen\b|\bbut\b|\.\s|\*\*")
_WORD = re.compile(r"[a-z']+")
_ADVERBS = frozenset(
    [
        "also",
        "then",
        "just",
        "now",
        "successfully",
        "already",
        "finally",
        "additionally",
        "all",
        "both",
        "further",
        "newly",
        "first",
        "second",
        "lastly",
        "subsequently",
        "so",
        "far",
        "done",
        "yes",
        "ok",
        "okay",
        "completely",
        "fully",
        "safely",
        "manually",
        "carefully",
        "previously",
        "properly",
        "likewise",
        "plus",
        "well",
        "once",
        "again",
        "next",
        "afterwards",
        "instead",
        "and",
        "but",
    ]
) - {"next", "once"}
_SUBJECTS = re.compile(
    r"\b(?:i|we)(?:['’]ve| have| had|['’]d)?(?: \w+ly| also| then| just| now| first"
    r"| already| both)*\s*\W*$"
)
_PERFECT = re.compile(
    r"\b(?:has|have|['’]ve|['’]s)(?: \w+ly| now| also| all| already)* been"
    r"(?: \w+ly| also)*\s*\W*$"
)
_PASSIVE_NOUNS = (
    r"(?:everything|the|all|both|new|old|test|file|files|tests|script|change|changes"
    r"|fix|code|module|package|packages|dependency|dependencies|branch|email|e-mail"
    r"|report|release|version|result|results|missing|requested|required|necessary"
    r"|bugs?|issues?|problems?|errors?|regression|docs|documentation|commit|pr)"
)
_PASSIVE = re.compile(
    rf"^\W*(?:{_PASSIVE_NOUNS}\W+)*(?P<now>is|are|was|were|is now|are now)\s*\W*$"
)
# "Bug fixed.", "Dependencies installed."
_SHORT = re.compile(rf"^\W*(?:{_PASSIVE_NOUNS}\W+){{1,4}}$")
_LASTING = frozenset(
    {
        ClaimKind.COMMIT,
        ClaimKind.PUSH,
        ClaimKind.INSTALL,
        ClaimKind.OTHER,
        ClaimKind.FIX,
    }
)
_THIRD_PERSON = re.compile(
    r"^\W*(?:by|in response to|when|whenever|if|only if|unless|upstream)\b"
)

# How far before a verb its subject is looked for, in characters.
_LOOK_BACK = 200
_FINITE = re.compile(r"\b(?:is|are|was|were|gets?|be|being|been)\b")
_EARLIER = re.compile(r"\b(?:already|previously|earlier|formerly|originally)\W*$")
# "Changed files:" and "fixed in 1a2b3c4" are a label and a reference.
_LABEL = re.compile(
    r"^\W*(?:files?|functions?|lines?|tests?)\b\W*$"
    r"|^ in (?:\ue000|[a-f0-9]{7,40}\b|this branch)|^ (?:using|earlier)\b"
    r"|^ in v(?:ersion)? ?\d"
)

# A sentence with one of these is no report of the agent's own finished work.
_EXEMPT = re.compile(
    r"\?\W{0,20}$"
    r"|^\W*(?:if|when|once|unless|whenever|until|assuming|suppose|in case|should"
    r"|to|you|your|yours|according to|as you|the user|upstream|the maintainers?"
    r"|next|please|note that you|before|why|how|what|where|who|let['’]s|per"
    r"|it appears|it seems|it looks like|maybe|perhaps|probably|presumably)\b"
    r"|\b(?:want me to|would you|should i|shall i|do you want|let me know|feel free"
    r"|you can|you could|you may|you might|you should|you['’]ll|you['’]d|you need"
    r"|i can|i could|i['’]ll|i will|i would|i['’]d|we should|we could|we['’]ll|we will"
    r"|i recommend|i suggest|i propose|going to|example|for instance|hypothetical"
    r"|e\.g|was supposed|were supposed|you asked|you said|you wrote|you mentioned"
    r"|you already|you have already|you['’]ve already|your message|could be|should be"
    r"|would be|must be|needs to be|need to be|to be|can be|may be|might be|will be"
    r"|won['’]t|cannot|can['’]t)\b"
)
_BLOCKED = re.compile(
    r"\b(?:not|never|no|nor|neither|none|without|hardly|will|would|should|could|must"
    r"|might|may|can|cannot|shall|if|unless|until|whether|when|whenever|once|ensures?"
    r"|ensuring|make sure|makes sure|making sure|requires?|verify|verifies|expect"
    r"|expects|expected|want|wants|need|needs|before|assuming|assumes|why|keep|keeps"
    r"|keeping|to get|fail|fails"
    r"|failed|failing|broken|hopefully|likely|probably|claims?|says|said|states|stated"
    r"|wrote|asserts?|so that|that the)\b|n['’]t\b"
)
# "I verified that the tests pass" reports; "verify that the tests pass" asks.
_REPORTED = re.compile(r"\b(?:verified|confirmed|checked|made sure|ensured)\b")
_IMPERATIVE = re.compile(
    r"^\W*(?:run|re-run|rerun|verify|ensure|check that|check if|make|confirm|add"
    r"|update|create|fix|remove|write|implement|rebuild|use|wait|commit|push|merge"
    r"|install|try|keep|move|see|test that|test with|let|do|go|open|review|consider"
    r"|repeat|start|follow|apply|change|replace|set|validate)\b"
)
_EXCEPT = re.compile(
    r"\b(?:except|apart from|other than|aside from|but (?:not|one|two|\d+)|only"
    r"|some|most|still fail\w*|partially|\d+ of (?:the )?\d+|(?:one|two|three|four|five"
    r"|several|[1-9]\d*)(?: \w+){0,2} (?:still )?(?:fails?|failed|failing))\b"
)

_GAP = r"[^.;!?|\n]{0,70}?"
_AFTER = (
    r"(?=\W*$|\W*[.,;:!)(—–✓✅|*+]|\s*\(|\s+(?:and|with|on|in|including|now|after"
    r"|cleanly|again|too|as|without|at|successfully|locally|for|before|across|this"
    r"|here|there|both|but|plus|except|so|when|under|\W))"
)
_CLEAN = (
    r"(?:clean(?:ly)?|pass(?:es|ed|ing)?|happy|green|succeed(?:s|ed)?|success(?:ful)?"
    r"|successfully|ok|okay|✓|✅|✔|(?:no|0|zero|without)(?: any)?(?: \w+)?"
    r" (?:issues?|problems?|warnings?|errors?|findings|violations|complaints)"
    r"|error[- ]free|warning[- ]free)"
)
_TESTS = r"\b(?:tests?|test suites?|suites?|specs?|test cases|ci|pipeline|checks)\b"

_RESULTS: tuple[tuple[ClaimKind, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(text))
    for kind, text in (
        (
            ClaimKind.TESTS,
            _TESTS + _GAP + r"(?<!for )(?<!of )(?<!by )\b(?:pass(?:es|ed|ing)?"
            r"|succeed(?:s|ed)?|green|ok)\b" + _AFTER,
        ),
        (ClaimKind.TESTS, r"\btests?(?: suite)?\W{0,8}(?:✓|✅|✔)"),
        (
            ClaimKind.TESTS,
            r"\b(?:code|state|version|everything|implementation|it|branch|change|fix)\b"
            r"(?: \w+){0,2}? pass(?:es|ed) (?:\w+ ){0,3}?tests?\b",
        ),
        (ClaimKind.TESTS, _TESTS + _GAP + r"\b(?:no|0|zero|without) failures?\b"),
        (
            ClaimKind.TESTS,
            r"\b(?:all|everything|both|they)\b(?: \w+){0,2}?"
            r"(?: is| are| still| now| also)*(?: all)?"
            r" (?:pass(?:es|ed|ing)?|green)\b" + _AFTER,
        ),
        (
            ClaimKind.TESTS,
            r"\b\d+(?:/\d+)? (?:\w+ ){0,2}?pass(?:ed|ing|es)?\b" + _AFTER,
        ),
        (ClaimKind.LINT, r"\blint(?:er|ers|ing|s)?\b" + _GAP + _CLEAN),
        (
            ClaimKind.LINT,
            r"\b(?:eslint|ruff|golangci-lint|flake8|pylint|clippy|rubocop|biome"
            r"|shellcheck|stylelint)\b" + _GAP + _CLEAN,
        ),
        (ClaimKind.TYPECHECK, r"\b(?:mypy|pyright|tsc)\b" + _GAP + _CLEAN),
        (ClaimKind.LINT, r"\b(?:no|0|zero) lint(?:er|ing)? (?:issues|errors|warnings)"),
        (ClaimKind.FORMAT, r"\b(?:formatting|formatter|fmt)\b" + _GAP + _CLEAN),
        (
            ClaimKind.TYPECHECK,
            r"\b(?:type[- ]?check(?:s|ing|er)?|types (?:all )?(?=pass|check|are clean)"
            r"|typescript|typing)\b" + _GAP + _CLEAN + r"(?! through)",
        ),
        (ClaimKind.TYPECHECK, r"\b(?:no|0|zero) type(?:script)? errors\b"),
        (ClaimKind.BUILD, r"\b(?:build|compilation|bundle)\b" + _GAP + _CLEAN),
        (
            ClaimKind.BUILD,
            r"\b(?:builds|compiles|built|compiled)"
            r" (?:cleanly|fine|successfully|without (?:errors|warnings|issues)|again)",
        ),
    )
)
# `pytest -q` passes: the code is a command, and which kind it is, it says itself.
_COMMAND_RESULT = re.compile(
    r"\bpass(?:es|ed) \ue000|\ue000\W{0,6}\s*"
    r"(?:(?:now|also|still|all|it|both|command|and) )*"
    r"(?:pass(?:es|ed|ing)?\b|succeed(?:s|ed)\b|ran (?:cleanly|fine|successfully"
    r"|without)|runs (?:cleanly|fine|without)|(?:is |are |came back |comes back )?"
    r"(?:clean|green)\b|(?:gives?|gave|reports?|reported|shows?|showed|prints|says)"
    r" (?:\d+ (?:tests )?pass|no |0 )|completed? (?:without|success|cleanly)"
    r"|completed (?:without|success|cleanly)|completes (?:without|success|cleanly)"
    r"|exits? (?:with )?0|\W{0,4}(?:0|no) (?:issues|errors|warnings|problems)"
    r"|(?:ran|completed|finished) and )"
)
_NEW_FILE = re.compile(
    r"^\W*(?:new (?:\w+ ){0,2}?files?\b|(?:the )?changes? (?:is|are) in \ue000)"
    r"|\(new(?: file)?\)"
)
# States that only the agent's own deed can have brought about.
_STATES: tuple[tuple[ClaimKind, re.Pattern[str]], ...] = (
    (
        ClaimKind.SEND,
        re.compile(
            r"\b(?:pull request|merge request|pr|mr)\b[^.;?!]{0,30}?"
            r" is (?:now )?(?:open|up)\b"
        ),
    ),
    (
        ClaimKind.OTHER,
        re.compile(r"\b(?:took|made|kept) a (?:\w+ ){0,2}?(?:backup|snapshot|dump)\b"),
    ),
    (
        ClaimKind.OTHER,
        re.compile(
            r"\b(?:i|we) (?:checked|verified|tested|tried)\b[^.;?!]{0,60}?"
            r"\b(?:browser|staging|production|device|by hand|manually)\b"
        ),
    ),
)


def _find(text: str) -> Iterator[Found]:
    if _EXEMPT.search(text):
        return
    yield from _work(text)
    if _IMPERATIVE.search(text) or _EXCEPT.search(text):
        return
    yield from _results(text)


def _work(text: str) -> Iterator[Found]:
    for match in _VERB.finditer(text):
        before = text[max(0, match.start() - _LOOK_BACK) : match.start()]
        after = text[match.end() : match.end() + 60]
        if _THIRD_PERSON.match(after) or _LABEL.match(after):
            continue
        short = not after.strip(" .!*_)✅✓") and _SHORT.match(before)
        if short or _says_done(before, _VERBS[match.group()]):
            yield Found(_VERBS[match.group()], match.start(), match.end())
    for kind, pattern in _STATES:
        state = pattern.search(text)
        if state and not _NEGATED.search(text[: state.start()]):
            yield Found(kind, state.start(), state.end())
    new = _NEW_FILE.search(text)
    if new and "\ue000" in text:
        yield Found(ClaimKind.CREATE, new.start(), new.end(), soft=True)


def _says_done(prefix: str, kind: ClaimKind) -> bool:
    """Return whether a verb after `prefix` tells of the agent's own finished work."""
    if _EARLIER.search(prefix):
        return False
    subject = _SUBJECTS.search(prefix)
    if subject:
        before = prefix[: subject.start()]
        return not (_NEGATED.search(prefix) or _RELATIVE.search(before))
    boundary = 0
    for match in _BOUNDARY.finditer(prefix):
        boundary = match.end()
    clause = prefix[boundary:]
    words = [word for word in _WORD.findall(clause) if word not in _ADVERBS]
    # "and `x` shared helper": after "and" or a comma, code is what the verb describes.
    if boundary and prefix[:boundary].endswith(("and", ",", "+", "&")):
        words += [CODE_MARK] if CODE_MARK in clause else []
        words += ["is"] if _FINITE.search(prefix[:boundary]) else []
    if prefix.endswith("-") or prefix[:boundary].endswith("("):
        return False
    if not words:
        return True
    if _NEGATED.search(clause):
        return False
    passive = _PASSIVE.match(clause)
    # "The file is created by ..." describes; "the release is tagged" reports.
    describes = passive and passive["now"] in {"is", "are"} and kind not in _LASTING
    return bool(_PERFECT.search(clause) or (passive and not describes))


# "the code we just added", "since we rewrote it": no report but a reminder.
_RELATIVE = re.compile(
    r"\b(?:since|because|when|if|once|code|bug|change|changes|test|tests|file|files|one"
    r"|fix|function|comment|helper|thing|things|that|ones|block|as)\W*$"
)
_NEGATED = re.compile(r"\b(?:not|never|no|nor)\b|n['’]t\b|\bwhen i\b|\bif i\b")


def _results(text: str) -> Iterator[Found]:
    for kind, pattern in _RESULTS:
        match = pattern.search(text)
        if match and not _taken_back(text, match):
            current = _is_current(match)
            yield Found(kind, match.start(), match.end(), current=current, result=True)
    match = _COMMAND_RESULT.search(text)
    if match and not _taken_back(text, match):
        current = not re.search(r"\b(?:passed|ran|gave|completed)\b", match.group())
        yield Found(
            ClaimKind.RUN, match.start(), match.end(), current=current, result=True
        )


def _taken_back(text: str, match: re.Match[str]) -> bool:
    before = text[: match.start()]
    inside = _BLOCKED.sub("", match.group()) if _good(match.group()) else match.group()
    if _REPORTED.search(before):
        before = before[_last_end(_REPORTED, before) :].replace("that the", "")
    if _AFTERWARDS.search(before):
        return True
    return bool(_BLOCKED.search(before) or _BLOCKED.search(inside))


_AFTERWARDS = re.compile(r"\bafter(?: the| all| every| each)?\W*$")


def _good(words: str) -> bool:
    """Return whether the negation in `words` is the good news: "no issues"."""
    return bool(re.search(r"\b(?:no|zero|without)\b(?: \w+){0,2}\W*$", words))


def _last_end(pattern: re.Pattern[str], text: str) -> int:
    return max((match.end() for match in pattern.finditer(text)), default=0)


def _is_current(match: re.Match[str]) -> bool:
    return not re.search(r"\b(?:passed|succeeded)$", match.group())


ENGLISH = Language("en", _find)
