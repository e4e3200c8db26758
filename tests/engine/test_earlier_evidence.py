"""An answer's own calls go first; earlier ones settle what those leave open."""

import json
import time

import pytest

from tests.builders import a_read, a_tool_call, an_interaction, verify
from verifyhub.engine.earlier.turns import EarlierTurn, EarlierTurns
from verifyhub.engine.reports import EarlierEvidence, Grade, Relation
from verifyhub.engine.thresholds import Thresholds
from verifyhub.engine.types import CallStatus


def before(*calls, signed=()) -> EarlierTurns:
    turn = EarlierTurn(
        interaction="earlier",
        relation=Relation.ATTEMPT,
        age_seconds=60,
        calls=an_interaction("", *calls).tool_calls,
        signed_calls=frozenset(signed),
    )
    return EarlierTurns(turns=(turn,))


def edit(path: str, old: str, new: str):
    data = {"file_path": path, "old_string": old, "new_string": new}
    return a_tool_call("Edit", data, "Updated.", status=CallStatus.OK)


def test_what_the_own_calls_show_is_shown_by_them():
    run = an_interaction("See `src/app.py` and `src/tax.py`.", a_read("src/app.py"))

    seen = before(a_read("src/app.py"), a_read("src/tax.py"))
    app, tax = verify(run, earlier=seen).mentions

    assert (app.reason, app.earlier_evidence) == ("found", ())
    assert (tax.reason, tax.evidence) == ("found_earlier", ())
    assert tax.earlier_evidence[0].tool_call == 1


@pytest.mark.parametrize(
    ("signed", "status", "grade"),
    [((0,), "verified", Grade.B), ((), "unverified", Grade.C)],
)
def test_earlier_evidence_has_the_grade_of_its_own_turn(signed, status, grade):
    [name] = verify(
        an_interaction("See `src/app.py`."),
        earlier=before(a_read("src/app.py"), signed=signed),
        thresholds=Thresholds(minimum_grade="B"),
    ).mentions

    assert (name.status, name.grade) == (status, grade)


def test_memory_shows_no_name_that_a_later_call_took_away():
    told = EarlierEvidence(
        interaction="other", relation=Relation.MEMORY, age_seconds=9, grade=Grade.C
    )
    names = {("function", "total"): told}
    seen = before(a_read("a.py", "def total(): ..."), edit("a.py", "total", "amount"))
    run = an_interaction("Use `total()`.")

    [fresh] = verify(run, earlier=EarlierTurns(from_memory=names)).mentions
    [gone] = verify(
        run, earlier=EarlierTurns(turns=seen.turns, from_memory=names)
    ).mentions

    assert (fresh.status, fresh.reason) == ("verified", "told_verified")
    assert (gone.status, gone.reason) == ("unverified", "stale")


def test_many_names_and_many_changes_take_no_longer_than_both():
    names = [f"name_{number}" for number in range(2_000)]
    seen = a_read("a.py", "\n".join(f"def {name}(): ..." for name in names))
    changes = [edit("b.py", f"x = {number}", "y") for number in range(2_000)]
    run = an_interaction(" ".join(f"`{name}()`" for name in names))

    started = time.process_time()
    verify(run, earlier=before(seen, *changes))

    assert time.process_time() - started < 20


def order(number: str, total: float):
    output = json.dumps({"order_id": number, "total": total, "currency": "EUR"})
    return a_tool_call("get_order", {"id": number}, output, status=CallStatus.OK)


def test_a_value_that_an_earlier_turn_read_is_no_invention():
    run = an_interaction(
        "Order W7734 came to 512.40 EUR, W7735 to 18.20 EUR and W7736 to 77.30 EUR.",
        order("W7735", 18.20),
    )

    alone = {one.text: one for one in verify(run).values}
    later = {
        one.text: one
        for one in verify(run, earlier=before(order("W7734", 512.4))).values
    }

    assert alone["W7734"].is_flagged
    assert later["W7734"].status == "supported"
    assert later["W7734"].earlier_evidence[0].tool_call == 0
    assert later["W7736"].is_flagged
