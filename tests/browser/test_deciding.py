"""Twenty real runs judged by keyboard alone, with the keys counted and printed."""

import json
import re
import sys
from pathlib import Path
from statistics import median
from time import perf_counter

import pytest
from playwright.sync_api import expect

from tests.browser.keyboard import open_next
from tests.review.conftest import send
from verifyhub.accounts.models import User
from verifyhub.ingest.formats.native import without_unknown
from verifyhub.review.models import Act, Draft, Override, ReviewItem

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

DATA = Path(__file__).parents[2].parent / "shared/data/mentions_dev.jsonl"


class Counted:
    """A keyboard that counts."""

    def __init__(self, page):
        self.page, self.pressed = page, 0

    def press(self, key):
        self.pressed += 1
        self.page.keyboard.press(key)


class ServerTimes:
    """How long the server took to answer, by what was asked, in milliseconds.

    From the request sent to the first byte of the reply, as the browser saw it.
    """

    def __init__(self, page):
        self.deciding: list[float] = []
        page.on("requestfinished", self._add)

    def _add(self, request):
        if request.method == "POST" and request.url.endswith(("/agree/", "/override/")):
            timing = request.timing
            self.deciding.append(timing["responseStart"] - timing["requestStart"])


def real_items(people, runs):
    with DATA.open(encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            send(people, **without_unknown(record)[0])
            if ReviewItem.objects.filter(state="open").count() == runs:
                return


@pytest.mark.timeout(300)
@pytest.mark.skipif(not DATA.exists(), reason="the real runs are not here")
@pytest.mark.parametrize("runs", [4, pytest.param(20, marks=pytest.mark.deep)])
def test_real_runs_are_decided_by_keyboard_alone(visit, people, capsys, runs):
    real_items(people, runs)
    User.objects.update(moves_on=True)
    page = visit().page
    keys, server, counts, waits = Counted(page), ServerTimes(page), [], []
    open_next(page)

    for number in range(runs):
        before = keys.pressed
        page.wait_for_selector("#agree:enabled")
        judged = page.locator("#answer-page").get_attribute("data-answer")
        if number % 4 == 3:
            keys.press("o")
            keys.press("Tab")
            keys.press("1")
            begun = perf_counter()
            keys.press("Enter")
        else:
            begun = perf_counter()
            keys.press("a")
        expect(page.locator(f"#answer-page[data-answer='{judged}']")).to_have_count(0)
        waits.append(perf_counter() - begun)
        counts.append(keys.pressed - before)

    expect(page.locator("#queue-table")).to_contain_text("All done")
    decided = ReviewItem.objects.exclude(state="open")
    assert decided.count() == runs
    assert median(counts) == 1
    assert Override.objects.filter(target="verdict").count() == runs // 4
    with capsys.disabled():
        sys.stdout.write(
            f"\n{runs} real runs: {median(counts)} keys a decision (median),"
            f" {1000 * median(waits):.0f} ms from key to the next answer (median)\n"
            f"server, median: {median(server.deciding):.0f} ms to decide, take the next"
            " and render it\n"
        )


def test_a_decision_leads_to_the_next_answer_and_a_toast_undoes_it(visit, answers):
    User.objects.update(moves_on=True)
    page = visit().page
    open_next(page)
    expect(page.locator("#seen")).to_contain_text("Flags seen: 1 of 2")
    first = page.locator("#answer-page").get_attribute("data-answer")

    page.keyboard.press("a")

    expect(page.locator("h1")).to_contain_text("And the tax?")
    expect(page).to_have_title(re.compile("And the tax?"))
    assert first not in page.url
    expect(page.locator(".sitting")).to_contain_text("1 decided today, 1 left")
    page.locator("#toasts").get_by_role("button", name="Undo").click()
    expect(page.locator(f"#answer-page[data-answer='{first}']")).to_be_visible()
    expect(page.locator("#agree")).to_be_visible()
    assert not Act.objects.filter(undone_at=None).exists()


def test_z_undoes_the_last_then_the_one_before(visit, answers):
    page = visit().page
    keys = page.keyboard
    for _ in range(2):
        keys.press("n")
        page.wait_for_selector("#agree")
        page.wait_for_load_state()
        keys.press("a")
        expect(page.locator("#agree")).to_have_count(0)

    for left in (1, 0):
        keys.press("z")
        expect(page.locator("#flash")).to_contain_text("Undone")
        assert Act.objects.filter(undone_at=None).count() == left


def test_a_reason_is_picked_by_its_number(visit, answers):
    page = visit().page
    open_next(page)
    page.wait_for_selector("#agree")

    for key in ("v", "1", "Enter"):
        page.keyboard.press(key)

    expect(page.locator("#flash")).to_contain_text("Name marked as verified")
    assert Override.objects.get().reason_codes == ["exists"]


def test_the_effects_are_shown_before_confirming(visit, answers):
    page = visit().page
    open_next(page)
    page.wait_for_selector("#agree")

    page.keyboard.press("u")

    told = "Shared with other sessions once a second person"
    expect(page.locator("#evidence .preview")).to_contain_text(told)
    assert not Override.objects.exists()


def test_what_is_marked_in_the_answer_is_what_was_missed(visit, answers):
    page = visit().page
    open_next(page)
    page.wait_for_selector("#agree")
    page.evaluate(
        """() => {
          const walk = document.createTreeWalker(
            document.querySelector(".answer"), NodeFilter.SHOW_TEXT);
          while (walk.nextNode() && !walk.currentNode.data.includes("lowers"));
          const node = walk.currentNode, at = node.data.indexOf("lowers");
          getSelection().setBaseAndExtent(node, at, node, at + 6);
        }"""
    )

    page.keyboard.press("m")
    expect(page.locator("#missed-text")).to_have_value("lowers")
    page.locator("#missed-reason").fill("Invented")
    page.keyboard.press("Enter")

    expect(page.locator("#flash")).to_contain_text("Added: lowers")
    made = Override.objects.get()
    start, end = made.subject["span"]
    assert made.item.interaction.answer[start:end] == "lowers"


def test_a_draft_survives_a_reload(visit, answers):
    page = visit().page
    open_next(page)
    page.wait_for_selector("#agree")
    page.keyboard.press("o")
    page.locator("#override-reason").press_sequentially("half a thought")
    expect(page.locator("#draft-state")).to_contain_text("Draft saved")

    page.reload()

    expect(page.locator("#override-reason")).to_have_value("half a thought")
    assert Draft.objects.get().content["override"]["reason"] == "half a thought"


@pytest.mark.parametrize(("mode", "works"), [("off", None), ("alt", "Alt+a")])
def test_single_letters_can_be_turned_off(visit, answers, mode, works):
    page = visit().page
    open_next(page)
    page.wait_for_selector("#agree")
    page.keyboard.press("?")
    page.locator(f"#keys input[value={mode}]").check()
    with page.expect_navigation():
        page.get_by_role("button", name="Save for me").click()

    page.keyboard.press("a")
    assert User.objects.get().key_mode == mode
    expect(page.locator("#agree")).to_have_count(1)
    if works:
        page.keyboard.press(works)
        expect(page.locator("#agree")).to_have_count(0)


@pytest.mark.parametrize(
    ("mode", "pressed", "chosen"),
    [("letters", "j", 1), ("alt", "j", 0), ("alt", "Alt+j", 1), ("off", "j", 0)],
)
def test_the_queue_obeys_the_same_choice(visit, answers, mode, pressed, chosen):
    User.objects.update(key_mode=mode)
    page = visit().page

    page.keyboard.press(pressed)

    expect(page.locator(".q-row[aria-current]")).to_have_count(chosen)


def test_every_decision_works_without_javascript(visit, answers):
    page = visit(java_script_enabled=False).page
    page.get_by_role("link", name="Review next").click()
    page.locator("#missed summary").click()
    page.locator("#missed-text").fill("lowers")
    page.locator("#missed-reason").fill("Invented")
    page.locator("#missed").get_by_role("button", name="Preview the effects").click()
    told = "Shared with other sessions once a second person"
    expect(page.locator("#missed .preview")).to_contain_text(told)
    page.locator("#missed").get_by_role("button", name="Add", exact=True).click()
    expect(page.locator("#decisions")).to_contain_text("lowers")
    page.locator("#note summary").click()
    page.locator("#note-text").fill("Ask the shop team.")
    page.get_by_role("button", name="Save the note").click()
    expect(page.locator("#decisions")).to_contain_text("Ask the shop team.")
    assert Override.objects.count() == 2
