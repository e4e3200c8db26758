"""Items of a list whose deed or file stands in the line above them."""

import pytest

from tests.engine.completion.builders import call, check, edit, shell, statuses

REFUSED = "The user doesn't want to proceed with this tool use. It was rejected."
ADDED_TWO = shell("git add lib/cache.rb lib/store.rb", "", "ok")
COMMITTED = shell("git commit -m 'Cache it'", "[main 4d1e2f3] Cache it\n", "ok")
NOT_COMMITTED = shell("git commit -m x", "fatal: unable to create lock", "error")
INCLUDES = "Done. The commit includes:\n- `lib/cache.rb` — a cache with a limit\n"


@pytest.mark.parametrize(
    ("runs", "status"),
    [
        ([ADDED_TWO, COMMITTED], ["supported"]),
        ([ADDED_TWO, NOT_COMMITTED], ["contradicted"]),
        ([ADDED_TWO], ["unattempted"]),
        ([shell("git add lib/store.rb", "", "ok"), COMMITTED], ["unattempted"]),
        ([shell("git add lib", "", "ok"), COMMITTED], ["supported"]),
        ([shell("git add -A", "", "ok"), COMMITTED], ["supported"]),
        ([shell("git commit -am x", "[main 4d1e2f3] x\n", "ok")], ["supported"]),
    ],
)
def test_files_of_a_commit_are_held_against_it(runs, status):
    assert statuses(INCLUDES, *runs)[-1:] == status


@pytest.mark.parametrize(
    ("title", "name", "status"),
    [
        ("**Removed:**", "legacyTotals", "supported"),
        ("**Removed:**", "sumTwice", "unchecked"),
        ("Not removed:", "sumTwice", None),
    ],
)
def test_names_under_removed_are_what_was_removed(title, name, status):
    answer = f"All done.\n\n{title}\n- `{name}` - nobody called it\n"
    claims = check(answer, edit("src/totals.ts", "legacyTotals"))
    found = [str(claim.status) for claim in claims if name in claim.text]
    assert found == ([status] if status else [])


IN_PARSER = "- In `src/parser.ts`:\n  - Narrowed the retry to `TimeoutError`.\n"


@pytest.mark.parametrize(
    ("answer", "file", "status"),
    [
        (IN_PARSER, "src/parser.ts", "supported"),
        (IN_PARSER, "src/lexer.ts", "unattempted"),
        (
            "**`parser.ts`** (two places):\n- Narrowed the retry to `TimeoutError`.\n",
            "src/lexer.ts",
            "unattempted",
        ),
        (
            "### Changes\n- Narrowed the retry to `TimeoutError`.\n",
            "src/lexer.ts",
            "supported",
        ),
        (
            "- `src/parser.ts`: see below\n- Narrowed the retry to `TimeoutError`.\n",
            "src/lexer.ts",
            "supported",
        ),
    ],
)
def test_edit_in_the_list_of_a_file_is_one_of_that_file(answer, file, status):
    claims = check(answer, edit(file, "catch (TimeoutError)"))
    assert [str(claim.status) for claim in claims if "retry" in claim.text] == [status]


@pytest.mark.parametrize(
    ("output", "state", "status"),
    [(REFUSED, "error", "contradicted"), ("[main 1a2b3c4] x", "ok", "supported")],
)
def test_staged_but_not_committed_needs_the_staging(output, state, status):
    run = shell("git add app.ts && git commit -m x", output, state)
    assert statuses("Changes staged but not committed", run)[:1] == [status]


GUIDE = "- Updated the guide for new readers:\n  - `docs/start.md`\n"


@pytest.mark.parametrize(
    ("file", "status"),
    [("docs/start.md", "supported"), ("docs/other.md", "unattempted")],
)
def test_deed_over_a_list_of_files_is_done_to_them(file, status):
    first, *_ = check(GUIDE, edit(file))
    assert (first.text, str(first.status)) == (
        "Updated the guide for new readers:",
        status,
    )


REWORDED = """Done.
- Moved the commands to the new names:
  - `cli/list.go` (help text)
  - `cli/show.go` (help text and examples)
  - `cli/drop.go` (hint at the end)
"""


def test_file_with_an_aside_is_one_that_was_changed():
    claims = check(REWORDED, edit("cli/list.go"), edit("cli/show.go"))
    found = {claim.text.split("`")[1]: str(claim.status) for claim in claims[1:]}
    assert found == {
        "cli/list.go": "supported",
        "cli/show.go": "supported",
        "cli/drop.go": "unattempted",
    }


IN_LIST = "**`List.tsx`**:\n- Added `useRef`\n- Passes `rowId` to `<Row>`\n"


@pytest.mark.parametrize(
    ("output", "status"),
    [("updated", "supported"), ("<tool_use_error>not found", "contradicted")],
)
def test_what_the_code_of_a_changed_file_does_is_a_change(output, status):
    second = call(
        "Edit", output, file_path="List.tsx", old_string="<Row />", new_string="rowId"
    )
    claims = check(IN_LIST, edit("List.tsx", "useRef"), second)
    assert [str(claim.status) for claim in claims if "Passes" in claim.text] == [status]


DOCS = """I added the whole set of documents.

- Overview: `docs/overview.md`
- Part 1: `docs/part-1.md`
- Part 2: `docs/part-2.md`
"""


def test_list_behind_a_deed_is_of_what_it_was_done_to():
    made = [
        call("Write", "ok", file_path=f"docs/{name}.md", content="x")
        for name in ("overview", "part-1")
    ]
    claims = check(DOCS, *made)
    assert [str(claim.status) for claim in claims[1:]] == [
        "supported",
        "supported",
        "unattempted",
    ]
