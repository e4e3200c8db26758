"""How a thing is said to stand: missed where nothing in the run is of it."""

import pytest

from tests.engine.completion.builders import (
    PYTEST_FAILED,
    PYTEST_PASSED,
    call,
    edit,
    shell,
    statuses,
)


@pytest.mark.parametrize(
    "line",
    [
        "The generator version is pinned in `openapitools.json`.",
        "Scalafmt got bumped along the way.",
        "A changeset accompanies the fix.",
        "The vignette has a new section on it.",
        "`py.typed` ships with the package now.",
        "`reuse lint` is compliant.",
        "hlint has no suggestions.",
        "`legacy_total` is gone as well.",
        "The remote has it.",
        "The flag was deleted in LaunchDarkly.",
        "Validation loss drops to 0.0831.",
        "The README links to it.",
        "Alertmanager routes it to the on-call channel.",
        "Tests cover clock skew too.",
        "No leaks are reported by LeakSanitizer.",
        "Airflow imports it without errors now.",
        "gzip'd: 71 kB",
        "| Push | done |",
        "Cache hits verified by hand in the browser.",
    ],
)
def test_a_thing_of_which_the_whole_run_holds_no_word_is_missed(line):
    assert statuses(line, edit("a.py", "value = 2")) == ["unattempted"]


@pytest.mark.parametrize(
    "line",
    [
        "`a.py` is used by the nightly export.",
        "Errors are logged and the connection is closed.",
        "The queue was introduced in 2.0.",
        "The description says the feature was tested on staging.",
        "The workflow runs lint on every push.",
        "The cookie is signed by the gateway.",
        "A seed would make runs reproducible.",
        "Precompilation takes a while on first use.",
        "The new API returns commands in a different shape.",
        "Old state file `b.json` is now orphaned.",
    ],
)
def test_what_the_program_does_and_what_others_did_claims_nothing(line):
    assert statuses(line, edit("a.py", "value = 2")) == []


def test_what_a_call_showed_or_another_agent_may_have_done_is_not_missed():
    line = "The generator version is pinned in `openapitools.json`."

    assert statuses(line, shell("ls", "openapitools.json\na.py", "ok")) == []
    assert statuses(line, call("Task", "Done.", subagent_type="worker")) == []


def test_a_thing_works_only_if_what_ran_it_last_went_well():
    boots = "The machine boots."

    failed = shell("start-machine vm1", "fatal: no such image", "error")
    went = shell("start-machine vm1", "vm1 is up", "ok")

    assert statuses(boots, failed) == ["contradicted"]
    assert statuses(boots, failed, went) == []


def test_nothing_is_left_of_what_the_last_search_still_found():
    line = "No `unwrap()` calls remain in `src`."
    found = shell("rg 'unwrap\\(\\)' src", "src/main.rs:3: x.unwrap()", "ok")

    assert statuses(line, found) == ["contradicted"]
    assert statuses(line, found, edit("src/main.rs", "x?")) == []


def test_a_branch_that_git_shows_in_step_with_its_remote_is_open():
    status = shell("git status", "Your branch is up to date with 'origin/main'.", "ok")

    assert statuses("The branch is up to date.", status) == ["unchecked"]
    assert statuses("The branch is up to date.", shell("ls")) == ["unattempted"]


def test_a_check_by_a_program_nobody_knows_is_read_by_its_verb():
    passed = shell("acme lint", "all fine", "ok")
    failed = shell("acme lint", "3 problems", "error")

    assert statuses("Lint: clean", passed) == ["supported"]
    assert statuses("Lint: clean", failed) == ["contradicted"]


def test_who_lints_the_configuration_of_a_pipeline_does_not_look_at_it():
    linted = shell("glab ci lint", "✓ CI/CD YAML is valid!", "ok")

    assert statuses("The pipeline is green.", linted) != ["supported"]


def test_a_figure_with_its_unit_is_the_one_that_was_printed():
    sizes = shell("docker images", "api slim 212MB\napi latest 1.1GB", "ok")

    assert statuses("The image shrank from 1.1 GB to 212 MB.", sizes) == ["unchecked"]
    assert statuses("The image shrank from 3.4 GB to 512 MB.", sizes) == ["unattempted"]


def test_a_tool_that_a_task_of_the_project_ran_did_run():
    output = "svelte-check found 0 errors and 0 warnings"
    line = "`svelte-check` reports zero errors."

    assert statuses(line, shell("npm run check", output, "ok")) == ["supported"]
    assert statuses(line, shell("npm run check", "Done.", "ok")) == ["unattempted"]


def refused(path: str, new: str):
    return call(
        "Edit",
        "<tool_use_error>String to replace not found in file.",
        file_path=path,
        old_string="x",
        new_string=new,
    )


LIMIT = "`clamp()` now uses `Math.trunc`."


@pytest.mark.parametrize(
    ("answer", "runs", "status"),
    [
        (LIMIT, [refused("m.ts", "Math.trunc(v)")], ["contradicted"]),
        (LIMIT, [refused("m.ts", "Math.trunc(v)"), edit("m.ts", "clamp(v)")], []),
        (LIMIT, [refused("m.ts", "clamp"), edit("m.ts", "Math.trunc(v)")], []),
        (
            "The image in `compose.yml` is `redis:7-alpine`.",
            [refused("compose.yml", "image: redis:7-alpine")],
            ["contradicted"],
        ),
        (
            "The problem is that `clamp()` lacks `Math.trunc`.",
            [refused("m.ts", "Math.trunc(v)")],
            [],
        ),
        (
            "The colours are defined in the new file `theme.css`.",
            [edit("app.css")],
            ["unattempted"],
        ),
    ],
)
def test_how_code_is_now_is_held_against_edits_that_failed(answer, runs, status):
    assert statuses(answer, *runs) == status


@pytest.mark.parametrize(
    "line",
    [
        "NEWS.md mentions the change.",
        "`app.css` is linked in `index.html`.",
    ],
)
def test_a_file_that_a_run_neither_changed_nor_read_is_missed(line):
    listed = shell("ls", "NEWS.md\nindex.html\nlimits.json\nloader.ts\napp.css", "ok")
    read = shell(
        "cat NEWS.md index.html loader.ts", "NEWS.md index.html loader.ts", "ok"
    )
    made = edit("app.css", "body {}")

    assert statuses(line, made, listed) == ["unattempted"]
    assert statuses(line, made, listed, read) == []
    assert statuses(line, listed) == []


def test_a_script_of_the_project_may_write_code_but_no_prose():
    made, ran = edit("app.css", "body {}"), shell("node tools/link.js", "done", "ok")
    listed = shell("ls", "NEWS.md\nindex.html", "ok")

    assert statuses("NEWS.md mentions it.", made, listed, ran) == ["unattempted"]
    assert statuses("`app.css` is linked in `index.html`.", made, listed, ran) == []


def test_a_change_works_not_where_the_program_that_ran_it_last_fell_over():
    made = edit("shop.ts", "class Shop {}")
    fell = shell("node shop.ts", "TypeError: x is undefined", "error")
    again = shell("node shop.ts", "3 pages", "ok")

    assert statuses("The refactoring is working correctly.", made, fell) == [
        "contradicted"
    ]
    assert statuses("The refactoring is working correctly.", made, fell, again) == []
    made = edit("shop.ts", "class Basket {}")
    assert statuses("`Basket` is working correctly.", made, fell) == []


def test_a_file_of_which_a_diff_was_shown_has_been_read():
    shown = shell(
        "git diff main..HEAD",
        "diff --git a/loop.go b/loop.go\n@@ -1 +1 @@\n+// keep",
        "ok",
    )
    line = "The guard is repeated in `loop.go`."

    assert statuses(line, edit("app.go", "guard"), shown) == []
    assert statuses(line, edit("app.go", "guard"), shell("ls", "loop.go", "ok")) == [
        "unattempted"
    ]
    assert statuses(line.replace("is repeated", "survived"), edit("app.go")) == []


@pytest.mark.parametrize(
    "claim",
    ["Everything works now.", "Both features are working correctly.", "The fix works."],
)
def test_nothing_works_while_a_check_of_the_last_change_fails(claim):
    change, failed = edit("cart.py"), shell("pytest -q", PYTEST_FAILED, "error")

    assert statuses(claim, change, failed) == ["contradicted"]
    assert "contradicted" not in statuses(
        claim, change, failed, shell("pytest -q", PYTEST_PASSED)
    )
