"""English: what a tool says, what was measured, where a file went, how a thing stands.

Sentences whose subject is no agent: a tool ("gitleaks found no secrets"), a quantity
("accuracy went up to 0.83"), a file ("the cover went to `a.png`") or the thing that was
worked on ("the index is in place").
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from verifyhub.engine.calls.programs import RunKind
from verifyhub.engine.completion.languages.english_results import is_blocked
from verifyhub.engine.completion.languages.model import (
    SCREENS,
    ClaimKind,
    ClaimWord,
    tool_names,
)
from verifyhub.engine.text.screen import Screen

_SOON = r"(?:(?:now|also|still|then|again|itself) ){0,2}"
_NOTHING = (
    r"(?:reports?|reported|finds?|found|raises?|raised|shows?|showed|flags?|flagged"
    r"|detects?|detected|confirms?|confirmed|says|said|gives?|gave|returns?|returned"
    r"|has|had|prints?|printed|emits?|emitted|sees|saw) (?:that )?"
    r"(?:there (?:is|are|was|were) )?(?:no|nothing|none|zero|0)\b"
)
_ACCEPTS = (
    r"(?:accepts?|accepted|approves?|approved|agrees|agreed)\b(?! (?:only|if|a)\b)"
)
_FEW = (
    r"(?:both|all(?: of)?(?: the)?(?: \w+)?|every|each|\d{1,6}|two|three|four|five|six"
    r"|seven|eight|nine|ten)(?: [\w-]+){0,2}? "
)
_METRIC = (
    r"(?:accuracy|precision|recall|f1|loss|score|size|image|bundle|binary|latency"
    r"|throughput|time|runtime|duration|memory|usage|cost|gas|speed|performance|startup"
    r"|footprint|allocations?|rate|overhead|build|queries|query|page|cpu|p\d\d)"
)
_MOVED = (
    r"(?:went (?:up|down)|dropped|fell|shrank|has shrunk|rose|grew|improved|increased"
    r"|decreased|climbed|halved|doubled|sank|is (?:now )?(?:down|up))"
)
_AMOUNT = (
    r"\d[\d.,]*(?: ?(?:%|percent|x\b|ms\b|s\b|sec|minutes?|min\b|hours?|[kmgt]i?b\b"
    r"|rows?\b|req|times\b|points?\b|fps\b)|(?=\W*$))"
)
# A quantity that changed, or one beside what it was before.
MEASURED = re.compile(
    rf"\b{_METRIC}\b[^.;!?\d]{{0,40}}? {_MOVED}\b[^.;!?\d]{{0,30}}?{_AMOUNT}"
    rf"|\b(?:takes|took|needs|needed|uses|used)\b[^.;!?\d]{{0,20}}?{_AMOUNT}"
    r"[^.;!?\d]{0,20}(?:instead of|rather than|down from|up from|compared (?:to|with))"
    r"[^.;!?\d]{0,20}\d"
    r"|^\W*(?:it|the (?:script|run|job|import|migration|query|plan|export|command))"
    r" (?:wrote|dropped|removed|processed|found|read|imported|loaded|created|deleted"
    r"|skipped|returned|exported|updated|matched) [^.;!?\d]{0,20}\d[\d,.]*\d"
    r"|\b(?:accuracy|precision|recall|f1|loss|latency|throughput|hit rate|perplexity"
    r"|(?:lighthouse|bleu|rouge|performance) scores?)\b[^.;!?\d]{0,20}? (?:is|was|are"
    r"|reaches|reached|climbs|drops|falls|rises|stands|improves|settles)"
    rf"[^.;!?\d]{{0,20}}?{_AMOUNT}"
    r"|^\W*[a-z][\w'’ -]{1,30}\W{0,3}[:—] *\W{0,3}(?:about |around |~)?"
    r"\d[\d.,]* ?(?:%|ms|s|sec|[kmgt]i?b|fps|req/s)\W*$"
    r"|^\W*\d[\d.,]{2,} (?:\w+ ){1,3}(?:(?:are|were|was) (?:left|kept|removed|dropped"
    r"|imported|processed|skipped|loaded|written)|remain(?:ed)?)\b"
    r"|\b(?:image|bundle|binary|package|archive|wheel)(?: size)? (?:is|has|weighs"
    r"|measures|comes to) (?:(?:now|only|just|about) ){0,2}\d[\d.,]* ?[kmgt]i?b\b"
    rf"|\bis (?:now )?(?:about |around |roughly |some )?{_AMOUNT}"
    r" (?:faster|slower|smaller|larger|lower|higher|less|lighter)\b"
)
# What is there now, and was written: "A regression test asserts it", "the README
# explains the option".
ARTEFACT = re.compile(
    r"^\W*(?:(?:an?|one|two|three|the new|\d) (?:[\w-]+ ){0,2}?"
    r"(?P<new>tests?|specs?|changesets?|(?:changelog|cron) entr(?:y|ies)|hooks?"
    r"|cron jobs?)"
    r"|(?:the |both |all )?(?:[\w-]+ )?(?P<told>readme|contributing|changelog"
    r"|release notes|documentation|docs|guide|manual(?! checks?\b)|changes))"
    r"\b(?: (?:in|of|for) \W?\ue000++\W?)? (?P<now>(?:is|are)? ?now )?"
    r"(?:asserts?|covers?|checks?|describes?|documents?|verif(?:y|ies)|guards?|ensures?"
    r"|runs?|reproduces?|pins?|explains?|proves?|mentions?|lists?|renews?"
    r"|(?:is|are) covered by (?:[\w-]+ )?tests?)\b"
)
# The state of a thing that somebody's work has brought about.
_STANDS = (
    r"^\W*(?:and |now )?(?:the|both|all|your|our|its|everything|every|each)\b"
    r"[^.;:!?,]{0,60}? (?:is|are|has been|have been)"
    r" (?:(?:now|all|both|also|fully|correctly|again|back) ){0,3}"
    r"(?:in place|up[- ]to[- ]date|in sync|synced|active|running|live|healthy|available"
    r"|installed|enabled|applied|deployed|configured|registered|created|uploaded"
    r"|imported|indexed|reachable|renewed|restored|mounted|updated|upgraded|migrated"
    r"|invalidated|rebuilt|recompiled|refreshed|flashed|compressed|archived)\b"
    r"(?=\W*$|[.,;]| (?:on|in|to|at|and|with|from|again)\b)"
)


class _Row(NamedTuple):
    """A wording: `code` asks that the code in it is a command."""

    kind: ClaimKind
    text: str
    result: bool = False
    code: bool = False


_ROWS = (
    *(
        _Row(
            ClaimKind(kind),
            rf"(?<![\w.-])(?:{tool_names(kind)})\b(?! \w+ing\b)(?: [\w-]+){{0,2}}?"
            rf" {_SOON}(?:{_NOTHING}|{_ACCEPTS})",
            result=True,
        )
        for kind in (RunKind.LINT, RunKind.TYPECHECK, RunKind.TESTS)
    ),
    _Row(ClaimKind.RUN, rf"\ue000 {_SOON}(?:{_ACCEPTS})", result=True, code=True),
    _Row(
        ClaimKind.TESTS,
        rf"\b{_FEW}(?:scenarios?|features|targets|cases|examples)\b"
        r"(?:[^.;!?\n]{0,40}?) (?:pass(?:es|ed)?|succeed(?:s|ed)?|are green"
        r"|(?:go|goes|went|ran|run) through)\b"
        r"(?=\W*$|[.,;]| (?:now|again|and|in)\b)",
        result=True,
    ),
    _Row(
        ClaimKind.TESTS,
        r"\bno (?:failing|failed|red|broken) (?:tests?|specs?|cases|scenarios?)\b"
        r"(?=\W*$| (?:remain|are left|left|any ?more))",
        result=True,
    ),
    _Row(
        ClaimKind.RUN,
        r"\b(?:trial|test|first|second|final|end-to-end|full|complete|manual) run"
        r"(?: of [^.;,!?]{1,40}?)? (?:succeeded|passed|went (?:fine|well|through)"
        r"|was (?:clean|successful)|finished)\b",
        result=True,
    ),
    _Row(ClaimKind.RUN, MEASURED.pattern),
    _Row(
        ClaimKind.RUN,
        r"^\W*(?:the |my |our )?benchmarks? (?:shows?|showed|confirms?|confirmed"
        r"|indicates?)\b",
    ),
    _Row(
        ClaimKind.RUN,
        r"^\W*(?:the |my )?(?:git )?(?:working (?:tree|copy|directory)|\ue000++)"
        r" (?:is|shows) (?:an? )?(?:now )?clean(?: working (?:tree|directory))?\W*$",
    ),
    _Row(
        ClaimKind.RUN,
        r"\b(?:diff|commit|change(?:set)?|patch|pr) (?:covers|touches|spans|affects"
        r"|changes) (?:\d{1,5}|two|three|four|five|six|seven|eight|nine|ten) files?\b"
        r"|\b\d{1,5} files? changed\b",
    ),
    _Row(ClaimKind.EDIT, ARTEFACT.pattern),
    *(
        _Row(
            kind,
            rf"^\W*there (?:are|were|is|was) (?:now )?(?:no|zero) (?:more )?(?:{topic})"
            r" (?:errors?|warnings?|issues?|problems?|failures?|tests)\b"
            r"(?=\W*$|[.,;]| (?:any ?more|left|now)\b)",
            result=True,
        )
        for kind, topic in (
            (ClaimKind.BUILD, "compiler|compile|compilation|build"),
            (ClaimKind.TYPECHECK, "type|typing|typescript"),
            (ClaimKind.LINT, "lint|linter|style"),
            (ClaimKind.TESTS, "test|failing"),
        )
    ),
    _Row(
        ClaimKind.CREATE,
        r"^\W*(?:and )?(?:the|an?|its|your|all|both) (?:[\w-]+ ){1,4}?"
        r"(?:went (?:in)?to|(?:is|are|was|were) saved (?:as|to|in|under)"
        r"|(?:has |have )?(?:landed|ended up) in) \W?\ue000+\W*$",
    ),
    _Row(
        ClaimKind.RUN,
        r"(?:^\W*|\bi(?:['’]ve| have)? )(?:also |then )?tried"
        r" (?:(?:it|this|that|them|the|an?|both)\b|\ue000)",
    ),
    *(
        _Row(
            kind,
            rf"\bit['’]s (?:(?:now|all|also|been) ){{0,2}}{verb}\b"
            r"(?=\W*$|[.,;]| (?:to|on|in|at|as|with)\b)",
        )
        for kind, verb in (
            (ClaimKind.PUSH, "pushed"),
            (ClaimKind.COMMIT, "committed"),
            (ClaimKind.OTHER, "(?:deployed|published|tagged|released|merged)"),
        )
    ),
    _Row(ClaimKind.OTHER, _STANDS),
)
_WORDINGS = tuple(re.compile(row.text) for row in _ROWS)
_SCREEN = Screen(_WORDINGS, SCREENS)
# Of any time, or of some of it.
_GENERAL = re.compile(
    r"\b(?:always|usually|often|typically|only|most|some|each time)\b"
)


def find_reports(text: str) -> Iterator[ClaimWord]:
    """Yield what a sentence says by a subject that is no agent.

    Args:
        text: The sentence in lower case, code masked.
    """
    for place in _SCREEN.passed(text):
        match = _WORDINGS[place].search(text)
        if match is None or is_blocked(text[: match.start()]):
            continue
        if _GENERAL.search(text[: match.end()]):
            continue
        row = _ROWS[place]
        stands = row.text == _STANDS
        yield ClaimWord(
            row.kind,
            *match.span(),
            result=row.result,
            soft=row.text == ARTEFACT.pattern,
            needs_command=row.code,
            known=not stands,
            state=stands,
        )
