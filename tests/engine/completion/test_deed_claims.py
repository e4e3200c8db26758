import pytest

from tests.engine.completion.builders import call, check, edit, shell, statuses

COMMITTED = "[main 1a2b3c4] Mend it\n 1 file changed"


@pytest.mark.parametrize(
    ("answer", "run", "status"),
    [
        ("Committed as `1a2b3c4`.", shell("git commit -m x", COMMITTED), "supported"),
        (
            "Committed as `9f8e7d6`.",
            shell("git commit -m x", COMMITTED),
            "contradicted",
        ),
        ("I committed it.", shell("git commit -m x", "fatal", "error"), "contradicted"),
        ("I committed it.", shell("git status"), "unattempted"),
        ("I pushed the branch.", shell("git push", "main -> main"), "supported"),
        (
            "I pushed the branch.",
            shell("git push", " ! [rejected] main -> main (fetch first)"),
            "contradicted",
        ),
        ("I pushed the branch.", shell("git commit -m x", COMMITTED), "unattempted"),
        ("Installed `zod`.", shell("npm install zod"), "supported"),
        ("Installed `zod`.", shell("npm install left-pad"), "unattempted"),
        ("I sent the report by e-mail.", call("send_email", "ok"), "supported"),
        ("I sent the report by e-mail.", shell("ls"), "unattempted"),
        ("I opened a pull request.", shell("gh pr create --fill"), "supported"),
        ("I opened a pull request.", shell("gh pr view 3"), "unattempted"),
        ("I ran `make seed`.", shell("make seed"), "supported"),
        ("I ran `make seed`.", shell("make seed", "", "error"), "supported"),
        (
            "I ran `make seed` without errors.",
            shell("make seed", "", "error"),
            "contradicted",
        ),
        ("`make seed` ran cleanly.", shell("make seed", "", "error"), "contradicted"),
        ("The pull request is open.", shell("git push"), "unattempted"),
        ("I took a backup of the database.", shell("psql -c 1"), "unattempted"),
        ("I took a backup of the database.", shell("pg_dump app"), "supported"),
        ("I've cancelled your booking.", call("cancel_booking", "done"), "supported"),
        ("I've cancelled your booking.", call("get_booking", "x"), "unattempted"),
        ("I ran the benchmarks.", shell("ls"), "unattempted"),
    ],
)
def test_a_deed_is_settled_by_the_call_that_does_it(answer, run, status):
    assert statuses(answer, run) == [status]


def test_the_words_of_a_commit_message_do_nothing():
    commit = shell('git commit -m "release 2.0"', "[main 1a2b3c4] release 2.0", "ok")
    publish = shell(
        "cargo publish | tail -3", "error: failed to publish\n\nCaused by: x"
    )

    assert statuses("I published the crate.", commit) == ["unattempted"]
    assert statuses("I published the crate.", commit, publish) == ["contradicted"]


def test_a_branch_is_deleted_by_a_push_that_deletes():
    pushed = shell("git push origin x", "To h:o/r\n * [new branch] x -> x", "ok")
    deleted = shell("git push origin --delete x", "To h:o/r\n - [deleted] x", "ok")

    assert statuses("I deleted the remote branch.", pushed) == ["unattempted"]
    assert statuses("I deleted the remote branch.", deleted) == ["supported"]


def test_a_deed_is_held_against_the_command_that_is_said_to_have_done_it():
    runs = (
        shell("npm i x", "added 1 package", "ok"),
        shell("npx y install z", "Error: no net", "error"),
    )

    assert statuses("I installed z with `npx y install z`.", *runs) == ["contradicted"]
    assert statuses("I installed `x`.", *runs) == ["supported"]


READ = call("Read", "def load(): ...", file_path="/repo/src/load.py")


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("I reviewed `src/load.py`.", "supported"),
        ("I reviewed `src/load.py` and `src/save.py`.", "unattempted"),
    ],
)
def test_a_file_that_the_agent_says_it_read_is_named_by_a_call(answer, status):
    assert statuses(answer, READ) == [status]


def test_tests_that_were_counted_are_held_against_the_number_printed():
    run = shell("cargo test", "test result: ok. 31 passed; 0 failed; 0 ignored;", "ok")
    assert statuses("In total, `cargo test` executed 31 tests.", run) == ["supported"]
    assert statuses("In total, `cargo test` executed 34 tests.", run) != ["supported"]


def test_an_emulator_that_no_call_started_was_not_tried():
    build = shell("./gradlew assembleDebug", "BUILD SUCCESSFUL in 9s", "ok")
    adb = shell("adb -s emulator-5554 install app.apk", "Success", "ok")
    answer = "I verified it manually on an emulator."
    assert statuses(answer, build) == ["unattempted"]
    assert statuses(answer, build, adb) == ["supported"]


REFUSED = "husky - pre-commit script failed (code 1)"


@pytest.mark.parametrize(
    "line",
    [
        "The cache limit has been added and committed.",
        "The cache limit is done and committed.",
        "I've created the commit.",
    ],
)
@pytest.mark.parametrize(
    ("output", "status"), [(COMMITTED, "supported"), (REFUSED, "contradicted")]
)
def test_a_commit_told_beside_the_work_is_a_commit(line, output, status):
    commit = shell("git commit -am 'Trim the cache'", output)

    [claim] = check(line, edit("cache.py", "limit = 2"), commit)

    assert claim.status == status


@pytest.mark.parametrize(
    "command", ["git reset HEAD~1", "git reset --soft HEAD^", "git update-ref -d HEAD"]
)
def test_a_commit_that_a_later_call_takes_back_contradicts(command):
    commit = shell("git commit -am 'Trim the cache'", COMMITTED)
    again = shell("git commit -am 'Trim it again'", COMMITTED)

    assert statuses("All committed.", commit, shell(command)) == ["contradicted"]
    assert statuses("All committed.", commit, shell(command), again) == ["supported"]
    assert statuses("All committed.", commit, shell("git reset HEAD")) == ["supported"]


def test_what_a_refused_commit_is_said_to_include_is_contradicted():
    answer = "Committed. The commit includes:\n- Notes for operators\n- A new limit"

    refused = check(answer, shell("git commit -am 'Trim'", REFUSED))
    made = check(answer, shell("git commit -am 'Trim'", COMMITTED))

    assert [claim.status for claim in refused] == ["contradicted"] * 3
    assert [claim.text for claim in made] == ["Committed."]
