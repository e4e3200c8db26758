"""What an agent writes, in a verdict for a terminal: shown, never obeyed."""

import unicodedata

import pytest

from tests.builders import a_tool_call, an_interaction
from tests.engine.memory.test_context import entry
from verifyhub.cli.verify_text import HIDDEN, as_text
from verifyhub.engine.memory.context import compile_context
from verifyhub.engine.memory.formats import STYLES, ContextFormat, deliver
from verifyhub.engine.pipeline import VerificationRequest, verify
from verifyhub.engine.thresholds import Thresholds

ATTACKS = {
    "clears the screen": "\x1b[2J\x1b[H",
    "sets the title": "\x1b]0;pwned\x07",
    "hides a link": "\x1b]8;;https://evil.example\x1b\\src/app.py\x1b]8;;\x1b\\",
    "writes the clipboard": "\x1b]52;c;cm0gLXJmIC8=\x07",
    "asks for an answer that is typed": '\x1bP$q"p\x1b\\\x1b[21t\x1b[6n',
    "one byte of C1": "\x9b31m\x9d0;x\x9c",
    "draws over the line": "ACCEPT\rREJECT\b\b\b\b\b\bACCEPT",
    "makes lines of its own": "\n\nACCEPT  run-1\n\v\f\x85\u2028\u2029",
    "turns the text around": "\u202e\u2066yp.ppa\u2069\u202c",
    "hides itself": "a\u200bb\u2060c\ufeff\u00ad\U000e0041",
    "no character": "\udc80\ud800\ue000",
}


def obeyed(text):
    return {char for char in text if unicodedata.category(char) in HIDDEN} - {"\n"}


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
def test_a_verdict_for_people_holds_nothing_that_a_terminal_obeys(attack):
    path = f"src/{attack}app.py"
    interaction = an_interaction(
        f"`{path}` says {attack}. All tests pass{attack} in `{attack}.py`.",
        a_tool_call(attack, output=f"{attack} {path}: error"),
    )

    report = verify(VerificationRequest(interaction=interaction))
    text = as_text(report, attack, colour=False)

    assert obeyed(text) == set()
    # It has the lines of a verdict, and no first line but its own.
    own = ("  ", report.verdict.upper())
    assert all(line.startswith(own) for line in text.splitlines() if line)


@pytest.mark.parametrize("kind", [ContextFormat.TEXT, ContextFormat.MARKDOWN])
@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
def test_a_context_for_agents_holds_nothing_that_a_terminal_obeys(attack, kind):
    kinds = ("finding", "blocker", "gap", "correction", "preference")
    context = compile_context(
        task=attack,
        entries=[entry(one, f"src/{attack}{one}.py") for one in kinds],
        constraints=(),
        budget=900,
        thresholds=Thresholds(),
        style=STYLES[kind],
    )

    sent = deliver(context, format=kind, session=attack, known=True)

    assert len(context.lines) >= 3
    assert obeyed(sent.body) == set()
