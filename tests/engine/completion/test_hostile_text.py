from hypothesis import given
from hypothesis import strategies as st

from verifyhub.engine.calls.outcomes.printed import printed_outcomes
from verifyhub.engine.completion.check import MOST_CLAIMS, check_completion
from verifyhub.engine.ledger.build import build_ledger
from verifyhub.engine.ledger.ledger import Ledger
from verifyhub.engine.types import Interaction, ToolCall

PIECES = st.sampled_from(
    [
        "All tests pass",
        "I ran `pytest`",
        "Committed as `1a2b3c4`",
        "тесты проходят",
        "J'ai créé `a.py`",
        "`habe ich geändert`",
        "Your order #A12 has been cancelled",
        "and refunded",
        "İ",
        "```",
        "`",
        "|",
        "**",
        ". ",
        "\n",
        "\u2028",
        "> ",
        "- ",
        "=== 1 passed in 0.1s ===",
        "\x00",
        "\U0001f600",
        '"',
        "$ tsc",
    ]
)
TEXT = st.lists(st.one_of(PIECES, st.text(max_size=12)), max_size=25).map("".join)
INPUT = st.dictionaries(
    st.sampled_from(["command", "file_path", "content", "cmd", "x"]),
    st.one_of(TEXT, st.none(), st.integers(), st.lists(TEXT, max_size=3)),
    max_size=3,
)


@given(answer=TEXT, given_input=INPUT, output=TEXT)
def test_any_text_is_checked_and_spans_point_at_it(answer, given_input, output):
    call = ToolCall(index=0, tool="x", input=given_input, output=output)

    run = Interaction(task="", answer=answer, tool_calls=(call,))
    claims = check_completion(answer, build_ledger(run))

    assert [answer[slice(*claim.span)] for claim in claims] == [
        claim.text for claim in claims
    ]
    assert {index for claim in claims for index in claim.evidence} <= {0}


@given(output=TEXT)
def test_the_span_of_a_printed_result_lies_in_the_output(output):
    spans = [one.span for one in printed_outcomes(output)]

    assert all(0 <= start < end <= len(output) for start, end in spans)


def test_long_runs_of_one_character_are_read_in_linear_time():
    hostile = [
        "a" * 200_000,
        "`" * 100_000,
        "tests " * 50_000,
        "_" * 200_000,
        "a." * 99_999,
        "i have " * 30_000,
        "has been really " * 20_000,
        "#" * 200_000,
    ]

    claims = [check_completion(text, Ledger()) for text in hostile]

    assert claims == [()] * len(hostile)


def test_claims_beyond_the_limit_are_left_unchecked():
    answer = "I created `ghost.py`.\n\n" * (MOST_CLAIMS + 2)

    claims = check_completion(answer, Ledger())

    assert [str(claim.status) for claim in claims[-3:]] == [
        "unattempted",
        "unchecked",
        "unchecked",
    ]


def test_a_command_of_thousands_of_options_is_read_in_linear_time():
    answer = "I created the widgets. I deleted the branch. I updated the packages."
    lines = ["git " + "-a/b " * 800, "npx " + "creat" * 800, "npm -a " * 600]
    calls = tuple(
        ToolCall(index=index, tool="Bash", input={"command": line}, output="x")
        for index, line in enumerate(lines)
    )
    run = Interaction(task="", answer=answer, tool_calls=calls)

    claims = check_completion(answer, build_ledger(run))

    assert len(claims) == 3
