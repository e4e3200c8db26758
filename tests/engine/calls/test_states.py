"""How a call ended, where no status says so."""

import pytest

from verifyhub.engine.calls.call import read_call
from verifyhub.engine.types import CallStatus, ToolCall


def succeeded(tool: str, output: str, status: str = "unknown") -> bool:
    data = {"file_path": "src/a.py", "content": "x"}
    call = ToolCall(
        index=0, tool=tool, input=data, output=output, status=CallStatus(status)
    )
    return read_call(call).succeeded


UNCHANGED = [
    "apply_patch verification failed: Failed to find expected lines in src/a.py:\n x",
    '{"output":"apply_patch verification failed: no such lines","metadata":{}}',
    "Failed to apply patch",
    "Could not find the text to replace in src/a.py",
    "The patch does not apply cleanly.",
    "Old text was not found in src/a.py.",
    "Unable to write src/a.py",
    "No changes were made to src/a.py",
    "(No changes)",
    "Edit failed: the text is not unique",
    '{"error": "not allowed"}',
]


@pytest.mark.parametrize("status", ["unknown", "ok"])
@pytest.mark.parametrize("output", UNCHANGED)
def test_a_change_that_says_it_was_not_made_was_not(output, status):
    assert not succeeded("apply_patch", output, status)


@pytest.mark.parametrize(
    "output",
    [
        "Success. Updated the following files:\nM src/a.py",
        "The file src/not_found.py has been updated. Failed lookups now raise.",
        "     1\traise KeyError('could not find it')",
        "--- a/src/a.py\n+++ b/src/a.py\n-failed to\n+unable to",
        "def load(): raise Failed('could not find the text')",
        "Done.\nwarning: could not find a formatter",
        '{"ok": true, "error": "none"}',
    ],
)
def test_a_change_that_was_made_may_speak_of_trouble(output):
    assert succeeded("edit_file", output)


@pytest.mark.parametrize("status", ["unknown", "ok"])
@pytest.mark.parametrize(
    "output",
    [
        '{"status":"error","message":"SMTP refused"}',
        '{"error":"SMTP refused"}',
        '{"error": {"code": 7}}',
        '{"success": false, "reason": "quota"}',
        '{"ok": false}',
        '{"isError": true, "content": []}',
        '{"errors": [{"message": "no"}], "data": null}',
        '{"status": 503}',
    ],
)
def test_a_json_refusal_of_a_domain_tool_is_no_success(output, status):
    assert not succeeded("send_email", output, status)


@pytest.mark.parametrize(
    ("tool", "output"),
    [
        ("send_email", '{"status":"sent","error":null}'),
        ("send_email", '{"success": true, "errors": []}'),
        ("cancel_order", '{"status":"cancelled"}'),
        ("run_checks", '{"passed": 3, "errors": ["a"], "files": ["b"]}'),
        ("read_file", '{"error": "this is the text of the file"}'),
        ("web_fetch", '{"status": "error"}'),
    ],
)
def test_json_that_tells_of_errors_need_not_be_a_refusal(tool, output):
    assert succeeded(tool, output)
