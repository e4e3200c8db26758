"""What holds for names of every kind, wherever they stand and whatever is around."""

from hypothesis import given
from hypothesis import strategies as st

from tests.builders import a_command, an_interaction, verify
from tests.engine.test_properties import hostile
from verifyhub.engine.mentions.extract import extract_mentions
from verifyhub.engine.reports import Status

# What an answer names, and the line of an output that shows it.
SHOWN = {
    "src/core/zq_app.py:12": "src/core/zq_app.py",
    "/srv/zq/src/zq_main.go": "/srv/zq/src/zq_main.go",
    "src\\zq_win\\zq_app.ts": "src/zq_win/zq_app.ts",
    "zq docs/zq plan.md": "zq docs/zq plan.md",
    "zq/[slug]/page.tsx": "zq/[slug]/page.tsx",
    "zq_folder/inner/": "zq_folder/inner/zq_file.py",
    "@zq/hooks": '"@zq/hooks": "1.0.0"',
    "zqlib==3.1.4": "zqlib 3.1.4",
    "org.zq.boot:zq-web": "<g>org.zq.boot</g><a>zq-web</a>",
    "ZqStore": "class ZqStore:",
    "ZqStore.save_zq()": "class ZqStore:\n    def save_zq(self): pass",
    "zq_load()": "def zq_load(): pass",
    "ZQ_LIMIT": "ZQ_LIMIT = 4",
    "$ZQ_HOME": "export ZQ_HOME=1",
    "--zq-strict": "usage: zq [--zq-strict]",
    "npm run zq-lint": "$ npm run zq-lint",
    "https://zq.example/a?b=1": "see https://zq.example/a?b=1",
    "3f2a9cc": "commit 3f2a9cc0d5e64b7f8a9b0c1d2e3f405162738495",
    "v7.31.9": "tag v7.31.9",
}
names = st.sampled_from(sorted(SHOWN))
several = st.lists(names, min_size=1, max_size=6, unique=True)
around = st.sampled_from(
    [
        "",
        "\r\n",
        "e\u0301 ",
        "👩\u200d👩\u200d👧 ",
        "日本語 ",
        "\u202e",
        "\U0001f600\n\n",
    ]
)


def _said(names_, lead=""):
    return "\n".join(f"{lead}It is `{name}`." for name in names_)


def _shown(names_):
    return a_command("ls", "\n".join(SHOWN[name] for name in names_))


def _statuses(report):
    return {m.text: m.status for m in report.mentions}


def _verified(report):
    return {m.text for m in report.mentions if m.status is Status.VERIFIED}


@given(wanted=several)
def test_name_of_every_kind_is_verified_by_its_evidence_alone(wanted):
    shown = verify(an_interaction(_said(wanted), _shown(wanted)))
    hidden = verify(an_interaction(_said(wanted), a_command("ls", "other.txt")))

    assert set(_statuses(shown).values()) == {Status.VERIFIED}
    assert _verified(hidden) == set()


@given(wanted=several, more=hostile, place=st.integers(0, 2))
def test_evidence_added_anywhere_never_unverifies(wanted, more, place):
    calls = [_shown(wanted[::2]), a_command("pwd", "/srv")]
    before = verify(an_interaction(_said(wanted), *calls))

    calls.insert(place, a_command("ls -a", more))
    after = verify(an_interaction(_said(wanted), *calls))

    assert _verified(before) <= _verified(after)


@given(wanted=several, data=st.data())
def test_order_of_sentences_and_of_evidence_is_irrelevant(wanted, data):
    said = data.draw(st.permutations(wanted))
    shown = data.draw(st.permutations(wanted[::2]))

    one = verify(an_interaction(_said(wanted), _shown(wanted[::2])))
    other = verify(an_interaction(_said(said), _shown(shown)))

    assert _statuses(one) == _statuses(other)


@given(wanted=several, lead=around)
def test_spans_count_code_points(wanted, lead):
    answer = _said(wanted, lead)

    mentions = extract_mentions(answer)

    assert all(
        answer[start:end] == mention.text
        for mention in mentions
        for start, end in mention.spans
    )
    assert {m.text for m in mentions} >= set(wanted) - {"zqlib==3.1.4"}


@given(wanted=several, lead=around)
def test_evidence_lies_where_it_says(wanted, lead):
    call = a_command("ls", lead + "\n".join(SHOWN[name] for name in wanted))

    report = verify(an_interaction(_said(wanted), call))

    places = [place for m in report.mentions for place in m.evidence]
    assert all(call.output[slice(*place.span)].strip() for place in places)
    assert all(0 <= place.span[0] < place.span[1] for place in places)
