"""What must hold for any text, any trace and any order."""

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.builders import a_command, an_interaction, verify
from verifyhub.engine.mentions.extract import extract_mentions
from verifyhub.engine.reports import Status

EXAMPLES = settings.default.max_examples * 4
names = st.from_regex(r"[a-z]{3,8}/[a-z]{3,8}_[a-z]{3,8}\.(py|go|ts)", fullmatch=True)
pieces = st.sampled_from(
    [
        "`", "``", "```", "```\n", "~~~", "[", "](", ")", "\\_", "/", ".", ":", "#L1",
        "a", "Foo", "foo_bar", "foo()", "src/app.py", "-", "--x", " ", "\n", "\n\n",
        "http://", "v1.2", "$", "{", "}", "é", "Я", "日", "\u200b", "\x00", "\ud800",
        "No such file or directory", "not found\n", "exit code 1", "<<EOF", "\\n",
    ]
)  # fmt: skip
hostile = st.one_of(st.text(max_size=200), st.lists(pieces, max_size=60).map("".join))


def _verified(report):
    return {m.text for m in report.mentions if m.status is Status.VERIFIED}


@given(answer=hostile, output=hostile, task=hostile, command=hostile)
@settings(max_examples=EXAMPLES)
def test_no_text_raises(answer, output, task, command):
    report = verify(an_interaction(answer, a_command(command, output), task=task))

    assert 0.0 <= report.coverage <= 1.0


@given(answer=hostile)
@settings(max_examples=EXAMPLES)
def test_spans_point_at_the_text_they_name_and_do_not_overlap(answer):
    mentions = extract_mentions(answer)

    assert all(
        answer[start:end] for mention in mentions for start, end in mention.spans
    )
    assert all(answer[slice(*mention.spans[0])] == mention.text for mention in mentions)
    spans = sorted(span for mention in mentions for span in mention.spans)
    assert all(first[1] <= second[0] for first, second in itertools.pairwise(spans))


@given(wanted=st.lists(names, min_size=1, max_size=5), more=hostile)
def test_adding_evidence_never_unverifies(wanted, more):
    answer = ", ".join(f"`{name}`" for name in wanted)
    listing = a_command("ls", "\n".join(wanted[::2]))

    before = verify(an_interaction(answer, listing))
    after = verify(an_interaction(answer, listing, a_command("ls -a", more)))

    assert _verified(before) <= _verified(after)


@given(wanted=names, other=names)
def test_removing_the_only_evidence_always_unverifies(wanted, other):
    answer = f"See `{wanted}`."
    shown = verify(an_interaction(answer, a_command("ls", wanted)))
    hidden = verify(an_interaction(answer, a_command("ls", f"x{other}x")))

    assert _verified(shown) == {wanted}
    assert _verified(hidden) == set()


@given(wanted=st.lists(names, min_size=2, max_size=6, unique=True), data=st.data())
def test_order_of_mentions_is_irrelevant(wanted, data):
    shuffled = data.draw(st.permutations(wanted))
    listing = a_command("ls", "\n".join(wanted[::2]))

    one = verify(an_interaction(" ".join(f"`{n}`" for n in wanted), listing))
    other = verify(an_interaction(" ".join(f"`{n}`" for n in shuffled), listing))

    assert _verified(one) == _verified(other)
    assert one.confidence == other.confidence


@given(wanted=names, before=hostile, after=hostile)
def test_evidence_points_at_the_name_in_the_output(wanted, before, after):
    listing = a_command("ls", f"{before}\n{wanted}\n{after}")

    report = verify(an_interaction(f"See `{wanted}`.", listing))

    (place,) = report.mentions[0].evidence
    assert place.field == "output"
    assert listing.output[slice(*place.span)] == wanted.rpartition("/")[2]
