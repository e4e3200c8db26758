"""Names that a run settles though no output spells them as the answer does."""

import pytest

from tests.builders import a_command, a_tool_call, an_interaction, verify
from verifyhub.engine.types import CallStatus


def _reasons(answer, *calls):
    return [m.reason for m in verify(an_interaction(answer, *calls)).mentions]


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("rm src/orbit.py", ""),
        ("git add src/orbit.py", ""),
        ("cd shop && mv src/orbit.py src/moon.py", ""),
        ("test -f src/orbit.py && echo there", "there"),
        ("[ -e src/orbit.py ] && cat notes", "nothing of note"),
    ],
)
def test_file_that_a_command_handled_is_there(command, output):
    read = a_command("cat a.txt", "one")

    assert _reasons("It is `src/orbit.py`.", read, a_command(command, output)) == [
        "found"
    ]


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("rm -f src/orbit.py", ""),
        ("rm src/orbit.py 2>/dev/null", ""),
        ("rm src/orbit.py || true", ""),
        ("cat src/orbit.py", ""),
        ("test -f src/orbit.py && echo there", ""),
        ("! test -f src/orbit.py && echo none", "none"),
        ("test -f src/orbit.py; echo done", "done"),
    ],
)
def test_command_that_may_have_failed_shows_no_file(command, output):
    read = a_command("cat a.txt", "one")

    assert _reasons("It is `src/orbit.py`.", read, a_command(command, output)) == [
        "input_only"
    ]


def test_search_that_found_files_shows_the_name_and_the_folder():
    search = a_tool_call(
        "Grep",
        {"pattern": "load_orbits", "path": "packages/shop"},
        "Found 1 file\nsrc/a.py",
    )

    assert _reasons("`load_orbits` in `packages/shop/`.", search) == ["found", "found"]


@pytest.mark.parametrize(
    "given",
    [
        {"pattern": "load_orbits|load_moons"},
        {"pattern": "load_orbits", "-i": True},
        {"query": "load_orbits"},
    ],
)
def test_search_for_more_than_one_spelling_shows_none(given):
    search = a_tool_call("Grep", given, "Found 1 file\nsrc/a.py")

    assert _reasons("It is `load_orbits`.", search) == ["input_only"]


@pytest.mark.parametrize(
    ("said", "ran"),
    [
        ("make fmt && make lint", ["make fmt", "make lint"]),
        ("docker run -p 80 shop", ["docker run \\\n  -p 80 \\\n  shop"]),
        ('git commit -m "..."', ["git commit -m 'Add the shop'"]),
        ("go test ./... -run …", ["go test ./... -run Orbit"]),
    ],
)
def test_command_is_found_in_the_form_in_which_it_ran(said, ran):
    calls = [a_command(command, "ok") for command in ran]

    (reason,) = _reasons(f"I ran `{said}`.", *calls)

    assert reason in {"found", "found_resolved"}


def test_command_is_not_found_where_a_part_of_it_never_ran():
    calls = [a_command("make fmt", "ok")]

    assert _reasons("I ran `make fmt && make bless`.", *calls) == ["not_found"]


@pytest.mark.parametrize(
    ("answer", "output", "found"),
    [
        ("It reads `$SHOP_KEY`.", "curl $SHOP_KEY", "environment_variable"),
        ("It reads `$orbits`.", "$orbits = 2", "identifier"),
        ("The SHOP_KEY-based login.", "SHOP_KEY=1", "identifier"),
        ("Set `export SHOP_KEY=0`.", "SHOP_KEY=1", "environment_variable"),
        ("See `shop/build.Version`.", "-X a.io/shop/build.Version=1", "class"),
        ("In `/home/x/shop/...`.", "/home/x/shop/a.py", "directory"),
    ],
)
def test_name_is_read_out_of_what_stands_around_it(answer, output, found):
    (mention,) = verify(an_interaction(answer, a_command("cat a", output))).mentions

    assert (mention.kind, mention.status) == (found, "verified")


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("The `orbit.yaml` (missing) is needed.", "negated"),
        ("- `orbit.yaml`: not found", "negated"),
        ("| `orbit.yaml` | missing |", "negated"),
        ("`orbit.yaml` no longer exists.", "negated"),
        ("`orbit.yaml`: missing checks of the sum.", "not_found"),
        ("Written to `/path/to/orbit.yaml`.", "hypothetical"),
        ("It reads `session-abc123.json`.", "hypothetical"),
        ("It reads `CLAUDE.md`.", "common_knowledge"),
        ("It needs `git push --force-with-lease`.", "common_knowledge"),
        ("It needs `git push --force-with-love`.", "not_found"),
        ("It has `set -euo pipefail`.", "common_knowledge"),
    ],
)
def test_name_that_need_not_be_shown_does_not_count(answer, reason):
    assert _reasons(answer, a_command("ls", "a.py")) == [reason]


def test_numbered_place_of_a_page_is_a_name_of_its_own():
    page = "https://git.example.net/a/b/pull/3"
    seen = a_command("gh pr view", f"{page}#issuecomment-123456")

    assert _reasons(f"See {page}#issuecomment-123457 and {page}#L1200.", seen) == [
        "not_found",
        "found",
    ]


def test_edit_that_failed_says_nothing_of_the_names_that_it_repeats():
    failed = a_tool_call(
        "Edit",
        {"file_path": "a.py", "old_string": "load_orbits()", "new_string": "x"},
        "<tool_use_error>String to replace not found: load_orbits()</tool_use_error>",
        status=CallStatus.ERROR,
    )

    assert _reasons("It calls `load_orbits()`.", failed) == ["input_only"]


def test_file_that_a_document_includes_is_named_there():
    shown = a_command("cat AGENTS.md", "Follow @.agents/orbit.md and @./docs/moon.md")

    assert _reasons("`.agents/orbit.md`, `docs/moon.md`.", shown) == ["found", "found"]


def test_reading_back_what_an_editor_wrote_makes_it_no_worse():
    wrote = a_tool_call(
        "Write",
        {"file_path": "a.sh", "content": "LOG=/tmp/orbit.log"},
        "File created successfully at: a.sh",
    )
    read = a_tool_call("Read", {"file_path": "a.sh"}, "1\tLOG=/tmp/orbit.log")

    assert _reasons("See `/tmp/orbit.log`.", wrote) == ["authored"]
    assert _reasons("See `/tmp/orbit.log`.", wrote, read) == ["authored"]


def test_a_read_without_a_status_shows_its_path_by_the_content_it_returned():
    def reason(output):
        run = an_interaction(
            "It is in src/parser.py.",
            a_tool_call("read", {"path": "src/parser.py"}, output),
        )
        return verify(run).mentions[0].reason

    assert reason("def parse(text):\n    return text.split()\n") == "found"
    assert reason("I was unable to load it.\nTry again later.") == "input_only"
    assert reason("It cannot be opened.") == "input_only"


@pytest.mark.parametrize("status", [CallStatus.OK, CallStatus.UNKNOWN])
@pytest.mark.parametrize(
    "output",
    ["Could not open a.py", "Unable to open a.py", "a.py: No such file or directory"],
)
def test_a_read_that_answers_only_that_it_could_not_shows_no_path(output, status):
    read = a_tool_call("read", {"path": "a.py"}, output, status=status)

    assert _reasons("I looked at `a.py`.", read) == ["error_only"]


def test_field_is_there_whatever_short_variable_it_is_read_from():
    shown = a_command("cat a.go", "type Point struct {\n\tOrbitIDs []string\n}")

    assert _reasons("It walks `cp.OrbitIDs`.", shown) == ["found_resolved"]
    assert _reasons("It walks `cp.MoonIDs`.", shown) == ["not_found"]
    assert _reasons("It walks `checkpoint.OrbitIDs`.", shown) == ["not_found"]


def test_brand_in_a_sentence_may_have_other_capitals():
    shown = a_command("cat a.md", "Orbitbot has reviewed your changes.")

    assert _reasons("OrbitBot found one issue.", shown) == ["plain_words"]
    assert _reasons("`OrbitBot` found one issue.", shown) == ["case_differs"]
