import pytest

from tests.engine.completion.builders import call, check, edit, shell, statuses


def test_a_successful_edit_of_the_file_supports_the_claim():
    assert statuses("Updated `app/core.py`.", edit("/repo/app/core.py")) == [
        "supported"
    ]


def test_a_file_of_the_same_name_in_another_folder_does_not():
    assert statuses("Updated `app/core.py`.", edit("/repo/lib/core.py")) == [
        "unattempted"
    ]


def test_a_failed_edit_contradicts_the_claim():
    claims = check("I edited `core.py`.", edit("/repo/core.py", status="error"))

    assert [(claim.status, claim.evidence) for claim in claims] == [
        ("contradicted", (0,))
    ]


def test_an_edit_must_hold_what_the_claim_names():
    calls = (edit("/repo/core.py", "def load_cache(): ..."),)

    assert statuses("Added `load_cache()` to `core.py`.", *calls) == ["supported"]
    assert statuses("Added `drop_cache()` to `core.py`.", *calls) == ["unattempted"]


def test_an_edit_taken_back_later_is_contradicted_by_the_call_that_did_it():
    calls = (edit("/repo/core.py"), shell("git checkout -- core.py"))

    claims = check("Updated `core.py`.", *calls)

    assert [(claim.status, claim.evidence) for claim in claims] == [
        ("contradicted", (1, 0))
    ]


def test_a_patch_names_its_files():
    patch = "*** Begin Patch\n*** Add File: src/new.py\n+x = 1\n*** End Patch"

    assert statuses("Created `src/new.py`.", call("apply_patch", "Done", input=patch))
    assert statuses(
        "Created `src/new.py`.", call("apply_patch", "Done", input=patch)
    ) == ["supported"]


def test_a_file_written_by_a_shell_redirect_is_created():
    assert statuses("Created `notes.md`.", shell("echo hi > notes.md")) == ["supported"]


def test_a_deletion_needs_a_call_that_deletes():
    assert statuses("Deleted `old.sh`.", shell("rm scripts/old.sh")) == ["supported"]
    assert statuses("Deleted `old.sh`.", shell("ls scripts/old.sh")) == ["unattempted"]


def test_an_explanation_after_a_dash_need_not_stand_in_the_edit():
    answer = "Removed the cap in `core.py` - it now follows `terminal_width`."

    assert statuses(answer, edit("/repo/core.py")) == ["supported"]


def test_a_stash_that_is_popped_again_discards_nothing():
    calls = (edit("/repo/core.py"), shell("git stash && pytest; git stash pop"))

    assert statuses("Updated `core.py`.", *calls) == ["supported"]


@pytest.mark.parametrize(
    ("command", "status"),
    [
        ("git stash", "contradicted"),
        ("git stash list", "supported"),
        ("git stash show", "supported"),
        ("git stash drop", "supported"),
    ],
)
def test_of_the_commands_on_stashes_only_stashing_takes_an_edit_back(command, status):
    calls = (edit("/repo/core.py"), shell(command))

    assert statuses("Updated `core.py`.", *calls) == [status]


def test_a_claim_that_names_nothing_is_not_checked_where_something_was_written():
    assert statuses("Here's what I changed:", edit("/repo/core.py")) == ["unchecked"]


@pytest.mark.parametrize(
    "write",
    [
        call(
            "str_replace_editor", "ok", command="create", path="/r/a.py", file_text="x"
        ),
        call("edit", "ok", filePath="/r/a.py", oldString="x", newString="y"),
        call("edit_file", "ok", target_file="a.py", code_edit="y"),
        call("write_file", "ok", file_path="/r/a.py", content="y"),
        shell("str_replace_editor create /r/a.py --file_text 'y'"),
        shell("sed -i s/x/y/ a.py"),
        shell("python - <<'E'\nopen('a.py', 'w').write('y')\nE"),
    ],
)
def test_every_agents_way_of_writing_a_file_counts(write):
    assert statuses("I changed `a.py`.", write) == ["supported"]


def test_looking_at_a_file_with_an_editor_writes_nothing():
    look = call("str_replace_editor", "1 x", command="view", path="/r/a.py")

    assert statuses("I changed `a.py`.", look) == ["unattempted"]


def test_fixed_without_any_edit_is_unattempted():
    assert statuses("Fixed.", shell("ls")) == ["unattempted"]


def test_a_scratch_file_that_is_said_to_be_gone_was_deleted():
    made = call("Write", "File created", file_path="repro.py", content="x")
    answer = "Cleaned up the reproduction script."

    assert statuses(answer, made) == ["unattempted"]
    assert statuses(answer, made, shell("rm repro.py", "", "ok")) == ["supported"]


def test_what_a_patch_takes_out_supports_that_it_was_dropped():
    patch = (
        "*** Begin Patch\n*** Update File: stage.go\n@@\n-force bool\n+size int\n"
        "*** End Patch"
    )
    made = call("apply_patch", "Success. Updated stage.go", input=patch)

    assert statuses("Dropped the `force` flag.", made) == ["supported"]
    assert statuses("Added a `force` flag.", made) == ["unattempted"]


def test_the_name_of_a_product_is_no_name_in_code():
    changed = edit(".github/workflows/ci.yml")

    assert statuses("I updated the GitHub Actions workflow.", changed) == ["supported"]


def test_a_change_placed_in_a_file_is_looked_for_there():
    calls = (edit("/repo/core.py", "def load(verbose): ..."),)

    told = "1. **`load`** (`{}`): Added `verbose` to the call."
    assert statuses(told.format("core.py:4"), *calls) == ["supported"]
    assert statuses(told.format("shell.py:4"), *calls) == ["unattempted"]


@pytest.mark.parametrize(
    ("calls", "status"),
    [
        ([edit("a.py", "raise Taken", "error")], "contradicted"),
        ([edit("a.py", "raise Taken", "error"), edit("b.py")], "contradicted"),
        (
            [edit("a.py", "raise Taken", "error"), edit("a.py", "raise Taken")],
            "supported",
        ),
    ],
)
def test_a_quoted_text_that_only_a_failed_write_holds_was_not_added(calls, status):
    answer = 'Added the message "raise Taken" to the form.'
    assert statuses(answer, *calls) == [status]


@pytest.mark.parametrize(
    ("command", "status"),
    [("psql $STAGING_URL -f fix.sql", None), ("psql -f fix.sql", "unattempted")],
)
def test_work_in_an_environment_needs_a_call_that_names_it(command, status):
    (found,) = statuses(
        "I cleaned up the duplicates in the staging database.",
        edit("fix.sql", "DELETE FROM duplicates"),
        shell(command, "DELETE 4", "ok"),
    )
    assert found == status if status else found != "unattempted"


@pytest.mark.parametrize(
    "command", ["Remove-Item -Recurse -Force app/health", "rd /s app/health"]
)
def test_what_powershell_deletes_is_gone(command):
    made = edit("app/health/route.ts", "export function GET() {}")
    answer = "Created the endpoint at `app/health/route.ts`."

    assert statuses(answer, made, shell(command, "", "ok")) == ["contradicted"]
    assert statuses(answer, made, shell("Get-ChildItem app", "", "ok")) == ["supported"]


@pytest.mark.parametrize(
    "answer",
    [
        "Updated the guide in `docs/guide.md` to name `load_menu`.",
        "**Modified** `docs/guide.md` - added `load_menu`.",
    ],
)
def test_a_file_that_nothing_changed_is_not_changed_by_another_ones_edit(answer):
    other = edit("shop/menu.py", "def load_menu(): ...")

    assert statuses(answer, other) == ["unattempted"]
    assert statuses(answer, other, edit("docs/guide.md", "`load_menu` reads")) == [
        "supported"
    ]
    assert statuses(answer, other, shell("python tools/docs.py")) != ["unattempted"]


BLOCKS = """<<<<<<< SEARCH
:start_line:12
-------
limit = 5
=======
limit = parse_limit(env)
>>>>>>> REPLACE
"""


def test_a_diff_in_blocks_of_search_and_replace_is_an_edit():
    change = call("apply_diff", "<operation>modified", path="a.py", diff=BLOCKS)

    assert statuses("`a.py` now calls `parse_limit`.", change) != ["contradicted"]
    assert statuses("Added `parse_limit` to `a.py`.", change) == ["supported"]
    assert statuses("Added `parse_retry` to `a.py`.", change) == ["unattempted"]
