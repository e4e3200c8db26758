import pytest

from tests.engine.levels.builders import a_block, level, report_of
from verifyhub.engine.reports import Action, Outcome, Verdict

SHA = "0" * 64


def errors(report):
    return {
        (error["path"].removeprefix("structured_output"), error["category"])
        for error in level(report, 1).details["errors"]
    }


def test_a_whole_block_passes():
    report = report_of(block=a_block(artifacts=[{"metadata": {"size": 1}}]))

    assert level(report, 1).outcome is Outcome.PASSED


def test_without_a_block_every_level_is_skipped_and_nothing_else_changes():
    report = report_of()

    outcomes = [level(report, number).outcome for number in (1, 2, 3)]
    assert outcomes == [Outcome.SKIPPED] * 3
    assert report.verdict is Verdict.UNCERTAIN
    assert report.decision.action is Action.ACCEPT


@pytest.mark.parametrize(
    ("block", "path", "category"),
    [
        ("text", "", "invalid_type"),
        ([], "", "invalid_type"),
        (a_block(summary=None), ".summary", "missing_field"),
        (a_block(summary=""), ".summary", "missing_field"),
        (a_block(summary=7), ".summary", "invalid_type"),
        (a_block(traceRef=None), ".traceRef", "missing_field"),
        (a_block(traceRef="run-1"), ".traceRef", "invalid_type"),
        (a_block(traceRef="trace:"), ".traceRef", "invalid_type"),
        (a_block(claims={}), ".claims", "invalid_type"),
        (a_block("done"), ".claims[0]", "invalid_type"),
        (a_block({}), ".claims[0].type", "missing_field"),
        (a_block({"type": "file-moved"}), ".claims[0].type", "invalid_type"),
        (a_block({"type": ["x"]}), ".claims[0].type", "invalid_type"),
        (
            a_block({"type": "file-write", "path": "a.py"}),
            ".claims[0].sha256",
            "missing_field",
        ),
        (
            a_block({"type": "file-write", "path": "a.py", "sha256": "abc"}),
            ".claims[0].sha256",
            "invalid_type",
        ),
        (
            a_block({"type": "file-write", "path": 1, "sha256": SHA}),
            ".claims[0].path",
            "invalid_type",
        ),
        (
            a_block({"type": "file-edit", "path": "a.py"}),
            ".claims[0].after",
            "missing_field",
        ),
        (
            a_block({"type": "code-inserted", "path": "a.py"}),
            ".claims[0].anchor",
            "missing_field",
        ),
        (a_block({"type": "command-executed"}), ".claims[0].command", "missing_field"),
        (a_block(artifacts=7), ".artifacts", "invalid_type"),
        (a_block(artifacts=[7]), ".artifacts[0]", "invalid_type"),
        (
            a_block(artifacts=[{"metadata": {"text": "x" * 1024}}]),
            ".artifacts[0].metadata",
            "invalid_type",
        ),
        (
            a_block(*[{"type": "file-delete", "path": "a"}] * 1001),
            ".claims",
            "invalid_type",
        ),
    ],
)
def test_errors_name_the_path_and_the_category(block, path, category):
    assert (path, category) in errors(report_of(block=block))


def test_a_failed_level_rejects_asks_for_a_retry_and_stops_the_others():
    report = report_of(block=a_block(summary=None))

    assert report.verdict is Verdict.REJECT
    assert report.decision.action is Action.RETRY
    assert report.decision.reason == "level_1_structure_failed"
    assert "structured_output.summary: missing_field" in (
        report.decision.additional_context
    )
    assert [level(report, n).reason for n in (2, 3)] == ["earlier_level_failed"] * 2


def test_typed_objects_among_the_claims_are_checked_without_a_block():
    claims = ["free text", {"type": "file-write", "path": "a.py"}]

    report = report_of(claims=claims)

    found = level(report, 1).details["errors"]
    assert [error["path"] for error in found] == ["claims[1].sha256"]


def test_other_claims_stay_free():
    report = report_of(claims=["free text", {"text": "x"}, {"type": "opinion"}])

    assert level(report, 1).outcome is Outcome.SKIPPED
