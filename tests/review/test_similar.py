"""Answers like this one, what people decided of them, and of a name before."""

import pytest

from tests.factories import ProjectFactory
from tests.review.conftest import send
from verifyhub.review.decide import confirm_verdict, override_mention
from verifyhub.review.models import ReviewItem

OTHER = "Look at `shop/discounts.py` again."


@pytest.fixture
def read(browse, reviewer):
    client = browse(reviewer)

    def get(interaction, path="similar/"):
        url = f"/p/acme/answers/{interaction.id}/{path}"
        return client.get(url).content.decode()

    return get


def item_of(interaction):
    return ReviewItem.objects.get(interaction=interaction)


def agree(interaction, reviewer):
    item = item_of(interaction)
    confirm_verdict(item=item, reviewer=reviewer, version=item.version)


def flip(item, reviewer, name="shop/discounts.py"):
    override_mention(
        item=item,
        mention=item.verification.mentions.get(text=name),
        status="verified",
        reason="I looked, it is there.",
        version=item.version,
        reviewer=reviewer,
    )


def test_an_answer_with_the_same_name_is_shown_with_its_decision(
    read, answered, reviewer
):
    earlier = answered(task="Where is the discount?", answer=OTHER)
    agree(earlier, reviewer)

    page = read(answered(agent={"name": "another"}, task="zzz"))

    assert f"/answers/{earlier.id}/" in page
    assert "names the same thing that was not found" in page
    assert str(reviewer) in page


def test_a_decision_of_the_same_agent_for_the_same_reasons_is_shown(
    read, answered, reviewer
):
    earlier = answered(task="qqq", answer="It is in `shop/elsewhere.py`.")
    agree(earlier, reviewer)

    page = read(answered(task="zzz"))

    assert "same agent, same reasons" in page


def test_open_ones_are_counted_and_lead_to_the_queue(read, answered):
    answered(task="second")
    answered(task="third")

    page = read(answered())

    assert "2 like this are open" in page
    assert "/review/?agent=scout&amp;reason=" in page


def test_the_same_answer_is_never_among_them(read, answered, reviewer):
    interaction = answered()
    flip(item_of(interaction), reviewer)

    page = read(interaction)

    assert "None yet" in page


def test_another_projects_answers_are_not_shown(read, answered):
    send(ProjectFactory(slug="other"), answer=OTHER)

    assert "None yet" in read(answered())


def test_what_was_said_of_a_name_before_stands_with_its_evidence(
    read, answered, reviewer
):
    earlier = answered(answer=OTHER)
    flip(item_of(earlier), reviewer)
    interaction = answered()
    index = item_of(interaction).verification.mentions.get(text="shop/discounts.py")

    page = read(interaction, f"?mention={index.index}")

    assert "Earlier decisions on this name" in page
    assert "I looked, it is there." in page


def test_a_page_of_likenesses_takes_few_queries(
    read, answered, reviewer, django_assert_max_num_queries
):
    for number in range(5):
        earlier = answered(task=f"task {number}", answer=OTHER)
        agree(earlier, reviewer)
    interaction = answered()

    with django_assert_max_num_queries(20):
        read(interaction)
