"""The three levels from the command line: files and schemas where the agent works."""

import hashlib
import json

import pytest

from tests.cli import in_process
from tests.ingest.runs import a_call, a_run
from verifyhub.common.beneath import is_supported

pytestmark = pytest.mark.skipif(not is_supported(), reason="kernel without openat2")
TEXT = "def main():\n    return 1\n"
SHA256 = hashlib.sha256(TEXT.encode()).hexdigest()


def verifyhub(command, runs, *options):
    lines = "\n".join(json.dumps(run) for run in runs)
    return in_process.verifyhub(command, "-", *map(str, options), given=lines)


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "app.py").write_text(TEXT)
    (tmp_path / "secret.txt").write_text("secret")
    return folder


def a_claiming_run(*claims, **fields):
    block = {"summary": "Done.", "traceRef": "trace:1", "claims": list(claims)}
    return a_run(structured_output=block, **fields)


def a_file(sha256=SHA256, path="app.py"):
    return {"type": "file-write", "path": path, "sha256": sha256}


def check(verdict, name):
    return next(check for check in verdict["checks"] if check["name"] == name)


def test_claims_are_checked_in_the_folder(root):
    runs = [a_claiming_run(a_file()), a_claiming_run(a_file("0" * 64))]

    result = verifyhub("verify", runs, "--root", root)

    right, wrong = (json.loads(line) for line in result.stdout.splitlines())
    assert check(right, "level_3_filesystem")["outcome"] == "passed"
    assert check(right, "level_3_filesystem")["details"]["claims"][0]["grade"] == "A"
    assert check(wrong, "level_3_filesystem")["reason"] == "hash_mismatch"
    assert result.returncode == 1


def test_outputs_are_checked_against_schemas(root, tmp_path):
    entry = {"reference": "a/b#C", "tool": "search", "schema": {"type": "array"}}
    file = tmp_path / "schemas.json"
    file.write_text(json.dumps({"results": [entry]}))
    run = a_run(tool_calls=[a_call(tool="search", output="{}")])

    result = verifyhub("verify", [run], "--schemas", file)

    verdict = json.loads(result.stdout)
    assert check(verdict, "level_2_schema")["reason"] == "schema_mismatch"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "--schemas"),
        ("{}", "must be an array"),
        ('[{"reference": "a/b#C"}]', "item 0"),
        ('[{"reference": "a/b#C", "schema": {"type": "arry"}}]', "item 0: type"),
    ],
)
def test_schemas_that_cannot_be_used_are_named(tmp_path, text, said):
    file = tmp_path / "schemas.json"
    file.write_text(text)

    result = verifyhub("verify", [a_run()], "--schemas", file)

    assert (result.returncode, result.stdout) == (2, "")
    assert said in result.stderr


@pytest.mark.parametrize("command", ["verify", "manifest"])
def test_a_folder_that_is_none_is_named(tmp_path, command):
    result = verifyhub(command, [a_run()], "--root", tmp_path / "gone")

    assert result.returncode == 2
    assert "--root" in result.stderr


def test_a_manifest_carries_the_check_to_another_machine(root):
    run = a_claiming_run(a_file(), a_file(path="gone.py"), tool_calls=[])

    listed = verifyhub("manifest", [run], "--root", root)
    judged = verifyhub("verify", [json.loads(listed.stdout)])

    manifest = json.loads(listed.stdout)["manifest"]
    assert manifest == [
        {"path": "app.py", "anchors": [], "sha256": SHA256},
        {"path": "gone.py", "anchors": [], "sha256": None},
    ]
    level = check(json.loads(judged.stdout), "level_3_filesystem")
    assert [claim["source"] for claim in level["details"]["claims"]] == ["manifest"] * 2
    assert [claim["grade"] for claim in level["details"]["claims"]] == ["D"] * 2
    assert level["reason"] == "file_not_found"


def test_a_manifest_lists_anchors_that_stand_in_the_file(root):
    run = a_claiming_run(
        {"type": "code-inserted", "path": "app.py", "anchor": "def main():"},
        {"type": "code-inserted", "path": "app.py", "anchor": "def other():"},
    )

    result = verifyhub("manifest", [run], "--root", root)

    assert json.loads(result.stdout)["manifest"][0]["anchors"] == ["def main():"]


@pytest.mark.parametrize("path", ["../secret.txt", "/etc/passwd", "link"])
def test_a_manifest_never_looks_outside(root, path):
    (root / "link").symlink_to(root.parent / "secret.txt")

    result = verifyhub("manifest", [a_claiming_run(a_file(path=path))], "--root", root)

    assert json.loads(result.stdout)["manifest"] == []


def test_a_broken_run_is_named_and_the_others_come_out(root):
    result = verifyhub("manifest", [{"task": 1}, a_run(id="run-2")], "--root", root)

    assert json.loads(result.stdout)["id"] == "run-2"
    assert (result.returncode, "line 1: task" in result.stderr) == (2, True)


def test_pairs_of_a_file_hold(tmp_path):
    file = tmp_path / "checks.json"
    file.write_text('{"deeds": [{"tool": "crm_17", "deed": "refund"}]}')
    done = a_call(tool="crm_17", input={"order_id": "A-17"}, output="ok")
    run = a_run(answer="I refunded order A-17.", tool_calls=[done])

    result = verifyhub("verify", [run], "--pairs", file)

    (claim,) = json.loads(result.stdout)["completion_claims"]
    assert claim["status"] == "supported"


def test_a_file_of_pairs_that_cannot_be_used_is_named(tmp_path):
    file = tmp_path / "checks.json"
    file.write_text('{"deeds": [{"tool": "crm_17", "deed": "conjure"}]}')

    result = verifyhub("verify", [a_run()], "--pairs", file)

    assert result.returncode == 2
    assert "--pairs" in result.stderr
    assert "deeds, row 1: the deed must be one of" in result.stderr
