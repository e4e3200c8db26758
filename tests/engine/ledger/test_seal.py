"""A trace that a tool gateway signed: what breaks it, and what it is worth."""

import base64
import json
from dataclasses import replace

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from tests.builders import a_command, a_read, an_interaction, verify
from verifyhub.engine.errors import SealError
from verifyhub.engine.ledger.seal import (
    Gateways,
    SealState,
    read_public_key,
    read_seal,
    sign_trace,
)
from verifyhub.engine.reports import Grade, Outcome, Verdict
from verifyhub.engine.thresholds import Thresholds
from verifyhub.engine.types import CallStatus

SECRET = bytes(range(32))
PUBLIC = (
    Ed25519PrivateKey.from_private_bytes(SECRET)
    .public_key()
    .public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
)
GATEWAYS = Gateways(project="acme", keys={"proxy": PUBLIC})


def a_signed_run(answer="See `src/app.py`.", *, only=None, run="run-1", **more):
    calls = (
        a_read("src/app.py"),
        a_command("pytest -q", "3 passed in 0.1s"),
        a_read("b.py"),
    )
    interaction = an_interaction(answer, *calls, id="run-1", **more)
    covered = [c for c in interaction.tool_calls if only is None or c.index in only]
    signed = sign_trace(SECRET, key_id="proxy", project="acme", run=run, calls=covered)
    return replace(interaction, trace_signature=signed)


def with_calls(run, *calls):
    numbered = tuple(replace(call, index=i) for i, call in enumerate(calls))
    return replace(run, tool_calls=numbered)


def with_output(run, index, text):
    calls = list(run.tool_calls)
    calls[index] = replace(calls[index], output=text)
    return replace(run, tool_calls=tuple(calls))


def test_names_in_signed_calls_have_grade_b():
    report = verify(a_signed_run(), gateways=GATEWAYS)

    assert report.mentions[0].grade is Grade.B
    assert report.checks[0].name == "trace_signature"
    assert report.checks[0].outcome is Outcome.PASSED


def test_names_outside_the_signed_calls_keep_grade_c():
    report = verify(a_signed_run(only={1}), gateways=GATEWAYS)

    assert report.mentions[0].grade is Grade.C


def test_claims_shown_by_a_signed_call_have_grade_b():
    report = verify(a_signed_run("I ran the tests; all pass."), gateways=GATEWAYS)

    assert [claim.grade for claim in report.completion_claims] == [Grade.B]


def test_unsigned_runs_are_as_before():
    report = verify(replace(a_signed_run(), trace_signature=None), gateways=GATEWAYS)

    assert report.mentions[0].grade is Grade.C
    assert report.verdict is Verdict.ACCEPT
    assert "trace_signature" not in {check.name for check in report.checks}


@pytest.mark.parametrize(
    "forge",
    [
        lambda run: with_calls(run, *run.tool_calls[1:]),
        lambda run: with_calls(run, *run.tool_calls[::-1]),
        lambda run: with_calls(run, run.tool_calls[1], *run.tool_calls),
        lambda run: replace(run, id="run-2"),
        lambda run: replace(run, id=None),
        lambda run: replace(run, tool_calls=()),
        lambda run: with_calls(
            run, replace(run.tool_calls[0], status=CallStatus.OK), *run.tool_calls[1:]
        ),
        lambda run: with_calls(
            run, replace(run.tool_calls[0], tool="Write"), *run.tool_calls[1:]
        ),
        lambda run: with_calls(
            run, replace(run.tool_calls[0], input={}), *run.tool_calls[1:]
        ),
    ],
)
def test_a_forged_run_is_refused_and_goes_to_people(forge):
    report = verify(forge(a_signed_run()), gateways=GATEWAYS)

    assert report.checks[0].outcome is Outcome.FAILED
    assert "TRACE_SIGNATURE_INVALID" in {warning.code for warning in report.warnings}
    assert report.verdict is not Verdict.ACCEPT
    assert all(mention.grade is not Grade.B for mention in report.mentions)


@pytest.mark.parametrize(
    "gateways",
    [
        Gateways(project="other", keys={"proxy": PUBLIC}),
        Gateways(project="acme", keys={"proxy": bytes(32)}),
        Gateways(project="acme"),
    ],
)
def test_another_project_or_key_believes_nothing(gateways):
    assert read_seal(a_signed_run(), gateways).state is SealState.INVALID


def test_a_thousand_forgeries_are_refused():
    run = a_signed_run()
    signature = base64.b64decode(run.trace_signature["signature"])
    forged = []
    for bit in range(len(signature) * 8):
        data = bytearray(signature)
        data[bit // 8] ^= 1 << bit % 8
        changed = {"signature": base64.b64encode(bytes(data)).decode()}
        forged.append(replace(run, trace_signature={**run.trace_signature, **changed}))
    for call in run.tool_calls:
        for at in range(min(len(call.output), 200)):
            changed_text = call.output[:at] + "~" + call.output[at + 1 :]
            forged += [
                with_output(run, call.index, text)
                for text in (changed_text, call.output[:at])
            ]
    forged += [replace(run, id=f"run-1{number}") for number in range(500)]

    states = {read_seal(run, GATEWAYS).state for run in forged}

    assert len(forged) > 1000
    assert states == {SealState.INVALID}


@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.text()
        | st.floats(allow_nan=False, allow_infinity=False),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=8,
    )
)
def test_a_signature_survives_json(value):
    call = replace(a_read(), input={"value": value})
    run = an_interaction("Done.", call, id="run-1")
    signed = sign_trace(
        SECRET, key_id="proxy", project="acme", run="run-1", calls=run.tool_calls
    )
    again = json.loads(json.dumps({"value": value}))
    received = with_calls(run, replace(call, input=again))

    seal = read_seal(replace(received, trace_signature=signed), GATEWAYS)

    assert seal.state is SealState.VALID


@pytest.mark.parametrize("text", ["", "abc", "A" * 44, base64.b64encode(b"x").decode()])
def test_what_is_no_public_key_is_refused(text):
    with pytest.raises(SealError):
        read_public_key(text)


def test_a_project_may_ask_for_signed_evidence():
    strict = Thresholds(minimum_grade="B")

    unsigned = verify(replace(a_signed_run(), trace_signature=None), thresholds=strict)
    signed = verify(a_signed_run(), thresholds=strict, gateways=GATEWAYS)

    assert unsigned.mentions[0].reason == "grade_too_low"
    assert unsigned.verdict is not Verdict.ACCEPT
    assert signed.verdict is Verdict.ACCEPT


def test_claims_below_the_least_grade_are_unchecked():
    run = replace(a_signed_run("I ran the tests; all pass."), trace_signature=None)

    report = verify(run, thresholds=Thresholds(minimum_grade="B"))

    assert [str(claim.status) for claim in report.completion_claims] == ["unchecked"]
