"""What of a run is too much to be searched is told, and nothing of it is judged."""

from tests.builders import a_read
from verifyhub.engine.completion.check import MOST_LISTED
from verifyhub.engine.ledger.build import MOST_CALLS
from verifyhub.engine.mentions.extract import MOST_NAMES
from verifyhub.engine.pipeline import VerificationRequest, verify
from verifyhub.engine.types import Interaction, ToolCall
from verifyhub.engine.verdicts import VerificationReport


def _verified(answer: str, *calls: ToolCall) -> VerificationReport:
    return verify(
        VerificationRequest(Interaction(task="", answer=answer, tool_calls=calls))
    )


def _left_out(report: VerificationReport) -> dict[str, object]:
    (warning,) = (one for one in report.warnings if one.code == "NOT_SEARCHED")
    return {field: value for field, value in warning.details.items() if value}


def test_names_beyond_the_limit_are_left_out_and_the_answer_is_not_accepted():
    names = [f"`name_{number}`" for number in range(MOST_NAMES + 2)]
    shown = a_read(content=" ".join(names))

    report = _verified(" ".join(names), shown)

    assert len(report.mentions) == MOST_NAMES
    assert all(str(one.status) == "verified" for one in report.mentions)
    assert _left_out(report) == {"names_from": " ".join(names).index(names[-2]) + 1}
    assert report.verdict == "uncertain"


def test_claims_beyond_the_limit_are_left_out():
    claim = "I created `ghost.py`.\n\n"

    report = _verified(claim * (MOST_LISTED + 1))

    assert len(report.completion_claims) == MOST_LISTED
    assert _left_out(report) == {"claims_from": len(claim) * MOST_LISTED}


def test_calls_beyond_the_limit_deny_nothing_and_settle_nothing():
    empty = [ToolCall(index=at, tool="x", input={}) for at in range(MOST_CALLS)]
    last = ToolCall(index=MOST_CALLS, tool="bash", input={"command": "make unheard"})

    report = _verified("I ran `make unheard`; it took 4,312 km.", *empty, last)

    assert _left_out(report) == {"tool_calls": 1}
    assert [one.reason for one in report.mentions] == ["trace_cut"]
    assert [str(one.status) for one in report.completion_claims] == ["unchecked"]
    assert report.values == ()
    assert (report.verdict, report.decision.action) == ("uncertain", "accept")
