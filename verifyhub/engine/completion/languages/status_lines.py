"""Status lines: a label or a command beside how it went, without a sentence.

"`go vet ./...` ✅", "Commit: 1a2b3c4", "Both commits pushed", "Unit tests | 45/45".
A line is read cell by cell: what a cell speaks of, and how that went, there or in one
of the next cells.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from verifyhub.engine.calls.programs import RunKind
from verifyhub.engine.completion.languages.english_results import (
    HARM,
    is_blocked,
    takes_part_back,
)
from verifyhub.engine.completion.languages.model import (
    BUILDERS,
    FORMATTERS,
    LINTERS,
    RUN_KINDS,
    SCREENS,
    TEST_TOOLS,
    TYPE_CHECKERS,
    ClaimKind,
    ClaimWord,
    tool_names,
)
from verifyhub.engine.completion.run_topics import TOPIC_WORDS
from verifyhub.engine.completion.segments import CODE_MARK
from verifyhub.engine.text.screen import Screen

_TICK = r"[✅✓✔☑]"
_SHA = r"(?:\ue000+|[a-f\d]{7,40}\b)"
_LABEL = r"^\W*"
_ENDS = (
    r"(?=\W*$|\W*[.,;:!)(—–|]|\s+(?:too|now|again|here|also|to|on|as|at|in|and|with"
    r"|successfully)\b)"
)
# What is committed and pushed, in a line that says so and little else.
_WORK = (
    r"(?:(?:all|both|the|my|these|those|two|three|four|\d{1,2}|latest|local|new|remaining"
    r"|other|documentation|code|of|working|it|and)\W+){0,4}"
    r"(?:commits?|changes?|work|fix(?:es)?|branch(?:es)?|updates?|everything|all|both"
    r"|files|tree|tags?)\W+(?:\ue000+\W+)?(?:(?:is|are|was|were|have been|has been|now"
    r"|all|both|also)\W+){0,3}"
)
# How a run went, as a status line puts it.
WENT_WELL = (
    r"(?:(?:(?:all|everything|is|are|was|were|came back|comes back|now|still|also|it"
    r"|both|they|again|exits?|exited|finishe[sd]|completes|completed|ran|runs?|build"
    r"|fully|completely|works|worked|compiles|builds|deploys|starts) ){0,3}"
    r"(?:clean(?:ly)?|green|ok(?:ay)?|pass(?:es|ed|ing)?|success(?:ful(?:ly)?)?"
    r"|succeed(?:s|ed)?|works?|worked|fine|good|happy|silent|quiet|done|valid|healthy|completes"
    r"|completed|finished|deployed|applied|compiles|compiled|builds|built|unchanged"
    r"|up[- ]to[- ]date"
    r"|(?:with )?(?:exit )?(?:code |status )?0"
    r"|without (?:any )?(?:\w+ )?" + HARM + r")\b(?! to\b)"
    r"|(?:(?:shows?|showed|reports?|reported|finds?|found|has|have|had|with|gives?|gave"
    r"|returns?|returned) )?(?:no|0|zero) (?:\w+ ){0,2}?" + HARM + r"\b"
    r"(?: (?:needed|required|necessary|found|reported|detected|left|remaining))?"
    r"|(?:0|no|zero) (?:\w+(?:\(s\))? )?failed\b"
    r"|(?:finds?|found|reports?|reported) nothing\b"
    r"|nothing (?:to (?:fix|report|change|do|flag|say|add|complain)|found|left)\b"
    r"|[✅✓✔☑]|(?:goes|go|went|gone|came|comes?) (?:right |straight )?through\b"
    r"|(?:all )?\d+(?:/\d+)? (?:\w+ ){0,2}?(?:pass(?:ed|ing)?|ok|valid|succeeded"
    r"|green)\b|verified\b"
    r"|(?:all )?(?P<of>\d{1,6}) ?(?:/|of|out of) ?(?P=of)\b"
    r"|(?:http )?(?:status )?200\b|exit(?:s|ed)?(?: with)?(?: code| status)? 0\b)"
)
_WENT = re.compile(r"\W*(?:" + WENT_WELL + r")")
# Only of what starts and stays: "Container starts and answers with 200".
_UP = re.compile(
    r"\W*(?:(?:is|are|now|both|all) ){0,2}(?:up(?: and running)?|running|live|starts?"
    r"|started|boots?|booted|comes? up|came up|loads?|loaded|responds?|responded"
    r"|answers?|answered|reachable)\b"
    r"(?=\W*$| (?:and|on|at|with|fine|cleanly|in|without)\b)"
)


_TESTS = r"(?:unit|integration|e2e|end-to-end|regression|browser|doc)?[ -]?"
_TOPIC = re.compile(
    r"(?<![\w.-])(?:"
    r"(?P<lint>lint\w*|static analysis|go vet|helm lint|pint|credo"
    r"|cargo (?:clippy|audit|deny)"
    rf"|(?:bundle|npm|pip) audit|{LINTERS})"
    rf"|(?P<typecheck>type[- ]?check\w*|types|typing|typescript"
    rf"|{TYPE_CHECKERS})"
    rf"|(?P<format>formatting|formatter|format(?: check)?|fmt|go fmt|cargo fmt"
    rf"|(?:{FORMATTERS})(?: formatting)?)"
    rf"|(?P<run>{TOPIC_WORDS})"
    r"|(?P<tests>(?:full|complete|final|whole|test) run"
    rf"|{_TESTS}tests?(?: suites?| cases?| runs?)?|{_TESTS}specs?|suite|e2e"
    rf"|(?:go|cargo|mix|dotnet|swift|flutter|deno|npm|pnpm|yarn|bun) test"
    rf"|(?:{TEST_TOOLS})(?: (?:e2e|tests?|suite|specs?))?)"
    rf"|(?P<build>(?:docker )?(?:build|image)s?(?: step)?|compilation|compile|bundle"
    rf"|{BUILDERS})"
    r")(?![\w-])"
)
# Words that a topic may stand among in a label: no verb that says what was made.
_MADE = re.compile(
    r"\b(?:adds?|added|adding|fix|fixe[sd]|fixing|updat(?:e|es|ed|ing)|creat(?:e|es|ed"
    r"|ing)|writ(?:e|es|ing|ten)|wrote|implement\w*|remov(?:e|es|ed|ing)|extend\w*"
    r"|cover(?:s|ed|ing)?|document(?:s|ed|ing)|refactor\w*|migrat(?:e|es|ing)|renam\w*"
    r"|mov(?:e|es|ed|ing)|chang(?:e|es|ed|ing)|us(?:e|es|ed|ing)|new|lets?|mak(?:e|es|ing)"
    r"|wants?|handl\w+|returns?|rais\w+|supports?|shows?|calls?|called|accepts?|includes?"
    r"|expects?|requires?|gets?|sets?|sees?|contains?|mentions?|describes?|explain\w*"
    r"|review\w*|asks?|next|follows?|i['’]ll|has|have|which|that|what|how|why)\b"
)
_CELL = re.compile(r"[;•·|,]\s?|[—–]|→|[:()]|\s-\s|\s\+\s|\s=+>?\s|\band\b|&")
_MOST_WORDS = 7
_LEADING_TICK = re.compile(r"^\W*?" + _TICK)
# "[x] Type check with mypy" names its tool.
_LABEL_ENDS = re.compile(
    r"\W*$|\s*[(—–:,]|\s(?:with|via|using) (?:\ue000+|"
    + "|".join(map(tool_names, RunKind))
    + r")\W*$"
)
_JUDGED = re.compile(r"\b(?:works?|worked|fine|good)\b")
_ENDS_THERE = re.compile(
    r"[\W_]*$|\W*(?:tests?|specs?|in|on|with|across|after|for|files?|packages?|targets?"
    r"|assertions?|total|again|now|too|locally|and|skipped|failed|\d)\b"
)
_NO_MORE = re.compile(r"[ .!*_✅✓✔☑]*(?:(?:either|too|as well|again)\b\W*)?\Z")

_LINES: tuple[tuple[ClaimKind, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(text))
    for kind, text in (
        (ClaimKind.TESTS, r"\b(\d{1,6})/\1(?:\W+\w+)?\W+(?:tests?|specs?)\b"),
        (
            ClaimKind.TESTS,
            r"\b(?:no|0|zero) (?:test )?failures\b(?=\W*$| in\b| across\b)"
            r"|\bno tests? fail(?:s|ed)?\b",
        ),
        (ClaimKind.TESTS, r"\bpassed\W{1,3}\d{1,6}\W{1,3}failed\W{1,3}0\b"),
        (ClaimKind.BUILD, _LABEL + r"clean build\b" + _ENDS),
        (ClaimKind.BUILD, _LABEL + r"compiles\b(?=\W*$| clean| with| fine)"),
        (
            ClaimKind.BUILD,
            r"\bbuild (?:has )?(?:completed|finished|went through)\b" + _ENDS,
        ),
        (
            ClaimKind.COMMIT,
            _LABEL + r"(?:the )?(?:(?:new|final|latest|squashed?|amended|merge)\W+)?"
            r"commit(?:ted)?(?: (?:hash|sha|id))?"
            r"(?:\W{0,3}[:|—–=]| (?:is|was)(?: now)?)\W*" + _SHA,
        ),
        *(
            (kind, _LABEL + step + rf"\W{{0,4}}[:|—–]\W*(?:{_TICK}|done\b)")
            for kind, step in (
                (ClaimKind.PUSH, r"push(?:ed)?(?: to [\w./-]+)?"),
                (ClaimKind.COMMIT, r"commit(?:ted)?(?: changes)?"),
                (ClaimKind.SEND, r"(?:pr|pull request|merge request)(?: #?\d+)?"),
            )
        ),
        (ClaimKind.COMMIT, _LABEL + _WORK + r"committed\b" + _ENDS),
        (ClaimKind.COMMIT, _LABEL + _WORK + r"(?:pushed|committed) and committed\b"),
        (
            ClaimKind.PUSH,
            _LABEL + _WORK + r"(?:committed and |on (?:the|this|its) branch and )?"
            r"pushed\b" + _ENDS,
        ),
        (
            ClaimKind.PUSH,
            r"\b(?:branch(?:es)?|commits?|tags?|changes?|work|it|everything|both)"
            r" (?:\ue000+ )?(?:is|are) (?:now |all |both |up |already )*"
            r"on (?:the )?(?:remote|origin|github|gitlab|upstream|server)\b",
        ),
        (
            ClaimKind.PUSH,
            _LABEL + r"(?:the )?(?:remote|origin|github|gitlab|upstream)(?: branch)?"
            r" (?:now |also |already )*has (?:it|them|both|this"
            r"|(?:the|both|all) (?:\w+ )?(?:commits?|branch|tags?|changes?))\b",
        ),
        (
            ClaimKind.PUSH,
            _LABEL + r"(?:the |my |your )?(?:branch|(?:\ue000+|main|master)(?: on"
            r" (?:github|gitlab|origin|the remote))) is (?:now )?(?:up[- ]to[- ]date"
            r"|in sync)\b",
        ),
        (
            ClaimKind.COMMIT,
            r"\b(?:changes?|work|it|everything|fix(?:es)?) (?:is|are) (?:now |all )*"
            r"(?:on the branch|in git|checked in) (?:as|in) (?:an?|one|two|\d+)"
            r" (?:\w+ )?commits?\b",
        ),
        (
            # "Der Fix ist in Commit `1f2e3d4`", "El cambio está en el commit …".
            ClaimKind.COMMIT,
            r"(?<!\w)(?:ist|sind|steht|stehen|steckt|liegt|est|sont|está|están|лежит)"
            r" (?:\w+ )?(?:in|im|dans|en|в) (?:dem |le |el )?(?:commit|коммите)\W+"
            + _SHA,
        ),
        (
            ClaimKind.COMMIT,
            r"\W[—–-]\W+commit\W+" + _SHA + r"\W+(?:auf|on|sur|en|в|на) ",
        ),
        (
            ClaimKind.PUSH,
            _LABEL + r"commit\W+" + _SHA + r"\W+(?:(?:is|was|has been)\W+)?pushed\b",
        ),
        (
            ClaimKind.SEND,
            r"(?:^\W*|\band )(?:draft )?(?:pr|pull request|merge request|mr)\b\W{0,4}"
            r"(?:#?\d{1,7}\W{1,3})?(?:is |was |has been )?(?:opened|created|raised"
            r"|filed|submitted|up|open)\b" + _ENDS,
        ),
    )
)
# "`terraform plan` shows one change": of any run of it, or of this one.
_SHOWS = (
    r"\ue000\W{0,4}(?:(?:now|also|still) )?(?:shows?|showed|confirms?|confirmed|prints?"
    r"|printed|lists?|listed|renders?|rendered)"
    r" (?:exactly |only |just )?(?:\d+|one|two|three|four|five|an?)\b"
    r"|\ue000\W{0,4}(?:(?:now|also|still) )?(?:confirms?|confirmed|proves?|proved)"
    r" (?:that )?(?:the|all|both|our|every|it|there|nothing|no)\b"
)
# A command in code with its result; other code claims nothing there.
_COMMANDS = tuple(
    re.compile(text)
    for text in (
        _LABEL + _TICK + r"\W*\ue000+\W*$",
        _LABEL + r"(?:and |so (?:is|does|did) )?\ue000+ (?:as well|too|likewise)\W*$",
        r"\ue000\W{0,6}" + _TICK,
        _LABEL + _TICK + r"\W*\ue000+\W*(?:[—–:(]|- )",
        r"\ue000\W{0,4}(?:→|=+>|[:—–]|returns?|returned|gives?|gave|answers?|answered)"
        r"\W{0,3}(?:http )?[1-5]\d\d\b",
        r"\ue000[^\w\ue000]{0,6}(?:(?:command|run|run is|target|answers?|answered"
        r"|responds?|exits) )?" + WENT_WELL + _ENDS,
        r"\ue000\W{0,4}(?:(?:now|also|still)\W+)?(?:reports?|reported|prints?|printed"
        r"|shows?|showed|returns?|returned|finds?|found|gives?|gave|says|said|has|had"
        r"|raises?|raised|emits?|emitted|throws?|threw|leaves?|left|produces?|produced|yields?|yielded)"
        r" (?:that |[\w ]{1,40} and )?(?:there (?:is|was) )?(?:nothing|clean"
        r"|(?:no|0|zero) (?:\w+ )?" + HARM + r")\b",
        _LABEL + r"(?:(?:i|we)(?: have|['’]ve)? )?(?:verified|validated|checked"
        r"|confirmed|tested)(?: (?:it|this|that|them|everything"
        r"|(?:the|an?|all|both|each)(?: [\w-]+){1,3}))?"
        r" (?:with|via|using|by running|through) \ue000",
        _LABEL + r"done\W{1,4}\ue000+\W*$",
        r"\ue000\W{1,6}(?:\w{1,20}\W{1,6})?\d{1,6} to (?:add|import|change)\b",
        r"\ue000 (?:was|were|has been|have been) (?:re-?)?(?:run|executed|invoked)\b",
        _LABEL + r"(?:(?!(?:is|are|be|get|gets|can)\b)[a-z-]+ ){1,4}?(?:re)?[a-z]+ed"
        r" (?:with|via|using|by running) \ue000+\W*$",
        _SHOWS,
        r"\ue000\W{0,4}→ (?:[\w.]+ ){0,4}(?:deployed|done|ok|created|applied|completed"
        r"|succeeded|passed|upgraded|configured)\W*$",
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
    r"\b(?:not|never|no longer|fails?|failed(?!\W{1,3}0)|failing|would|will|should|must"
    r"|can(?:not)?|could|if|once|when|until|unless|to be|need(?:s|ed)?|still|pending"
    r"|todo|except|before|after|expect(?:ed)?|why|how|please|your?"
    r"|to (?:run|check|verify)|skipped|only|some|most|partial\w*|mostly|unable)\b"
    r"|n['’]t\b|\?|[❌✗✘⚠]"
)
_NO_FAILURE = re.compile(
    r"\b(?:0|no|zero|none|nothing) (?:\w+ |chart\(s\) )?fail(?:ed|ing|ures?|s)?\b"
    r"|\b(?:no|zero|0) (?:\w+ ){1,2}?(?:needed|required|necessary)\b"
)
_LONGEST = 300
_SCREEN = Screen(
    (*(line for _, line in _LINES), _BARE_COMMAND, *_COMMANDS, _TOPIC), SCREENS
)
_AT_BARE = len(_LINES)
_AT_TOPIC = _AT_BARE + 1 + len(_COMMANDS)


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
        kind, pattern = _LINES[place]
        match = pattern.search(text)
        if match and not _NOT.search(text[: match.end()]):
            yield ClaimWord(kind, *match.span(), result=kind in RUN_KINDS)
    if passed[-1:] == (_AT_TOPIC,):
        yield from _labelled(text)
    yield from _commands(
        text, [place for place in passed if _AT_BARE <= place < _AT_TOPIC]
    )


def ticked_status(text: str) -> list[ClaimWord]:
    """Return what the label behind a ticked box says went well: "[x] Cypress e2e"."""
    tick = "✓ "
    words = find_status(f"{tick}{text}")
    return [
        replace(word, start=max(0, word.start - len(tick)), end=word.end - len(tick))
        for word in words
    ]


# The last word of a line on how a check went: "Config drift check: passed".
_VERDICT = re.compile(
    r"[^\w\ue000]*(?P<label>[^:|—–→\ue000]{4,80}?)(?:\*\*)?\s*(?:[:|—–→]|\s-\s)"
    r"\W{0,8}(?:pass(?:ed|es|ing)?|ok(?:ay)?|done|success(?:ful)?|clean|green|verified"
    r"|complete[d]?|yes|[✅✓✔☑])\W*\Z"
    r"|[^\w\ue000]*[✅✓✔☑][^\w\ue000]{0,8}(?P<ticked>[^:|—–→✅✓✔☑\ue000]{4,80})\W*\Z"
)
_BOX = re.compile(r"\W*(?P<ticked>[^:|—–→\ue000]{4,80})\W*\Z")
# What is done once to find something out, or what was done to a thing; "production"
# and "well structured" are neither.
_EVENT = re.compile(
    r"\b(?:(?:re-?)?(?:checks?|tests?|scans?|audits?|runs?|pass|passes|sweeps?|probes?"
    r"|replays?|reviews?|dry-?runs?|lookups?|benchmarks?|profiles?|drills?|rehearsals?"
    r"|analysis|walk-?throughs?|timings?|comparisons?|diff|smoke|simulat\w+|rollouts?"
    r"|deploys?|deployments?|restores?|backups?|in sync"
    r"|(?:valid|verific|migr|inspec|regres|reconcili|calibr|evalu|execu|replic|restor"
    r"|synchroni[sz]|simul)[a-z]{0,2}ions?))\b"
    r"|^\W*(?!(?:fully|well|properly|newly|highly|no|nothing|not|[a-z]+ly)\b)"
    r"(?:[\w-]+ ){1,4}?[a-z]{3,20}(?<!ne)ed\b(?=\W*$| (?:on|in|to|with|against|for|at"
    r"|from|across)\b)"
)


def verdict_label(text: str, *, ticked: bool = False) -> str:
    """Return the check that a line marks as passed or done; empty if it is none.

    Args:
        text: The line in lower case, code masked.
        ticked: Whether the box before it is.
    """
    match = _VERDICT.match(text) or (_BOX.match(text) if ticked else None)
    if match is None or _NOT.search(text):
        return ""
    label = next(filter(None, match.groups()))
    return label if _EVENT.search(label) else ""


def _commands(text: str, places: list[int]) -> Iterator[ClaimWord]:
    """Yield the commands of a line that it says went well."""
    if places[:1] == [_AT_BARE]:
        bare = _BARE_COMMAND.search(text)
        if bare and not _NOT.search(_NO_FAILURE.sub("", text)):
            yield _run(bare)
        del places[0]
    if CODE_MARK not in text:
        return
    for place in places:
        pattern = _COMMANDS[place - _AT_BARE - 1]
        match = pattern.search(text)
        if match and not _NOT.search(_NO_FAILURE.sub("", text[: match.end()])):
            yield replace(_run(match), known=pattern.pattern != _SHOWS)
            return


def _run(match: re.Match[str]) -> ClaimWord:
    return ClaimWord(
        ClaimKind.RUN, match.start(), match.end(), result=True, needs_command=True
    )


# A rule speaks of any build, and says when it passes.
_RULE = re.compile(
    r"^\W*(?:an?|every|each|any) |\b(?:when|if|only|unless|once|until|whenever)\b"
)


def _labelled(text: str) -> Iterator[ClaimWord]:
    """Yield the topics of a line that a later word of it says went well."""
    has_topic = _TOPIC.search(text) and not text.rstrip().endswith(":")
    if not has_topic or _RULE.search(text) or takes_part_back(text):
        return
    plain = _NO_FAILURE.sub(lambda match: "0" * len(match.group()), text)
    ticked = bool(_LEADING_TICK.match(text))
    waiting: list[ClaimWord] = []
    for start, end, mark in _cells(text):
        cell = text[start:end]
        label = _label_in(cell, start)
        result_end = None
        if label is not None:
            waiting.append(label)
            # More words behind it make a sentence of it, and no status.
            result_end = _went(text, label.end, end, label.kind, _NO_MORE)
        elif waiting:
            result_end = _went(text, start, end, waiting[-1].kind, _ENDS_THERE)
            # "Works", "✅ Excellent": a judgement of something compared, no result.
            if result_end and _JUDGED.search(text[start:result_end]):
                result_end = None
        if result_end is not None:
            if not _NOT.search(plain[:result_end]):
                yield from (replace(word, end=result_end) for word in waiting)
            waiting = []
        elif (
            label is None
            and cell.strip()
            and CODE_MARK not in cell
            and mark not in "()"
        ):
            waiting = []
    if ticked and waiting and not _NOT.search(plain):
        yield from (word for word in waiting if _LABEL_ENDS.match(text, word.end))


def _cells(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the cells of a line, each with the mark that ends it."""
    start = 0
    for match in _CELL.finditer(text):
        yield start, match.start(), match.group().strip()
        start = match.end()
    yield start, len(text), ""


# "`unwrap()` in tests is fine" speaks of something in them.
_WITHIN = re.compile(r"\b(?:in|of|for|by|from)\s(?:the\s)?$")


def _label_in(cell: str, start: int) -> ClaimWord | None:
    """Return what a cell speaks of, if it is a label and no sentence."""
    match = _TOPIC.search(cell)
    if match is None or match.lastgroup is None:
        return None
    before = cell[: match.start()]
    if _WITHIN.search(before):
        return None
    if is_blocked(_NO_FAILURE.sub("", before)):
        return None
    if len(before.split()) > _MOST_WORDS or _MADE.search(cell):
        return None
    kind = ClaimKind(match.lastgroup)
    return ClaimWord(kind, start + match.start(), start + match.end(), result=True)


def _went(
    text: str, start: int, end: int, kind: ClaimKind, then: re.Pattern[str]
) -> int | None:
    """Return where a cell has said that its topic went well; None if it does not.

    `then` is what may stand behind it in the cell.
    """
    match = _WENT.match(text, start, end)
    if match is None and kind in {ClaimKind.RUN, ClaimKind.BUILD}:
        match = _UP.match(text, start, end)
    return match.end() if match and then.match(text, match.end(), end) else None
