"""The hub without a server decides as a server does."""

import threading

from tests.client.conftest import TASK
from verifyhub.embedded import AgentAnswer, LocalHub

INVENTED = ", ".join(f"`shop/ghost_{number}.py`" for number in range(5))


def test_an_invention_that_is_repeated_asks_for_other_words(local):
    def stubborn(attempt):
        return AgentAnswer(answer=f"See {INVENTED}.")

    result = local.run_until_accepted(stubborn, TASK, max_attempts=4)

    assert [attempt.verdict.action for attempt in result.attempts] == [
        "retry",
        "reformulate",
        "fail",
    ]


def test_a_goal_is_checked_against_what_the_tools_did(local):
    def boasts(attempt):
        return AgentAnswer(answer="I ran the tests and all of them pass.")

    result = local.run_until_accepted(boasts, TASK, goal="Run the tests.")

    first = result.attempts[0].verdict
    assert (first.action, first.reason) == ("retry", "unattempted_claim")
    assert first.raw["goal"]["goalAchieved"] is False


def calm(attempt):
    return "It is fine."


def test_a_slow_model_holds_up_nobody_else():
    asked, free = threading.Event(), threading.Event()

    def verifier_for(tier):
        if tier == "slow":
            asked.set()
            assert free.wait(30)

    hub = LocalHub(verifier_for=verifier_for)
    slow = threading.Thread(
        target=hub.run_until_accepted,
        args=(calm, TASK),
        kwargs={"tier": "slow"},
    )
    slow.start()
    try:
        assert asked.wait(30)
        assert hub.run_until_accepted(calm, TASK).verdict
    finally:
        free.set()
        slow.join()
