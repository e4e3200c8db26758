"""Where a verdict says a name stands: several places, best first, each exact."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.builders import a_command, a_tool_call, an_interaction, verify
from verifyhub.engine.reports import Grade
from verifyhub.engine.text.search import BLOCK, NameSearch, blocks
from verifyhub.engine.text.tokens import CHUNK


def _mention(answer, *calls):
    (mention,) = verify(an_interaction(answer, *calls)).mentions
    return mention


def test_a_name_is_shown_in_five_texts_at_most_in_the_order_of_the_calls():
    calls = [a_command("ls", "a.txt\nsrc/store.py src/store.py") for _ in range(7)]

    mention = _mention("See `store.py`.", *calls)

    places = [(place.tool_call, place.field, place.span) for place in mention.evidence]
    assert places == [(call, "output", (10, 18)) for call in range(5)]
    assert {place.grade for place in mention.evidence} == {Grade.C}
    assert mention.as_dict()["evidence"][0]["grade"] == "C"


def test_a_name_whose_parts_stand_in_many_texts_is_found_in_a_late_one():
    calls = [a_command("cat f", "app\npool\ntaken") for _ in range(40)]
    calls.append(a_command("cat g", "app.pool = make()\npool.taken = 1"))

    mentions = verify(an_interaction("`app.pool.taken` and `pool`", *calls)).mentions

    places = [[place.tool_call for place in found.evidence] for found in mentions]
    assert places == [[40], [0, 1, 2, 3, 4]]


def test_places_of_what_only_the_agent_wrote_are_of_the_lowest_grade():
    searches = [
        a_tool_call("Grep", {"pattern": "ghost_name"}, "No files found")
        for _ in range(2)
    ]

    mention = _mention("It calls `ghost_name`.", *searches)

    assert [place.tool_call for place in mention.evidence] == [0, 1]
    assert {place.grade for place in mention.evidence} == {Grade.D}


def test_commands_addresses_and_paths_with_blanks_have_places_too():
    ran = [a_command("git stash pop", "done https://x.org/a 'My Docs/a b.txt'")] * 3
    answer = "`git stash pop`, https://x.org/a and `My Docs/a b.txt`"

    mentions = verify(an_interaction(answer, *ran)).mentions

    assert [len(mention.evidence) for mention in mentions] == [3, 3, 3]


def test_a_name_deep_in_a_long_line_is_found_where_it_stands():
    output = "x" * (3 * BLOCK) + " " + "ab/" * BLOCK + " load_store(1)"

    mention = _mention("`load_store()`", a_command("cat f", output))

    (place,) = mention.evidence
    assert output[slice(*place.span)] == "load_store"


LONG = {"P": "a." * 9_000, "W": "x" * 40_000}


@given(pieces=st.lists(st.sampled_from(["a", "é", "/", " ", *LONG])))
@settings(max_examples=60)
def test_blocks_cut_no_chunk_that_is_shorter_than_a_block(pieces):
    text = "".join(LONG.get(piece, piece) for piece in pieces)
    whole = {
        found.span() for found in CHUNK.finditer(text) if len(found.group()) <= BLOCK
    }

    cut = {
        (first + found.start(), first + found.end())
        for first, last in blocks(text)
        for found in CHUNK.finditer(text[first:last])
    }

    assert whole <= cut


@given(
    names=st.lists(st.text("ab", min_size=1, max_size=4), min_size=1, unique=True),
    text=st.text("ab \ud800é", max_size=30),
)
def test_every_name_is_found_wherever_it_stands(names, text):
    search = NameSearch(names, overlapping=True)

    found = {(names[name], start) for name, start, _ in search.in_block(text)}

    assert found == {
        (name, start)
        for name in names
        for start in range(len(text))
        if text.startswith(name, start)
    }


def test_more_names_than_one_automaton_holds_are_found_in_order():
    names = [f"f{number}" for number in range(5_000)]

    found = NameSearch(names).in_block("f4999 f1 f2500")

    starts = [start for _, start, _ in found]
    assert {"f4999", "f1", "f2500"} <= {names[name] for name, _, _ in found}
    assert starts == sorted(starts)


def test_names_of_an_answer_of_thousands_are_looked_up():
    answer = " ".join(f"`f{number}`" for number in range(5_000))

    mentions = verify(an_interaction(answer, a_command("x", "f7 f4999 f99"))).mentions

    found = [mention.text for mention in mentions if mention.evidence]
    assert found == ["f7", "f99", "f4999"]
