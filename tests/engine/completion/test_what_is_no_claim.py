import pytest

from tests.engine.completion.builders import call, edit, shell, statuses


@pytest.mark.parametrize(
    "sentence",
    [
        "I will run the tests next.",
        "The tests should pass now.",
        "If the tests pass, merge it.",
        "Once the build succeeds, push the branch.",
        "Do all tests pass?",
        "Want me to commit and push these?",
        "You should run the linter before merging.",
        "Run `pytest` and check that all tests pass.",
        'The README states "all tests pass on Linux".',
        "> All tests pass.",
        "I did not run the tests.",
        "The tests have not been run.",
        "The script creates `out/report.json` and pushes it.",
        "You already pushed the first half.",
        "When it finishes, the job deleted the folder.",
        "Add a retry to `client.py`.",
        "Update `README.md` with the new flag.",
        "Not all tests pass.",
        "Тесты не проходят.",
        "Тесты проходят не все.",
        "Les tests ne passent pas.",
        "Le build ne compile plus.",
        "Die Tests sind nicht grün.",
        "Las pruebas no pasan.",
        "The `make` command failed to build the compiler.",
        "It did not build the compiler.",
        "To confirm it, we would need to build and run the compiler.",
        "`run()` is called after the build succeeds.",
        "This was added in version 2.",
        "The file was deleted by another process.",
        "Make sure all tests pass before merging.",
        "The function returns True when all tests pass.",
        "Fixed in `1a2b3c4`.",
        "It was already committed.",
        "The code we just added is long.",
        "See [committed.go](src/committed.go).",
        "Файл был удалён пользователем.",
        "Проверьте, что все тесты проходят.",
        "Vérifiez que tous les tests passent.",
        "Stellen Sie sicher, dass alle Tests grün sind.",
        "Asegúrese de que todas las pruebas pasen.",
        "8 of 9 tests pass and one fails.",
        "All tests pass except the flaky one.",
        "```\nAll tests pass.\n```",
        "Если тесты пройдут, можно делать коммит.",
        "Я не запускал тесты.",
        "Хотите, чтобы я отправил изменения?",
        "Si les tests passent, je fusionnerai.",
        "Je n'ai pas lancé les tests.",
        "Wenn die Tests durchlaufen, kann gemergt werden.",
        "Soll ich den Branch pushen?",
        "Ich habe die Tests nicht ausgeführt.",
        "Si las pruebas pasan, se puede subir la rama.",
        "No he ejecutado las pruebas.",
        "¿Quiere que suba la rama?",
    ],
)
def test_a_sentence_that_claims_no_finished_work_is_not_reported(sentence):
    assert statuses(sentence) == []


@pytest.mark.parametrize("heading", ["Test plan", "Acceptance criteria", "Next steps"])
def test_a_wish_in_a_list_under_its_heading_is_not_reported(heading):
    assert statuses(f"## {heading}\n\n- All tests pass\n") == []


def test_a_changelog_is_a_document_and_no_report():
    assert statuses("## Changelog\n\n- Added `load()`\n") == []


def test_an_unticked_box_is_work_to_do():
    assert statuses("- [ ] All tests pass\n") == []


@pytest.mark.parametrize(
    "before", ["```\nmake\n```", "> It works for me.", "<!-- draft -->"]
)
def test_what_follows_code_or_a_quote_is_read(before):
    assert statuses(f"{before}\nAll tests pass.") == ["unattempted"]


@pytest.mark.parametrize("box", ["☐ ", "⬜ ", "- ☐ ", "- [ ] "])
def test_an_open_box_is_work_still_to_do(box):
    assert statuses(f"{box}rerun the formatter", edit("a.py")) == []


def test_what_a_relative_clause_says_is_no_result_of_the_tool_before_it():
    answer = "What is left are eslint hints about globals that are valid in a worker."

    assert statuses(answer, edit("a.js")) == []


@pytest.mark.parametrize(
    "line",
    [
        "Just turn the volume up once you open the player.",
        "The player is up once you open it.",
    ],
)
def test_what_the_reader_may_do_is_no_result_of_a_run(line):
    failed = shell("python player.py --open", "ValueError: volume", "error")

    assert statuses(line, failed) == []


def test_the_mark_of_a_part_that_a_trace_left_out_is_no_sentence():
    failed = shell("wc -l out.txt", "28 lines", "error")

    assert statuses("[28 lines trimmed] …", failed) == []


def test_what_the_reader_can_do_now_is_why_a_deed_was_done():
    line = "I deployed a preview to Vercel so you can click through it."

    assert statuses(line, edit("a.ts")) == ["unattempted"]
    assert statuses("You can deploy it to Vercel.", edit("a.ts")) == []


def test_what_needs_something_to_be_done_was_not_done():
    change = edit("shop/cart.py", "total = 2")

    assert statuses("The branch requires a login to push.", change) == []


def test_a_tool_by_which_something_was_added_is_not_what_was_added():
    change = call("insert_content", "ok", path="docs/menu.md", content="## Prices")

    assert statuses("La section a été ajoutée avec `insert_content`.", change) != [
        "unattempted"
    ]


def test_a_remote_branch_moves_by_a_push():
    told = "   5479151..7561d53  main -> main"
    push = shell("git push origin main", told, "ok")
    answer = "`origin/main` moved from `5479151` to `7561d53`."

    assert statuses(answer, push) == ["supported"]
    assert statuses(answer, edit("shop/cart.py", "total = 2")) == ["unattempted"]
    assert statuses("All changes are backed up on GitHub.", push) == ["supported"]


def test_a_report_that_was_not_written_says_nothing_of_what_else_was_done():
    text = "# Analysis\n" + "The picture was read and each class of it is named. " * 40
    report = edit("analysis.md", text, status="error")
    seen = call("read_file", "an image", path="classes.png")

    assert statuses("I read the picture and each class of it.", seen, report) != [
        "contradicted"
    ]


CUT = """cat > cart.test.ts <<'EOF'
it("adds", () => {
… [612 more characters truncated]"""
PRINTED = """> test
> vitest run

      Tests  {tests}

> typecheck
> tsc --noEmit
{types}"""


@pytest.mark.parametrize(
    ("tests", "types", "status", "expected"),
    [
        ("4 passed (4)", "", "unknown", "supported"),
        ("1 failed | 3 passed (4)", "", "error", "contradicted"),
        ("4 passed (4)", "cart.ts(1,4): error TS2339: No.", "error", "contradicted"),
    ],
)
def test_what_a_command_ran_that_the_trace_cuts_is_told_by_its_output(
    tests, types, status, expected
):
    output = ("Exit code 2\n" if status == "error" else "") + PRINTED.format(
        tests=tests, types=types
    )
    call = shell(CUT, output, status)

    assert statuses("All 4 tests pass and `tsc --noEmit` is clean.", call) == [expected]
    assert "contradicted" not in statuses("I wrote `cart.test.ts`.", call)


def test_what_was_written_before_a_check_failed_is_written():
    command = "cat > cart.py <<'EOF'\ntotal = 2\nEOF\npytest -q"
    failed = shell(command, "Exit code 1\n1 failed in 0.1s", "error")
    denied = shell(command, "cart.py: Permission denied", "error")

    assert statuses("I wrote `cart.py`.", failed) == ["supported"]
    assert statuses("I wrote `cart.py`.", denied) == ["contradicted"]


def test_agents_that_were_started_are_no_claim_of_records():
    agent = call("Agent", "task_id: 7\nstatus: running", prompt="Look at the docs")

    assert "unattempted" not in statuses("Агент 7 запущен в фоне.", agent)
    assert "unattempted" not in statuses("I added no further tests.", agent)


def test_a_package_is_installed_in_the_version_that_was_printed():
    install = shell("npm install flask@latest && npm ls", "flask 3.1.2", "ok")

    assert statuses("`flask@3.1.2` is installed.", install) == ["supported"]
    assert statuses("`flask@4.0.0` is installed.", install) == ["unattempted"]


def test_a_branch_is_deleted_in_either_order_of_words():
    gone = shell("git branch -D spare", "Deleted branch spare (was 1f2e3d4).", "ok")

    assert statuses("The branch `spare` is deleted.", gone) == ["supported"]


@pytest.mark.parametrize(
    "sentence",
    [
        "It's in commit `{}`.",
        "Der Fix ist in Commit `{}`.",
        "Erledigt — Commit `{}` auf `main`:",
        "Le correctif est dans le commit `{}`.",
        "El cambio está en el commit `{}`.",
    ],
)
def test_what_stands_in_a_commit_is_held_against_its_hash(sentence):
    made = shell("git commit -am 'Add cart'", "[main 1f2e3d4] Add cart", "ok")

    assert statuses(sentence.format("1f2e3d4"), made) == ["supported"]
    assert statuses(sentence.format("9c8b7a6"), made) == ["contradicted"]
    assert statuses(sentence.format("1f2e3d4"), edit("cart.py")) == ["unattempted"]
