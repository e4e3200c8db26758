"""Two attempts side by side: words and names that came and went."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifyhub.review.answer_page.attempts import changed_spans

FIRST = "It is in `shop/pricing.py` and `shop/ghost.py`, I think."
SECOND = "It is in `shop/pricing.py` and `shop/tax.py`, I know."


@pytest.fixture
def read(browse, reviewer):
    client = browse(reviewer)

    def get(interaction, query=""):
        url = f"/p/acme/answers/{interaction.id}/attempts/{query}"
        return client.get(url).content.decode()

    return get


def rest(text, spans):
    for start, end in reversed(spans):
        text = text[:start] + text[end:]
    return text


@given(st.text(), st.text())
def test_what_did_not_change_is_the_same_on_both_sides(before, after):
    gone, came = changed_spans(before, after)

    assert rest(before, gone) == rest(after, came)


def test_words_that_came_and_went_are_marked(read, answered):
    first = answered(id="a", answer=FIRST)
    second = answered(id="b", answer=SECOND, parent="a")

    page = read(second)

    assert 'class="diff-gone" data-start="50" data-end="55">think</span>' in page
    assert ">know</span>" in page
    assert f"/p/acme/answers/{first.id}/?mention=" in page


def test_names_that_came_and_went_are_listed(read, answered):
    answered(id="a", answer=FIRST)
    second = answered(id="b", answer=SECOND, parent="a")

    listed = read(second).split('id="changes-title"', 1)[1].split("</ul>")[0]

    assert "shop/ghost.py" in listed
    assert "shop/tax.py" in listed
    assert "shop/pricing.py" not in listed


def test_an_attempt_further_back_can_be_chosen(read, answered):
    first = answered(id="a", answer=FIRST)
    answered(id="b", answer="Something else in `shop/x.py`.", parent="a")
    third = answered(id="c", answer=SECOND, parent="b")

    page = read(third, f"?with={first.id}")

    assert "think" in page
    assert "Something else" not in page


def test_a_single_attempt_says_so(read, answered):
    assert "There is one attempt" in read(answered())


def test_the_answer_leads_to_its_attempts(browse, reviewer, answered):
    answered(id="a", answer=FIRST)
    second = answered(id="b", answer=SECOND, parent="a")

    page = browse(reviewer).get(f"/p/acme/answers/{second.id}/").content.decode()

    assert f"/answers/{second.id}/attempts/" in page
