"""English: lines without a verb of the agent's, that tell what became of a thing.

"`NOTES.md` entry added for the new limit", "saved in commit `1a2b3c4`", "**LIST.md**
got the same lines": a list of work leaves out who did it, and says where it is.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from verifyhub.engine.completion.languages.english_results import is_blocked
from verifyhub.engine.completion.languages.model import SCREENS, ClaimKind, ClaimWord
from verifyhub.engine.text.screen import Screen

# A file, or a document that is known without its name.
_FILE = r"(?:\ue000+|readme|changelog|(?:the )?release notes)\W{0,3}"
_NOUNS = r"(?: (?!(?:is|are|was|were|gets?|be|been|being|to|that|which)\b)[\w\ue000-]+)"
_MADE = (
    r"(?:added|updated|extended|adjusted|refreshed|drafted|written|rewritten|created"
    r"|regenerated|bumped|expanded|corrected|trimmed|brought (?:in line|into line"
    r"|up to date)|moved|renamed)"
)
_KEPT = (
    r"(?:kept|saved|stored|exported|rendered|written|recorded|dumped|captured|copied"
    r"|backed up|published)"
)
_LABEL = r"[\w ]{1,30}\W{0,3}:\W{0,4}"
_SHA = r"(?:\ue000+|[a-f\d]{7,40}\b)"


class _Row(NamedTuple):
    """A wording: `file` asks that the line names a file, `code` that a command."""

    kind: ClaimKind
    text: str
    file: bool = False
    code: bool = False
    state: bool = False
    soft: bool = False


_ROWS = (
    _Row(
        ClaimKind.EDIT,
        rf"^\W*{_FILE}{_NOUNS}{{0,4}} {_MADE}\b"
        r"(?= (?:for|with|to|about|on|in|from|so|accordingly|too|as)\b|\W*$)",
        file=True,
    ),
    _Row(
        ClaimKind.EDIT,
        rf"^\W*{_FILE} (?:(?:also |now )?(?:got|gained|received|lost)"
        r"|now (?:carries|has))"
        r" (?:the (?:same|new|matching)|an? (?:new|matching|short|note|line|section"
        r"|paragraph|entry)|(?:one|two|three|four|five|\d+) (?:new|more|lines?|entr))",
        file=True,
    ),
    _Row(ClaimKind.EDIT, r"^\W*(?:project |agent )?memory (?:is |was )?updated\b"),
    _Row(
        ClaimKind.EDIT,
        r"^\W*(?:one|two|three|four|five|\d{1,3}) files? (?:changed|updated|modified"
        r"|edited)\W{0,3}[:—–-] \W?\ue000",
        file=True,
        soft=True,
    ),
    _Row(
        ClaimKind.EDIT,
        r"^\W*(?:the )?(?:package |plugin |crate |app )?version bumped"
        r" (?:from v?\d[\w.-]* )?to v?\d",
    ),
    _Row(
        ClaimKind.COMMIT,
        r"(?:\b(?:saved|landed|recorded|stored|kept|included|bundled|captured|went|is|are)"
        rf"|\bit['’]s) (?:now |all )?(?:in|as|under|with) (?:the )?commit \W?{_SHA}",
    ),
    _Row(
        ClaimKind.PUSH,
        r"^\W*(?:it|they|everything|all of it|both|the (?:branch|commits?|fix|changes?"
        r"|work|tags?)) (?:has |have )?(?:also |then |already )?(?:went|gone|is|are)"
        r" (?:straight |right )?(?:out|up) (?:to|on) (?:\ue000|the remote|origin|github"
        r"|gitlab|upstream)",
    ),
    _Row(
        ClaimKind.CREATE,
        rf"(?:^\W*(?:{_LABEL})?|, )(?:(?:an?|the|one) )?"
        r"(?:(?!(?:is|are|be|to|which|that|gets?|was|were)\b)[\w×-]+ ){0,6}?"
        rf"{_KEPT} (?:as|to|in|under|at|into) \W?\ue000",
        file=True,
        state=True,
    ),
    _Row(
        ClaimKind.CREATE,
        r"^\W*an? (?:[\w-]+ ){1,5}(?:under|at|in) \W?\ue000+\W*$",
        file=True,
        state=True,
    ),
    _Row(
        ClaimKind.RUN,
        r"^\W*[a-z][\w ]{1,30}\W{0,3}[:—]\W{0,3}\d[\d.,]* ?(?:%|ms\b|s\b|[kmg]?b\b)?"
        r"[^()\ue000]{0,30}\(\W?\ue000+\W?\)",
        code=True,
    ),
    _Row(
        ClaimKind.RUN,
        r"\b\d{1,5} files in (?:one|a single|this|the) commit\b"
        r"|^\W*(?:it|the commit) (?:holds|has|contains) \d{1,6} lines in"
        r" (?:\d{1,5}|two|three|four|five|six|seven|eight|nine|ten) files\b",
    ),
)
_WORDINGS = tuple(re.compile(row.text) for row in _ROWS)
_SCREEN = Screen(_WORDINGS, SCREENS)
# What the program does, at some time of its own.
_RULE = re.compile(
    r"\b(?:when(?:ever)?|if|unless|automatically|every|each|by (?:the|an?)|always"
    r"|on (?:save|change|login|startup|demand))\b"
)


def find_lines(text: str) -> Iterator[ClaimWord]:
    """Yield what a line tells of a thing without saying who did it.

    Args:
        text: The line in lower case, code masked.
    """
    for place in _SCREEN.passed(text):
        match = _WORDINGS[place].search(text)
        if match is None or is_blocked(text[: match.end()]) or _RULE.search(text):
            continue
        row = _ROWS[place]
        yield ClaimWord(
            row.kind,
            *match.span(),
            needs_command=row.code,
            needs_file=row.file,
            state=row.state,
            soft=row.soft,
            known=not row.state,
        )
