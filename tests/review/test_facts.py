"""A claim of fact: marked in place, its evidence, and what a person says of it."""

import re
from html.parser import HTMLParser

import pytest

from tests.review.conftest import ANSWER
from tests.review.facts import a_fact, a_passage, with_facts
from tests.review.test_decision_api import judge, post
from verifyhub.engine.claim_results import FactStatus, JudgedBy
from verifyhub.learning.models import CalibrationSample, LabelledExample
from verifyhub.memory.models import MemoryEntry
from verifyhub.review.decide import judge as judge_item
from verifyhub.review.decide import undo_override
from verifyhub.review.decisions import Decision, FactFlip
from verifyhub.review.effect_words import effect_words
from verifyhub.review.errors import UnchangedError
from verifyhub.review.models import Override

__all__ = ["judge"]

WHOLE = ANSWER
FIRST = "The price is made in `compute_price()` of `shop/pricing.py`"


@pytest.fixture
def stated(item):
    return with_facts(item, a_fact(ANSWER, FIRST))


def address(item, tail=""):
    project, answer = item.project.slug, item.interaction_id
    return f"/p/{project}/answers/{answer}/{tail}"


def say(item, reviewer, status="wrong", index=0):
    flip = FactFlip(index=index, status=status)
    done = judge_item(
        item=item,
        decision=Decision(facts=(flip,), reason="I read the manual."),
        reviewer=reviewer,
        version=item.version,
    )
    item.refresh_from_db()
    return done.outcome.overrides[-1]


class Nesting(HTMLParser):
    """Fails where an element is closed that is not the innermost one."""

    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, attrs):
        if tag not in {"meta", "link", "input", "br", "hr", "img", "wbr"}:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_a_claim_is_marked_around_the_names_in_it(stated, reviewer, browse):
    page = browse(reviewer).get(address(stated)).content.decode()

    answer = page.split('id="answer-text"')[1].split("</section>")[0]
    Nesting().feed(f"<div {answer.rsplit('</div>', 1)[0]}</div>")
    assert 'class="fact fact--good"' in answer
    marked = re.findall(
        r'<span class="fact fact--good"><a[^>]*data-mark="([^"]*)', answer
    )
    assert marked == ["mention=0", "mention=1"]
    assert 'data-mark="fact=0"' in answer


def test_overlapping_claims_each_have_a_flag(item, reviewer, browse):
    lower = "`shop/pricing.py`, then `apply_discount()`"
    with_facts(
        item,
        a_fact(ANSWER, FIRST),
        a_fact(ANSWER, lower, status=FactStatus.CONTRADICTED),
    )

    page = browse(reviewer).get(address(item)).content.decode()

    assert re.findall(r'class="fact-flag fact--\w+" href="\?fact=(\d)', page) == [
        "0",
        "1",
    ]


def test_the_deciding_words_are_marked_in_the_passage(stated, reviewer, browse):
    page = browse(reviewer).get(address(stated, "?fact=0")).content.decode()

    assert "<mark>19 percent</mark> since 2007" in page
    assert "Manual" in page
    assert "90 % sure" in page


def test_what_speaks_against_it_stands_beside(item, reviewer, browse):
    fact = a_fact(ANSWER, FIRST, contradicting=(a_passage("since 2007"),))
    with_facts(item, fact)

    page = browse(reviewer).get(address(item, "?fact=0")).content.decode()

    assert "<mark>since 2007</mark>" in page


def test_what_nobody_judged_is_said_to_be_unjudged(item, reviewer, browse):
    fact = a_fact(
        ANSWER,
        FIRST,
        status=FactStatus.UNKNOWN,
        judged_by=JudgedBy.NOBODY,
        confidence=None,
        evidence=None,
    )
    with_facts(item, fact)

    page = browse(reviewer).get(address(item, "?fact=0")).content.decode()

    assert "not judged" in page
    assert "Missing evidence is not a contradiction" in page


def test_hostile_passages_stay_text(item, reviewer, browse):
    text = "<script>alert(1)</script> 19 percent"
    with_facts(item, a_fact(ANSWER, FIRST, evidence=a_passage("19 percent", text)))

    page = browse(reviewer).get(address(item, "?fact=0")).content.decode()

    assert "<script>alert(1)" not in page


def test_an_answer_without_sources_says_how_claims_are_checked(item, reviewer, browse):
    page = browse(reviewer).get(address(item)).content.decode()

    assert "if the run sends sources" in page


def test_a_person_says_that_a_claim_is_wrong(stated, reviewer):
    made = say(stated, reviewer)

    row = stated.verification.claims.get()
    assert row.human_status == "wrong"
    assert (made.before, made.after) == ("verified", "wrong")


def test_the_session_is_told_of_it(stated, reviewer):
    made = say(stated, reviewer)

    entry = MemoryEntry.objects.get(kind="correction")
    assert entry.mention_kind == "fact"
    assert "is not true" in effect_words(made.effects[0])


def test_it_is_a_sample_of_the_judges_confidence(stated, reviewer):
    say(stated, reviewer)

    sample = CalibrationSample.objects.get()
    assert (sample.check_name, sample.score, sample.label) == ("claims", 0.9, False)
    assert LabelledExample.objects.get().target == "fact"


def test_a_claim_nobody_judged_is_a_sample_of_its_support(item, reviewer):
    fact = a_fact(
        ANSWER, FIRST, judged_by=JudgedBy.LOCAL_SIGNALS, confidence=None, support=0.3
    )
    with_facts(item, fact)

    say(item, reviewer, "right")

    sample = CalibrationSample.objects.get()
    assert (sample.score, sample.label) == (0.3, True)


def test_undoing_gives_the_machine_its_word_back(stated, reviewer):
    made = say(stated, reviewer)

    undo_override(override=made, actor=reviewer, version=stated.version)

    assert stated.verification.claims.get().human_status == ""
    assert not CalibrationSample.objects.filter(active=True).exists()
    assert not MemoryEntry.objects.filter(kind="correction", state="active").exists()


def test_undoing_the_last_word_leaves_the_one_before(stated, reviewer):
    say(stated, reviewer, "wrong")
    last = say(stated, reviewer, "right")

    undo_override(override=last, actor=reviewer, version=stated.version)

    assert stated.verification.claims.get().human_status == "wrong"


def test_saying_the_same_twice_is_refused(stated, reviewer):
    say(stated, reviewer)

    with pytest.raises(UnchangedError):
        say(stated, reviewer)


def test_it_is_said_on_the_page(stated, reviewer, browse):
    reply = browse(reviewer).post(
        address(stated, "facts/0/flip/"),
        {"version": 0, "status": "wrong", "reason": "I read the manual."},
        follow=True,
    )

    assert "wrong, by a reviewer" in reply.content.decode()
    assert Override.objects.get().target == "fact"


def test_a_claim_that_is_not_there_is_refused(stated, reviewer, browse):
    reply = browse(reviewer).post(
        address(stated, "facts/7/flip/"),
        {"version": 0, "status": "wrong", "reason": "I read the manual."},
    )

    assert reply.status_code == 422


def test_a_program_says_it_over_the_api(judge, stated):
    body = {
        "version": 0,
        "facts": [{"index": 0, "status": "wrong"}],
        "reason": "The manual says otherwise.",
    }

    reply = post(judge, stated, body)

    assert reply.status_code == 200
    assert stated.verification.claims.get().human_status == "wrong"
