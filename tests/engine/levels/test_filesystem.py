import pytest

from tests.builders import a_tool_call, an_interaction, verify
from tests.engine.ledger.test_seal import PUBLIC, SECRET
from tests.engine.levels.builders import (
    a_block,
    a_deletion,
    a_shell_call,
    a_write,
    an_edit,
    level,
    report_of,
    ruling,
    sha256,
    wrote,
)
from verifyhub.engine.ledger.seal import Gateways, sign_trace
from verifyhub.engine.levels.run import LevelInputs
from verifyhub.engine.reports import Outcome, Verdict
from verifyhub.engine.types import CallStatus

EDITED = {"type": "file-edit", "path": "a.py", "before": "one", "after": "two"}
INSERTED = {"type": "code-inserted", "path": "a.py", "anchor": "two"}
DELETED = {"type": "file-delete", "path": "a.py"}
RAN = {"type": "command-executed", "command": "make  test"}


@pytest.mark.parametrize(
    ("claim", "calls", "status", "category"),
    [
        (wrote("a.py", "one"), [a_write("a.py", "one")], "ok", None),
        (wrote("a.py", "one\n"), [a_write("a.py", "one")], "ok", None),
        (wrote("a.py", "one"), [a_write("/repo/a.py", "one")], "ok", None),
        (wrote("/repo/a.py", "one"), [a_write("./a.py", "one")], "ok", None),
        (wrote("a.py", "two"), [a_write("a.py", "one")], "false", "hash_mismatch"),
        (
            wrote("a.py", "two"),
            [a_write("a.py", "one"), an_edit("a.py", "one", "two")],
            "ok",
            None,
        ),
        (
            wrote("a.py", "one"),
            [a_write("a.py", "one"), an_edit("a.py", "one", "two")],
            "stale",
            None,
        ),
        (
            wrote("a.py", "one"),
            [a_write("a.py", "one"), a_deletion("a.py")],
            "stale",
            None,
        ),
        (wrote("a.py", "one"), [an_edit("a.py", "x", "y")], "unknown", None),
        (
            wrote("A.py", "one"),
            [a_write("a.py", "one")],
            "false",
            "filesystem_mismatch",
        ),
        (wrote("a.py", "one"), [a_shell_call("make gen")], "unknown", None),
        (
            wrote("a.py", "one"),
            [a_write("a.py", "one", status=CallStatus.ERROR)],
            "false",
            "filesystem_mismatch",
        ),
        (wrote("a.py", "one"), [], "unknown", None),
        (
            wrote("a.py", "one"),
            [a_shell_call("sha256sum a.py", f"{sha256('one')}  a.py\n")],
            "ok",
            None,
        ),
        (
            wrote("a.py", "one"),
            [a_shell_call(f"echo {sha256('one')}  a.py", f"{sha256('one')}  a.py\n")],
            "unknown",
            None,
        ),
        (
            wrote("a.py", "two"),
            [a_write("a.py", "one"), a_shell_call("ruff format .")],
            "unknown",
            None,
        ),
        (
            wrote("a.py", "two"),
            [a_write("a.py", "one"), a_shell_call("cd x && pytest -q")],
            "false",
            "hash_mismatch",
        ),
        (
            wrote("a.py", "two"),
            [a_shell_call("cd x && sha256sum a.py", f"{sha256('one')}  a.py\n")],
            "unknown",
            None,
        ),
        (
            DELETED,
            [a_write("a.py", "one"), a_shell_call("make clean")],
            "unknown",
            None,
        ),
        (EDITED, [an_edit("a.py", "one", "two")], "ok", None),
        (EDITED, [an_edit("a.py", "one", "six")], "false", "anchor_mismatch"),
        (EDITED, [an_edit("a.py", "six", "two")], "false", "anchor_mismatch"),
        (
            EDITED,
            [an_edit("a.py", "one", "two"), an_edit("a.py", "three", "four")],
            "ok",
            None,
        ),
        (
            EDITED,
            [an_edit("a.py", "one", "two"), an_edit("a.py", "two", "six")],
            "stale",
            None,
        ),
        (EDITED, [a_shell_call("sed -i s/one/two/ a.py")], "unknown", None),
        (INSERTED, [an_edit("a.py", "one", "one\ntwo")], "ok", None),
        (INSERTED, [a_write("a.py", "one two")], "ok", None),
        (INSERTED, [a_write("a.py", "one")], "false", "anchor_mismatch"),
        (DELETED, [a_deletion("a.py")], "ok", None),
        (DELETED, [a_shell_call("rm -f a.py")], "ok", None),
        (DELETED, [a_deletion("a.py"), a_write("a.py", "one")], "stale", None),
        (DELETED, [a_write("a.py", "one")], "false", "filesystem_mismatch"),
        (
            {"type": "file-delete", "path": "old/a.py"},
            [a_shell_call("rm -rf old")],
            "ok",
            None,
        ),
        (RAN, [a_shell_call("make test")], "ok", None),
        (RAN, [a_shell_call("cd src && make test")], "ok", None),
        (RAN, [a_shell_call("make tests")], "false", "filesystem_mismatch"),
        (RAN, [], "unknown", None),
        (
            RAN,
            [
                a_tool_call(
                    "Bash",
                    {"command": "make test"},
                    "1 failed",
                    status=CallStatus.ERROR,
                )
            ],
            "ok",
            None,
        ),
        (
            RAN,
            [
                a_tool_call(
                    "Bash",
                    {"command": "make test"},
                    "The user refused.",
                    status=CallStatus.REFUSED,
                )
            ],
            "false",
            "filesystem_mismatch",
        ),
    ],
)
def test_a_claim_is_held_against_the_order_of_the_trace(claim, calls, status, category):
    found = ruling(claim, *calls)

    assert (found["status"], found["category"]) == (status, category)
    assert found["grade"] == ("C" if status != "unknown" else None)


def test_a_false_claim_rejects_the_answer_and_a_stale_one_does_not():
    calls = [a_write("a.py", "one"), an_edit("a.py", "one", "two")]

    false = report_of(*calls, block=a_block(wrote("a.py", "six")))
    stale = report_of(*calls, block=a_block(wrote("a.py", "one")))

    assert false.verdict is Verdict.REJECT
    assert '("a.py"): hash_mismatch' in false.decision.additional_context
    assert level(stale, 3).outcome is Outcome.PASSED
    assert stale.verdict is not Verdict.REJECT


def test_a_claim_that_cannot_be_settled_is_no_pass():
    report = report_of(block=a_block(wrote("a.py", "one")))

    check = level(report, 3)
    assert (check.outcome, check.score) == (Outcome.INCONCLUSIVE, None)


def test_two_files_that_a_relative_path_may_mean_settle_nothing():
    calls = [a_write("/one/a.py", "one"), a_write("/two/a.py", "two")]

    assert ruling(wrote("a.py", "six"), *calls)["reason"] == "ambiguous_path"


def test_a_patch_leaves_the_bytes_unknown():
    patch = "*** Begin Patch\n*** Update File: a.py\n-one\n+two\n*** End Patch"
    call = a_tool_call("apply_patch", {"input": patch}, "ok", status=CallStatus.OK)

    assert ruling(wrote("a.py", "one"), call)["status"] == "unknown"


MANIFEST = [
    {"path": "a.py", "sha256": sha256("one"), "anchors": ["two"]},
    {"path": "gone.py", "sha256": None},
]


@pytest.mark.parametrize(
    ("claim", "status", "category"),
    [
        (wrote("a.py", "one"), "ok", None),
        (wrote("./a.py", "two"), "false", "hash_mismatch"),
        (wrote("gone.py", "one"), "false", "file_not_found"),
        (wrote("other.py", "one"), "unknown", None),
        (INSERTED, "ok", None),
        (INSERTED | {"anchor": "six"}, "false", "anchor_mismatch"),
        (DELETED, "false", "filesystem_mismatch"),
        (DELETED | {"path": "gone.py"}, "ok", None),
    ],
)
def test_a_manifest_of_the_agents_own_is_its_word(claim, status, category):
    report = report_of(block=a_block(claim), manifest=MANIFEST)
    (found,) = level(report, 3).details["claims"]

    assert (found["status"], found["category"]) == (status, category)
    assert found["grade"] == ("D" if status != "unknown" else None)
    assert level(report, 3).outcome != "passed"


def test_a_manifest_that_a_gateway_signed_settles_a_claim():
    project, run, manifest = "acme", "run-1", MANIFEST
    call = a_shell_call("./build.sh", "built")
    signature = sign_trace(
        SECRET, key_id="gw", project=project, run=run, calls=[call], manifest=manifest
    )
    gateways = Gateways(project=project, keys={"gw": PUBLIC})

    def judged(**more):
        sent = {"manifest": manifest, "trace_signature": signature} | more
        block = a_block(wrote("a.py", "one"))
        interaction = an_interaction(
            "Done.", call, id=run, structured_output=block, **sent
        )
        return verify(interaction, gateways=gateways)

    (found,) = level(judged(), 3).details["claims"]
    assert (found["status"], found["grade"]) == ("ok", "B")
    assert level(judged(), 3).outcome == "passed"
    other = [*manifest, {"path": "c.py", "sha256": sha256("three")}]
    (found,) = level(judged(manifest=other), 3).details["claims"]
    assert found["grade"] == "D"
    assert "TRACE_SIGNATURE_INVALID" in judged(manifest=other).warning_codes


def test_sources_that_disagree_leave_a_claim_unknown_and_stand_side_by_side():
    report = report_of(
        a_write("a.py", "two"),
        block=a_block(wrote("a.py", "two")),
        manifest=MANIFEST,
    )

    (found,) = level(report, 3).details["claims"]
    assert (found["status"], found["reason"]) == ("unknown", "sources_disagree")
    assert [(one["source"], one["grade"], one["status"]) for one in found["sides"]] == [
        ("trace", "C", "ok"),
        ("manifest", "D", "false"),
    ]
    assert level(report, 3).reason == "sources_disagree"
    assert report.verdict == "uncertain"


def test_a_manifest_cannot_make_an_outdated_claim_false():
    calls = [a_write("a.py", "zero"), an_edit("a.py", "zero", "one")]

    found = ruling(wrote("a.py", "zero"), *calls, manifest=MANIFEST)

    assert found["status"] == "stale"


def test_claims_are_made_from_the_trace_where_none_were_sent():
    calls = [a_write("a.py", "two"), a_deletion("gone.py"), a_write("gone.py", "x")]

    check = level(report_of(*calls, manifest=MANIFEST), 3)

    assert check.details["generated"]
    assert [(c["path"], c["status"]) for c in check.details["claims"]] == [
        ("a.py", "unknown"),
        ("gone.py", "unknown"),
    ]
    assert check.reason == "sources_disagree"


def test_durations_are_given_by_the_clock_alone():
    ticks = iter(range(100))
    inputs = LevelInputs(clock=lambda: next(ticks))

    timed = report_of(block=a_block(), inputs=inputs)

    assert level(timed, 1).details["duration_ms"] == 1000.0
    assert "duration_ms" not in level(report_of(block=a_block()), 1).details
