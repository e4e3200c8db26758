"""English results: "all tests pass", "the build is clean", and what takes them back."""

import re
from collections.abc import Iterator

from verifyhub.engine.completion.languages.model import (
    LINTERS,
    SCREENS,
    TEST_TOOLS,
    TYPE_CHECKERS,
    ClaimKind,
    ClaimWord,
    last_end,
)
from verifyhub.engine.text.screen import Screen

_BLOCKED = re.compile(
    r"\b(?:not|never|no|nor|neither|none|without|hardly|will|would|should|could|must"
    r"|might|may|can|cannot|shall|if|unless|until|whether|when|whenever|once|ensures?"
    r"|ensuring|make sure|makes sure|making sure|requires?|verify|verifies|expect"
    r"|expects|expected|want|wants|need|needs|before|assuming|assumes|why|keep|keeps"
    r"|keeping|to get|fail|fails"
    r"|failed|failing|broken|hopefully|likely|probably|claims?|says|said|states|stated"
    r"|wrote|asserts?|so that|(?<!after )that the)\b|n['’]t\b"
)
# "I verified that the tests pass" reports; "verify that the tests pass" asks.
_REPORTED = re.compile(r"\b(?:verified|confirmed|checked|made sure|ensured)\b")
_IMPERATIVE = re.compile(
    r"^\W*(?:run|re-run|rerun|verify|ensure|check that|check if|make|confirm|add"
    r"|update|create|fix|remove|write|implement|rebuild|use|wait|commit|push|merge"
    r"|install|try|keep|move|see|test that|test with|let|do|go|open|review|consider"
    r"|repeat|start|follow|apply|change|replace|set|validate)\b(?!\W{0,4}[:|—–])"
)
_EXCEPT = re.compile(
    r"\b(?:except|apart from|other than|aside from|but (?:not|one|two|\d+)|only"
    r"|some|most|still fail\w*|partially|(\d+) of (?:the )?(?!\1\b)\d+"
    r"|(?:lint\w*|build|type[- ]?check\w*|ci|e2e) (?:still |now )?fail(?:s|ed)?"
    r"|(?:one|two|three|four|five"
    r"|several|[1-9]\d*)(?: \w+){0,2} (?:still )?(?:fails?|failed|failing))\b"
)

_GAP = r"[^.;!?|\n]{0,70}?"
_AFTER = (
    r"(?=\W*$|\W*[.,;:!)(—–✓✅|*+]|\s*\(|\s+(?:and|with|on|in|including|now|after"
    r"|cleanly|again|too|as|without|at|successfully|locally|for|before|across|this"
    r"|here|there|both|but|plus|except|so|when|under|unchanged|end[- ]to[- ]end"
    r"|from (?:the )?(?:very )?(?:start|beginning|outset|first)"
    r"|[a-z]{2,14}ly|\W))"
)
# What a run found, where it says that it found nothing: "without a single failure".
HARM = (
    r"(?:issues?|problems?|warnings?|errors?|findings?|violations?|offen[sc]es?"
    r"|complaints?|objections?|failures?|failed|leaks?|vulnerabilit(?:y|ies)|diff\w*"
    r"|changes?|hits?|alerts?|regressions?|misses|drift|hitch(?:es)?|broken \w+"
    r"|(?:data )?races?)"
)
_CLEAN = (
    r"(?<![a-z])(?:clean(?:ly)?|pass(?:es|ed|ing)?|happy|green|succeed(?:s|ed)?|success(?:ful)?"
    r"|silent|valid|satisfied|quiet"
    r"|successfully|ok|okay|✓|✅|✔|(?:no|0|zero|without)(?: any| a(?: single)?)?"
    r"(?: \w+)? " + HARM + r"\b|nothing to (?:fix|report|change|say|add|complain|flag)"
    r"|(?:runs?|ran|goes|go|went|gone|came|comes?) (?:right |straight |all the way )?"
    r"through"
    r"|(?:looks?|came out|comes out|turned out|is|are) (?:fine|good)|in order"
    r"|error[- ]free|warning[- ]free)"
)
_TOOL_CLEAN = rf"(?:{_CLEAN}|(?:finds?|found|reports?|reported) nothing)"
_TESTS = (
    r"(?<!type )(?<!type-)(?<!lint )\b(?:tests?|test suites?|suites?|specs?"
    r"|test cases|ci|pipeline|checks)\b"
)


_GOOD = r"(?:clean|green|passing|successful|error[- ]free|warning[- ]free)"


_RESULTS: tuple[tuple[ClaimKind, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(text))
    for kind, text in (
        (
            ClaimKind.TESTS,
            _TESTS
            + _GAP
            + r"(?<!for )(?<!of )(?<!by )(?<!that )(?<!which )\b(?:pass(?:es|ed|ing)?"
            r"|succeed(?:s|ed)?|green|ok|(?:went|goes|go|came|come|runs?|ran) through"
            r"|happy)\b" + _AFTER,
        ),
        (
            ClaimKind.TESTS,
            r"(?:^\W*|, |\band )(?:(?:all|the|both|my|its|existing|unit) )*tests? "
            r"(?:are|look) (?:all )?(?:fine|good)\b" + _AFTER,
        ),
        (ClaimKind.TESTS, r"\btests?(?: suite)?\W{0,8}(?:✓|✅|✔)"),
        *(
            (
                kind,
                rf"^\W*(?:an? |the |with an? |got an? )?{_GOOD} (?:\w+ )?(?:{topic})\b"
                r"(?: (?:run|pass|check|result|output|report))?" + _AFTER,
            )
            for kind, topic in (
                (ClaimKind.TESTS, rf"tests?|test suite|suite|{TEST_TOOLS}"),
                (ClaimKind.LINT, rf"lint\w*|{LINTERS}"),
                (ClaimKind.TYPECHECK, rf"type[- ]?check|{TYPE_CHECKERS}"),
                (ClaimKind.BUILD, r"build|compile|compilation"),
            )
        ),
        (
            ClaimKind.TESTS,
            r"\b(?:code|state|version|everything|implementation|it|we|branch|change"
            r"|fix)\b(?: \w+){0,2}? pass(?:es|ed)? (?:\w+ ){0,3}?tests?\b",
        ),
        (ClaimKind.TESTS, _TESTS + _GAP + r"\b(?:no|0|zero|without) failures?\b"),
        (
            ClaimKind.TESTS,
            r"^\W*(?:(?:there (?:are|were)|i (?:see|saw|found)) )?no regressions?"
            r" (?:in|across|among) (?:the |any )?(?:\w+ ){0,3}(?:tests?|suites?)\b",
        ),
        (ClaimKind.TESTS, _TESTS + _GAP + r"\ball (?:good|fine)\b" + _AFTER),
        (
            ClaimKind.TESTS,
            rf"^\W*(?:{TEST_TOOLS})\W{{1,4}}"
            r"(?:ok\b|okay\b|all good\b|[✅✓✔])",
        ),
        (
            ClaimKind.TESTS,
            r"\b(?:all|everything|both|they|those|these)\b(?: \w+){0,2}?"
            r"(?: is| are| still| now| also)*(?: all)?"
            r" (?:pass(?:es|ed|ing)?|green)\b" + _AFTER,
        ),
        (
            ClaimKind.RUN,
            r"\b(?:(?:spell|link|health|sanity|security|memory|leak|licen[sc]e|syntax"
            r"|schema|accessibility|consistency)[- ]?"
            r"(?:check|scan|test|validation)(?:er|s)?"
            r"|(?:dry|smoke|load|stress|soak)[- ](?:run|tests?)|scans?|benchmarks?"
            r"|rollouts?|deployments?|deploy|playbook|notebook|migrations?|backfill|rollback|simulation"
            r"|coverage)\b"
            + _GAP
            + rf"(?:{_CLEAN}|\b(?:passes all \w+|completed|completes"
            r"|finishe[sd]|found nothing"
            r"|all (?:\d+ )?(?:\w+ )?valid|runs end to end|went through)\b)" + _AFTER,
        ),
        (
            ClaimKind.RUN,
            r"^\W*(?:the )?(?:\w+ )?workflow(?: run)?"
            r"(?: (?:on|for|of) [^.;,!?]{1,40}?)?"
            r" (?:is (?:now )?green|finished|completed"
            r"|succeeded|passed)\b" + _AFTER,
        ),
        (
            ClaimKind.TESTS,
            r"\b\d+(?:/\d+)? (?:\w+ ){0,2}?pass(?:ed|ing|es)?\b" + _AFTER,
        ),
        (
            ClaimKind.TESTS,
            r"\b\d+ (?:examples?|specs?|tests?|assertions?)\W+(?:0|no|zero) failures\b",
        ),
        (
            ClaimKind.RUN,
            r"(?:\b(?:endpoint|url|server|api|page|route|request|site)|\ue000)"
            r" (?:now )?"
            r"(?:answers?|answered|returns?|returned|responds?|responded)(?: with)?"
            r"(?: http)?(?: status)?(?: code)? [1-5]\d\d\b"
            r"(?= ?ok\b|\W*$|[.,;:]| and\b)",
        ),
        (
            ClaimKind.RUN,
            r"\bcoverage (?:(?:of|for|in) (?:the )?[\w\ue000.-]+ (?:\w+ )?)?"
            r"(?:is|was|went|goes|rose|grew|increased|now|stands|reached|reaches"
            r"|climbed|climbs|hit)\b"
            r"[^.;\d]{0,20}\b\d{1,3}(?:\.\d+)? ?%",
        ),
        (
            ClaimKind.RUN,
            r"\b(?:no|0|zero)(?: (?:known|open|remaining|new|more|further|high|critical"
            r"|severe|security))* vulnerabilities\b" + _AFTER,
        ),
        (ClaimKind.LINT, r"\blint(?:er|ers|ing|s)?\b" + _GAP + _CLEAN),
        (
            ClaimKind.LINT,
            rf"\b(?:{LINTERS}|go vet|credo|(?:bundle|npm|cargo|pip) audit"
            r"|helm lint|flutter analyze)\b" + _GAP + _TOOL_CLEAN,
        ),
        (ClaimKind.TYPECHECK, rf"\b(?:{TYPE_CHECKERS})\b" + _GAP + _TOOL_CLEAN),
        (
            ClaimKind.TESTS,
            r"\b(?:pytest|jest|vitest|mocha|rspec|phpunit|playwright|cypress|minitest"
            r"|junit|ctest|xctest|go test|cargo test|mix test)\b(?! \w+ing\b)"
            r"[^.;!?|\n,]{0,24}?(?:\b(?:is|are|passes|passed|comes back|reports|all)\b"
            r"[^.;!?|\n]{0,12}?\b(?:green|clean|passes|passed|pass|passing"
            r"|(?:no|0|zero) failures)\b|\b(?:runs?|ran|goes|went) through\b)" + _AFTER,
        ),
        (
            ClaimKind.BUILD,
            r"^\W*(?:all|every|each)(?: (?:of )?(?:the |our )?[\w-]+){0,3}?"
            r" (?:packages?|projects?|crates?|modules?|targets?|workspaces?|apps?"
            r"|services?|images?)"
            r" (?:now |still )?(?:builds?|compiles?)\b" + _AFTER,
        ),
        (
            ClaimKind.LINT,
            r"\b(?:no|0|zero) (?:lint(?:er|ing)?|ruff|eslint|flake8|pylint|clippy"
            r"|golangci-lint|shellcheck|markdownlint)"
            r" (?:issues|errors|warnings|findings|violations|complaints)",
        ),
        (
            ClaimKind.TYPECHECK,
            r"\b(?:no|0|zero) (?:mypy|tsc|pyright) (?:issues|errors|warnings)\b",
        ),
        *(
            (
                kind,
                r"(?<!must )(?<!should )\bpass(?:es|ed)?"
                r" (?:(?:the|all|our|both) )?"
                rf"(?:{topic})\b(?: checks?)?" + _AFTER,
            )
            for kind, topic in (
                (ClaimKind.LINT, rf"lint\w*|{LINTERS}"),
                (ClaimKind.TYPECHECK, rf"type[- ]?check\w*|{TYPE_CHECKERS}"),
            )
        ),
        (
            ClaimKind.FORMAT,
            r"\b(?:formatting(?! (?:improvement|change|fix|update)\w*\b)|formatter"
            r"|fmt)\b" + _GAP + _CLEAN,
        ),
        (
            ClaimKind.FORMAT,
            r"\b(?:all|every|everything|the)(?: [\w-]+){0,2}? (?:files?|code|sources?)"
            r" (?:is|are) (?:now )?(?:[a-z]+-|properly |correctly |all )?formatted\b"
            + _AFTER,
        ),
        (
            ClaimKind.TYPECHECK,
            r"\b(?:type[- ]?check(?:s|ing|er)?|types (?:all )?(?=pass|check|are clean)"
            r"|typescript|typing)\b" + _GAP + _CLEAN + r"(?! through)",
        ),
        (ClaimKind.TYPECHECK, r"\b(?:no|0|zero) type(?:script)? errors\b"),
        (
            ClaimKind.BUILD,
            r"\b(?:build|compilation|bundle(?! \w+ checks?\b))\b"
            + _GAP
            + rf"(?:{_CLEAN}|(?:^|\W)(?:completed?|completes|finished)\b"
            + _AFTER
            + ")",
        ),
        (
            ClaimKind.BUILD,
            r"^\W*(?:the |our |your )?(?:[a-z][\w-]*(?: [\w-]+)?|\ue000+)"
            r" (?:now |still |also )*(?:builds|compiles|assembles)(?: as well| too)?"
            r"(?: (?:with|under|on|using|for) [\w.+# -]{1,40})?"
            r"(?: \([^()]{1,60}\))?\W*$",
        ),
        (
            ClaimKind.BUILD,
            r"\b(?:production|release|full|docker|dev) build (?:now )?works\b" + _AFTER,
        ),
        (
            ClaimKind.BUILD,
            r"\b(?:builds|compiles|assembles|links|bundles|packages|built|compiled)"
            r" (?:cleanly|fine|successfully"
            r"|without (?:any |an? (?:single )?)?(?:errors?|warnings?|issues?)|again)",
        ),
        (
            ClaimKind.BUILD,
            r"\b(?:project|code|app|application|crate|everything|it)"
            r"(?: now| still| also)? (?:builds|compiles)(?=\W*$|,| and\b)",
        ),
    )
)
# `pytest -q` passes: the code is a command, and which kind it is, it says itself.
_COMMAND_RESULT = re.compile(
    r"\ue000\W{0,6}\s*"
    r"(?:(?:now|also|still|all|it|both|command|and) )*"
    r"(?:pass(?:es|ed|ing)?\b(?! (?:(?:it|them|the|an?)\b|\ue000))|succeed(?:s|ed)\b"
    r"|ran (?:cleanly|fine|successfully|without)|runs (?:cleanly|fine|without)"
    r"|(?:run )?(?:went|came) through\b"
    r"|(?:is |are |came back |comes back )?(?:\w+ly )?(?:clean|green|quiet|silent)\b"
    r"|(?:gives?|gave|reports?|reported|shows?|showed|prints|says)"
    r" (?:\d+ (?:tests )?pass|no |0 )"
    r"|complete[sd]? (?:without|success|cleanly)"
    r"|(?:finishes|completes)(?= (?:as well|too|now|again|without)\b|\W*$|[,;.] )"
    r"|exits? (?:with )?0|\W{0,4}(?:0|no) (?:issues|errors|warnings|problems)"
    r"|(?:ran|completed|finished) and )"
)

_WORDINGS = (*_RESULTS, (ClaimKind.RUN, _COMMAND_RESULT))
_SCREEN = Screen((pattern for _, pattern in _WORDINGS), SCREENS)


def takes_part_back(text: str) -> bool:
    """Return whether a sentence says that something did not go well: "except one"."""
    return _EXCEPT.search(text) is not None


def is_blocked(words: str) -> bool:
    """Return whether words before a result take it back: "whether", "claims"."""
    return _BLOCKED.search(words) is not None


def find_results(text: str) -> Iterator[ClaimWord]:
    """Yield what a sentence says went well, unless it takes it back."""
    found = [(at, _WORDINGS[at][1].search(text)) for at in _SCREEN.passed(text)]
    matches = [(at, match) for at, match in found if match]
    if not matches or _IMPERATIVE.search(text):
        return
    now = _BEFORE.sub("", text)
    if _EXCEPT.search(now) and ";" not in text:
        return
    for at, match in matches:
        kind, pattern = _WORDINGS[at]
        if _EXCEPT.search(_part(text, match)) or _taken_back(text, match):
            continue
        past = _PAST_RUN if pattern is _COMMAND_RESULT else _PAST
        current = past.search(match.group()) is None
        yield ClaimWord(kind, *match.span(), current=current, result=True)


def _part(text: str, match: re.Match[str]) -> str:
    """Return what stands between the semicolons around a match."""
    start = text.rfind(";", 0, match.start()) + 1
    end = text.find(";", match.end())
    return _BEFORE.sub("", text[start : end if end >= 0 else len(text)])


_PAST = re.compile(r"\b(?:passed|succeeded)$")
_PAST_RUN = re.compile(r"\b(?:passed|ran|gave|completed)\b")
# "The failing test now passes", and "CI passes when the token is set".
_ONCE_RED = re.compile(r"\b(?:failing|failed|broken) (?:\w+ ){0,2}$")
_CONDITION = re.compile(
    r"^\W*(?:\w+ )?(?:when|if|unless|provided|as long as|only)\b"
    r"(?! (?:i |we )?(?:run|ran|running|executed|invoked|built|tested|using)\b)"
)


# "The build passes `--release` to cargo": it hands something on.
_HANDS_ON = re.compile(
    r"\bpass(?:es|ed)? (?:\ue000++|(?:the|a|an|its|their|all|both|every|no) [\w-]+)"
    r"(?: [\w-]+)?"
    r" (?:on )?(?:to|into|through|along|down)\b"
)
# "…, according to the changelog" is another's word.
_TOLD_BY = re.compile(r"^[^.;!?\n]{0,60}?\baccording to\b")
_NO_HARM = re.compile(
    rf"\b(?:no|zero|without)(?: new| any)?(?: [\w-]+)? (?:{HARM}|breakage)"
    r"(?= and\b|,|;|$)"
    r"|\b(?:no|without)(?: new| any)? (?:regressions?|breakage)\b"
)
# "(before the change, 2 of 10 failed)" tells of another time.
_BEFORE = re.compile(
    r"\((?:before|was|were|previously|earlier|up from)\b[^()]{1,120}\)"
)
# What stands in brackets before a result is no condition of it.
_ASIDE = re.compile(r"\([^()]{1,200}\)")
_BUT_FAILS = re.compile(r"\b(?:but|yet|though)\b(?: \w+){0,3} (?:fails?|breaks?)\b")


def _taken_back(text: str, match: re.Match[str]) -> bool:
    following = text[match.end() : match.end() + 80]
    if _HANDS_ON.search(text[match.start() : match.end() + 80]):
        return True
    if _CONDITION.search(following) or _BUT_FAILS.search(following):
        return True
    if _TOLD_BY.search(following):
        return True
    before = _ASIDE.sub("", text[: match.start()])
    before = _NO_HARM.sub("", _ONCE_RED.sub("", before))
    statement = (
        _BLOCKED.sub("", match.group()) if _good(match.group()) else match.group()
    )
    if _REPORTED.search(before):
        before = before[last_end(_REPORTED, before) :].replace("that the", "")
    if _AFTERWARDS.search(before) or _AFTER_IT.search(match.group()):
        return True
    if _OF_ANOTHER.search(match.group()):
        return True
    return bool(_BLOCKED.search(before) or _BLOCKED.search(statement))


# "Clippy warnings about blocks that are valid": that is said of the blocks.
_OF_ANOTHER = re.compile(r"\b(?:that|which|who) (?:is|are|was|were) \w+\Z")
_AFTER_IT = re.compile(
    r"\bafter (?:each|every|the(?! (?:\w+ )?(?:change|fix|edit|rename|update|move"
    r"|rewrite|upgrade)s?\b))\b"
)
_AFTERWARDS = re.compile(r"\bafter(?: the| all| every| each)?\W*$")


def _good(words: str) -> bool:
    """Return whether the negation in `words` is the good news: "no issues"."""
    return bool(re.search(r"\b(?:no|zero|without)\b(?: \w+){0,2}\W*$", words))
