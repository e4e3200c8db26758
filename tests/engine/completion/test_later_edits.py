"""What counts as an edit after a run, and what does not."""

import pytest

from tests.engine.completion.builders import PYTEST_PASSED, call, edit, shell, statuses

RAN = shell("pytest -q", PYTEST_PASSED)


def write(path):
    return call("Write", f"File created successfully at: {path}", file_path=path,
                content="x = 1\n")  # fmt: skip


@pytest.mark.parametrize(
    "later",
    [
        [write("/tmp/probe.py"), edit("/tmp/probe.py")],
        [shell("rm -f server.test app.exe", "", "ok")],
        [edit("web/app.ts")],
        [write("probe.py"), shell("rm probe.py", "", "ok")],
        [edit("scratch/idea.py")],
        [shell("python - <<'EOF'\nprint([x >= 2 for x in open('a.py')])\nEOF")],
        [shell("node -e \"[1].map(x => require('./a.js'))\"", "", "ok")],
    ],
)  # fmt: skip
def test_what_no_test_looks_at_leaves_the_result_standing(later):
    first = edit("src/a.py")

    assert statuses("All tests pass.", first, RAN, *later) == ["supported"]


@pytest.mark.parametrize(
    "later",
    [
        edit("src/a.py"),
        edit("pyproject.toml"),
        shell("rm src/b.py", "", "ok"),
        shell(
            "python - <<'EOF'\nfrom pathlib import Path\n"
            "Path('src/a.py').write_text('x')\nEOF",
            "",
            "ok",
        ),
    ],
)
def test_what_was_tested_and_edited_later_was_not_tested_as_it_is(later):
    assert statuses("All tests pass.", RAN, later) == ["unattempted"]


def test_a_project_in_a_temporary_folder_is_edited_there():
    later = edit("/tmp/repo/a.py")

    assert statuses("All tests pass.", RAN, later) == ["unattempted"]


@pytest.mark.parametrize(
    ("command", "output", "status", "expected"),
    [
        ("terraform validate", "Success! It is valid.", "ok", "supported"),
        ("terraform validate", "", "ok", "supported"),
        ("terraform validate | tail -3", "Error: no provider", "ok", "contradicted"),
        ("terraform validate | tail -3", "twelve blocks", "ok", "unchecked"),
        ("mdl docs | tail -3", "docs/a.md:3: MD013 Line length", "ok", "contradicted"),
        ("go vet ./... | tail -3", "./a.go:5:2: declared and not used: x", "ok",
         "contradicted"),
    ],
)  # fmt: skip
def test_where_the_end_is_hidden_and_the_output_unread_nothing_is_supported(
    command, output, status, expected
):
    said = f"`{command.split(' |')[0]}` passes."

    assert statuses(said, shell(command, output, status)) == [expected]


def test_a_script_that_only_reads_changes_nothing_that_was_tested():
    tests = shell("pytest", "3 passed in 0.1s", "ok")
    reads = "python - <<'EOF'\ns = open('src/a.py').read()\nprint('.write(' in s)\nEOF"
    writes = "python - <<'EOF'\nopen('src/a.py', 'w').write('x')\nEOF"

    assert statuses("All tests pass.", tests, shell(reads)) == ["supported"]
    assert statuses("All tests pass.", tests, shell(writes)) == ["unattempted"]


def test_a_script_made_and_taken_away_by_another_spelling_changes_nothing():
    calls = (write("/repo/check.py"), RAN, shell("rm check.py"))

    assert statuses("All tests pass.", *calls) == ["supported"]


def test_number_of_a_version_makes_no_run_stale():
    versions = {"old_string": "version: 0.5.0", "new_string": "version: 0.6.0"}
    bump = call("Edit", "ok", file_path="shard.yml", **versions)
    assert statuses("All tests pass.", shell("pytest", PYTEST_PASSED), bump) == [
        "supported"
    ]
