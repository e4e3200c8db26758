"""The marked answer: every name is marked where it stands, whatever surrounds it."""

import json
import re
from html import unescape
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.builders import verify
from tests.common.test_markdown import MARKDOWN
from verifyhub.engine.reports import (
    ClaimStatus,
    CompletionClaim,
    MentionResult,
    Status,
)
from verifyhub.engine.types import MentionKind
from verifyhub.ingest.formats.native import parse_interaction
from verifyhub.review.answer_page.marked_answer import marked_answer
from verifyhub.review.answer_page.marks import NameMark, names_of

REAL = Path(__file__).parents[2].parent / "shared/data/mentions_dev.jsonl"
LINK = re.compile(r'<a [^>]*data-mark="mention=(\d+)"[^>]*>(.*?)</a>', re.S)
RUN = re.compile(r'<span[^>]*data-start="(\d+)" data-end="(\d+)"[^>]*>([^<]*)</span>')


def name(index, *spans, status="unverified"):
    mention = MentionResult(
        text="b.py",
        kind=MentionKind.FILE,
        key="b.py",
        spans=spans,
        status=Status(status),
        reason="not_found",
    )
    return NameMark(index, mention, None)


def marked(page):
    """Which ranges of the source each mention's marks hold."""
    found = {}
    for index, inside in LINK.findall(page):
        runs = [(int(a), int(b)) for a, b, _text in RUN.findall(inside)]
        found.setdefault(int(index), []).append(runs)
    return found


def spans_marked(page, names):
    """How many spans of the names are marked: by their runs, or by a sign."""
    marks, count = marked(page), 0
    for each in names:
        for start, end in each.spans:
            inside = [
                runs
                for runs in marks.get(each.index, [])
                if not runs or any(start <= a and b <= end for a, b in runs)
            ]
            count += bool(inside)
    return count


# The others are marked in the deep layer.
@pytest.mark.skipif(not REAL.exists(), reason="the recorded runs are not here")
@pytest.mark.parametrize(
    "some", [slice(0, None, 5), pytest.param(slice(None), marks=pytest.mark.deep)]
)
def test_every_mention_of_real_answers_is_marked(some):
    records = [json.loads(line) for line in REAL.read_text().splitlines()[some]]

    for record in records:
        answer = record["answer"]
        sent = {key: record[key] for key in ("task", "answer", "tool_calls")}
        report = verify(parse_interaction(sent))
        names = names_of(report, {})
        claims = report.completion_claims
        wanted = sum(len(each.spans) for each in names)
        for raw in (False, True):
            page = marked_answer(answer, names, claims, raw=raw)

            assert "In the markup itself" not in page, record["id"]
            assert spans_marked(page, names) == wanted, record["id"]
            assert page.count('class="claim-flag') == len(claims), record["id"]
            for start, end, text in RUN.findall(page):
                source = answer[int(start) : int(end)]
                shown = {source, source.replace("\n", " ")}
                assert unescape(text) in shown, record["id"]


@given(MARKDOWN, st.lists(st.tuples(st.integers(0, 90), st.integers(1, 9)), max_size=6))
def test_no_mark_is_lost_in_any_markdown(source, places):
    spans = [
        (start, min(len(source), start + length))
        for start, length in places
        if start < len(source)
    ]
    names = [name(index, span) for index, span in enumerate(spans)]

    page = marked_answer(source, names, [])

    assert {int(index) for index, _inside in LINK.findall(page)} == set(
        range(len(names))
    )


def test_names_are_marked_wherever_they_stand():
    source = (
        "# b.py\n\nb.py and `b.py` and [b.py](b.py)\n\n| b.py |\n|---|\n| `b.py` |\n\n"
        "```py\nopen('b.py')\n```\n> - **b.py**\n"
    )
    spans = [found.span() for found in re.finditer(r"b\.py", source)]

    page = marked_answer(source, [name(0, *spans)], [])

    assert len(spans) == 9
    assert len(LINK.findall(page)) == 9


def test_a_name_under_shorter_ones_has_a_sign_of_its_own():
    source = "pkg.mod"

    page = marked_answer(
        source, [name(0, (0, 7)), name(1, (0, 3)), name(2, (3, 7))], []
    )

    assert "mark--also" in page
    assert set(marked(page)) == {0, 1, 2}


def test_a_name_across_colours_is_one_link():
    source = "```python\nimport b.py + c\n```\n"

    page = marked_answer(source, [name(0, (10, 21))], [])

    assert len(LINK.findall(page)) == 1
    assert "hl-keyword" in LINK.findall(page)[0][1]


def test_a_claim_across_markup_has_one_flag():
    source = "All **tests** pass."
    claim = CompletionClaim(
        text=source,
        span=(0, len(source)),
        kind="tests",
        status=ClaimStatus.CONTRADICTED,
    )

    page = marked_answer(source, [], [claim])

    assert page.count("claim-flag") == 1
    assert page.rstrip().endswith("contradicted</a></p>")


def test_status_is_told_by_word_too():
    page = marked_answer("b.py", [name(0, (0, 4))], [])

    assert '<span class="sr"> (unverified)</span>' in page


def test_invisible_characters_are_seen_and_have_their_place():
    page = marked_answer("a\u202eb", [], [])

    assert 'data-start="1" data-end="2"><span class="ctl"' in page


def test_what_slips_through_the_renderer_is_cleaned(monkeypatch):
    evil = (
        '<a href="javascript:alert(1)" onclick="x()" hx-get="//evil">x</a><img src=y>'
    )
    monkeypatch.setattr(
        "verifyhub.review.answer_page.marked_answer._run", lambda _text: evil
    )

    page = marked_answer("x", [], [])

    assert page == "<p><a>x</a></p>"
