import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.model_server import an_honest_submission
from verifyhub.common.visible import visible
from verifyhub.engine.cross_tier.prompt import material, verifier_document
from verifyhub.engine.cross_tier.verifier import CrossTierOpinion, ask_verifier
from verifyhub.engine.judging.ask import Controls
from verifyhub.engine.judging.metered import Metered
from verifyhub.engine.ledger.build import build_ledger
from verifyhub.engine.ledger.summary import summarise
from verifyhub.engine.ports import ModelError, ModelReply
from verifyhub.engine.reports import (
    Evidence,
    Grade,
    MentionResult,
    Outcome,
    Status,
)
from verifyhub.engine.types import Interaction, MentionKind, ToolCall

RUN = Interaction(
    task="Where is the parser?",
    answer="In parser.py, next to lexer.py.",
    tool_calls=(ToolCall(index=0, tool="list", output="parser.py"),),
)
FOUND = MentionResult(
    text="parser.py",
    kind=MentionKind.FILE,
    key="parser.py",
    spans=((3, 12),),
    status=Status.VERIFIED,
    reason="found",
    grade=Grade.C,
    evidence=(Evidence(tool_call=0, field="output", span=(0, 9)),),
)
ABSENT = MentionResult(
    text="lexer.py",
    kind=MentionKind.FILE,
    key="lexer.py",
    spans=((22, 30),),
    status=Status.UNVERIFIED,
    reason="not_found",
)


class ScriptedModel:
    """Answers from a list, as JSON text; an exception in it is raised."""

    name = "scripted"

    def __init__(self, *replies):
        self.replies = iter(replies)
        self.asked = []

    def ask(self, asked):
        self.asked.append(
            {"messages": [{"content": asked.system}, {"content": asked.user}]}
        )
        reply = next(self.replies)
        if isinstance(reply, Exception):
            raise reply
        text = reply(self.asked[-1]) if callable(reply) else reply
        return ModelReply(text=text)


def honest(**changes):
    return lambda request: json.dumps(an_honest_submission(request, **changes))


def ask(model) -> CrossTierOpinion:
    return ask_verifier(
        RUN,
        (FOUND, ABSENT),
        summarise(build_ledger(RUN)),
        model=Metered(model),
        rng=random.Random(1),
    )


def test_a_judge_that_answered_in_prose_is_asked_once_more():
    prose = ModelError("no_tool_call", "the reply calls nothing")
    model = ScriptedModel(prose, honest())

    opinion = ask(model)

    assert opinion.check.outcome is Outcome.PASSED
    assert "called no function" in model.asked[1]["messages"][0]["content"]


def test_a_judge_that_only_answers_in_prose_is_inconclusive():
    prose = ModelError("no_tool_call", "the reply calls nothing")

    opinion = ask(ScriptedModel(prose, prose))

    assert opinion.check.outcome is Outcome.INCONCLUSIVE
    assert opinion.check.reason == "no_tool_call"


def test_a_sound_reply_adds_confidence_completeness_and_gaps():
    opinion = ask(ScriptedModel(honest(gaps=["line number"])))

    assert opinion.check.outcome is Outcome.PASSED
    assert (opinion.confidence, opinion.completeness) == (0.9, 0.8)
    assert opinion.gaps == ("line number",)


def test_a_name_that_the_trace_holds_can_only_be_doubted():
    def doubt(request):
        said = an_honest_submission(request)
        moved = [*said["unverified"], "parser.py"]
        kept = [name for name in said["verified"] if name != "parser.py"]
        return honest(unverified=moved, verified=kept)(request)

    opinion = ask(ScriptedModel(doubt))

    assert opinion.doubted == ("parser.py",)
    assert opinion.check.outcome is Outcome.FAILED


def test_a_contradiction_is_named():
    opinion = ask(ScriptedModel(honest(warnings=["contradiction: two parsers"])))

    assert opinion.contradictions == ("two parsers",)
    assert opinion.warnings[0].message == "two parsers"


@pytest.mark.parametrize("misjudged", ["verified", "unverified"])
def test_a_judge_that_calls_everything_the_same_is_found_out(misjudged):
    def same(request):
        names = an_honest_submission(request)["mentions"]
        other = {"verified": "unverified", "unverified": "verified"}[misjudged]
        return honest(**{misjudged: names, other: []})(request)

    opinion = ask(ScriptedModel(same))

    assert opinion.misled
    assert opinion.confidence is None
    assert opinion.check.outcome is Outcome.INCONCLUSIVE


def test_a_malformed_reply_gets_one_repair_try():
    model = ScriptedModel("I think all is well.", honest())

    opinion = ask(model)

    assert opinion.check.outcome is Outcome.PASSED
    assert "refused" in model.asked[1]["messages"][0]["content"]


@pytest.mark.parametrize(
    ("replies", "reason"),
    [
        ((ModelError("deadline", "too slow"),), "deadline"),
        (("prose", "prose again"), "malformed"),
    ],
)
def test_without_a_usable_reply_there_is_no_score(replies, reason):
    opinion = ask(ScriptedModel(*replies))

    assert opinion.check.outcome is Outcome.INCONCLUSIVE
    assert (opinion.check.score, opinion.confidence) == (None, None)
    assert opinion.check.reason == reason
    assert opinion.gaps == ("Verification could not be completed",)


@given(reply=st.text() | st.from_regex(r'\{"verified": \[.*\]\}', fullmatch=True))
def test_no_reply_whatever_raises_or_verifies(reply):
    opinion = ask(ScriptedModel(reply, reply))

    assert opinion.check.outcome is Outcome.INCONCLUSIVE


@given(task=st.text(), answer=st.text(), output=st.text())
def test_the_material_parses_back_to_the_same_fields(task, answer, output):
    run = Interaction(
        task=task,
        answer=answer,
        tool_calls=(ToolCall(index=0, tool="t", output=output),),
    )

    controls = Controls(nonce="n", decoy="d", sure="s")
    summary = summarise(build_ledger(run))
    document = verifier_document(run, (), summary)
    text = material(document, summary, controls, random.Random(1))

    document = json.loads(text)["n"]
    assert (document["task"], document["answer"]) == (visible(task), visible(answer))
    assert document["tool_results"]
