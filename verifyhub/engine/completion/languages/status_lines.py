"""Status lines: a label or a command beside how it went, without a sentence.

"`go vet ./...` ✅", "Commit: 1a2b3c4", "Both commits pushed", "Unit tests | 45/45".
"""

import re
from collections.abc import Iterator

from verifyhub.engine.completion.languages.model import ClaimKind, ClaimWord
from verifyhub.engine.completion.segments import CODE_MARK
from verifyhub.engine.text.screen import Screen

_TICK = r"[✅✓✔☑]"
_SHA = r"(?:\ue000+|[a-f\d]{7,40}\b)"
_LABEL = r"^\W*"
_ENDS = r"(?=\W*$|\W*[.,;:!)(—–|]|\s+(?:to|on|as|at|in|and|with|successfully)\b)"
# What is committed and pushed, in a line that says so and little else.
_WORK = (
    r"(?:(?:all|both|the|my|these|those|two|three|four|\d{1,2}|latest|local|new|remaining"
    r"|other|documentation|code|of|working|it|and)\W+){0,4}"
    r"(?:commits?|changes?|work|fix(?:es)?|branch(?:es)?|updates?|everything|all|both"
    r"|files|tree)\W+(?:\ue000+\W+)?(?:(?:is|are|was|were|have been|has been|now|all"
    r"|both|also)\W+){0,3}"
)

# How a command went, as a status line puts it.
WENT_WELL = (
    r"(?:(?:(?:all|everything|is|are|was|came back|comes back|now|still|also|it|both"
    r"|exits?|exited|finishe[sd]|completes|completed|ran|runs|build) ){0,3}"
    r"(?:clean(?:ly)?|green|ok(?:ay)?|pass(?:es|ed|ing)?|success(?:ful(?:ly)?)?"
    r"|succeed(?:s|ed)|works?|fine|happy|silent|done|valid|completes|completed|finished"
    r"|(?:with )?(?:code |status )?0|without (?:any )?(?:errors?|issues?|problems?"
    r"|warnings?|failures?|findings))\b(?! to\b)"
    r"|(?:no|0|zero) (?:\w+ ){0,2}?(?:issues?|problems?|warnings?|errors?|findings"
    r"|violations?|offen[sc]es?|complaints?|failures?|leaks?|vulnerabilities|diff\w*"
    r"|changes?|output)\b"
    r"|nothing (?:to (?:fix|report|change|do)|found)\b|[✅✓✔☑]"
    r"|(?:all )?\d+(?:/\d+)? (?:\w+ )?(?:pass(?:ed|ing)?|ok|valid|succeeded)\b)"
)
_LINES: tuple[tuple[ClaimKind, bool, re.Pattern[str]], ...] = tuple(
    (kind, result, re.compile(text))
    for kind, result, text in (
        (
            ClaimKind.TESTS,
            True,
            _LABEL + _TICK + r"\W*(?:(?:all|unit|integration|e2e|the)\W+){0,2}tests?"
            r"(?: suite)?\W*$",
        ),
        (ClaimKind.TESTS, True, r"\b(\d{1,6})/\1(?:\W+\w+)?\W+(?:tests?|specs?)\b"),
        (
            ClaimKind.TESTS,
            True,
            r"\b(?:tests?|specs?|suite)\b[^.;!?\n]{0,20}?[:|—–]\W*(\d{1,6})/\1\b",
        ),
        (
            ClaimKind.TESTS,
            True,
            r"\b(?:no|0|zero) (?:test )?failures\b(?=\W*$| in\b| across\b)"
            r"|\bno tests? fail(?:s|ed)?\b",
        ),
        (ClaimKind.TESTS, True, r"\bpassed\W{1,3}\d{1,6}\W{1,3}failed\W{1,3}0\b"),
        (
            ClaimKind.TESTS,
            True,
            r"\btest (?:run|suite|results?)\W{1,4}(?:(?:was|is|came back)\W+)?clean\b",
        ),
        (
            ClaimKind.LINT,
            True,
            _LABEL + _TICK + r"\W*(?:lint(?:er|ing)?|eslint|ruff|clippy)\W*$",
        ),
        (
            ClaimKind.TYPECHECK,
            True,
            _LABEL + _TICK + r"\W*(?:type[- ]?check\w*|types)\W*$",
        ),
        (
            ClaimKind.TESTS,
            True,
            _LABEL + _TICK + r"\W*\d{1,6} (?:\w+ )?(?:tests?|specs?)\b",
        ),
        (ClaimKind.BUILD, True, _LABEL + _TICK + r"\W*(?:full |clean )?build\W*$"),
        (ClaimKind.BUILD, True, _LABEL + r"clean build\b" + _ENDS),
        (ClaimKind.BUILD, True, _LABEL + r"compiles\b(?=\W*$| clean| with| fine)"),
        (
            ClaimKind.BUILD,
            True,
            r"\bbuild (?:has )?(?:completed|finished|went through)\b" + _ENDS,
        ),
        (
            ClaimKind.FORMAT,
            True,
            r"\b(?:gofmt|prettier|black|rustfmt|gofumpt|dprint)\b\W{1,4}"
            r"(?:(?:is|was|are)\W+)?(?:clean|ok|no (?:changes|diff)|✅|✓)",
        ),
        (
            ClaimKind.COMMIT,
            False,
            _LABEL + r"(?:(?:new|final|latest|squashed?|amended|merge)\W+)?"
            r"commit(?:ted)?(?: (?:hash|sha|id))?\W{0,3}[:|—–=]\W*" + _SHA,
        ),
        (ClaimKind.COMMIT, False, _LABEL + _WORK + r"committed\b" + _ENDS),
        (
            ClaimKind.COMMIT,
            False,
            _LABEL + _WORK + r"(?:pushed|committed) and committed\b",
        ),
        (
            ClaimKind.PUSH,
            False,
            _LABEL + _WORK + r"(?:committed and )?pushed\b" + _ENDS,
        ),
        (
            ClaimKind.PUSH,
            False,
            _LABEL + r"commit\W+" + _SHA + r"\W+(?:(?:is|was|has been)\W+)?pushed\b",
        ),
        (
            ClaimKind.SEND,
            False,
            r"(?:^\W*|\band )(?:draft )?(?:pr|pull request|merge request|mr)\b\W{0,4}"
            r"(?:#?\d{1,7}\W{1,3})?(?:is |was |has been )?(?:opened|created|raised"
            r"|filed|submitted)\b" + _ENDS,
        ),
    )
)
# A command in code with how it went; what is no command there claims nothing.
_COMMANDS = tuple(
    re.compile(text)
    for text in (
        _LABEL + _TICK + r"\W*\ue000+\W*$",
        r"\ue000\W{0,6}" + _TICK,
        r"\ue000[^\w\ue000]{0,6}" + WENT_WELL + _ENDS,
        r"\ue000\W{0,4}(?:(?:now|also|still)\W+)?(?:reports?|reported|prints?|printed"
        r"|shows?|showed|returns?|returned|finds?|found|gives?|gave) (?:nothing|clean"
        r"|(?:no|0|zero) (?:\w+ )?(?:issues|errors|warnings|problems|findings|diff\w*"
        r"|violations|output|failures))\b",
        _LABEL + r"(?:(?:i|we)(?: have|['’]ve)? )?(?:verified|validated|checked"
        r"|confirmed|tested)(?: (?:it|this|that|them|everything"
        r"|the (?:fix|change|result)s?))?"
        r" (?:with|via|using|by running|through) \ue000",
        _LABEL + r"done\W{1,4}\ue000+\W*$",
    )
)
# "rm -rf done", "go vet: clean": the words are a command only if they are those of one.
_BARE_COMMAND = re.compile(
    _LABEL + r"[a-z][\w.-]{0,30} [^;!?\n\ue000]{1,120}?\W{1,3}(?:done|✅|✓)\W*$"
    r"|^\W*[a-z][\w./-]{0,30}(?: [^;:!?\n\ue000—–]{1,120}?)?\W{0,2}[:—–→]\W{1,4}"
    + WENT_WELL
    + _ENDS
)
_NOT = re.compile(
    r"\b(?:not|never|no longer|fails?|failed|failing|would|will|should|must|can(?:not)?"
    r"|could|if|once|when|until|unless|to be|need(?:s|ed)?|still|pending|todo|except"
    r"|before|after|expect(?:ed)?|why|how|please|your?)\b|n['’]t\b|\?"
)
_LONGEST = 300
_SCREEN = Screen((*(line for _, _, line in _LINES), _BARE_COMMAND, *_COMMANDS))
_AT_BARE = len(_LINES)


def find_status(text: str) -> Iterator[ClaimWord]:
    """Yield what a status line says was done or went well.

    Args:
        text: The line in lower case, code masked.
    """
    if len(text) > _LONGEST:
        return
    passed = tuple(_SCREEN.passed(text))
    for place in passed:
        if place >= _AT_BARE:
            break
        kind, result, pattern = _LINES[place]
        match = pattern.search(text)
        if match and not _NOT.search(text[: match.end()]):
            yield ClaimWord(kind, match.start(), match.end(), result=result)
    commands = [place for place in passed if place >= _AT_BARE]
    if commands[:1] == [_AT_BARE]:
        bare = _BARE_COMMAND.search(text)
        if bare and not _NOT.search(text):
            yield _run(bare)
        del commands[0]
    if CODE_MARK not in text:
        return
    for place in commands:
        match = _COMMANDS[place - _AT_BARE - 1].search(text)
        if match and not _NOT.search(text[: match.end()]):
            yield _run(match)
            return


def _run(match: re.Match[str]) -> ClaimWord:
    return ClaimWord(
        ClaimKind.RUN, match.start(), match.end(), result=True, needs_command=True
    )
