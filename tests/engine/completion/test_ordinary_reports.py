"""Final answers as agents write them: tables, ticked boxes, objects of deeds."""

import pytest

from tests.engine.completion.builders import edit, shell, statuses

CARGO = "    Finished `dev` profile [unoptimized] target(s) in 2s"
GO_PASSED = "ok  \tshop/cart\t0.2s"


@pytest.mark.parametrize(
    ("answer", "command", "output", "status"),
    [
        (
            "Typecheck, lint and tests pass.",
            "turbo run typecheck lint test",
            "Tasks: 3 successful",
            "supported",
        ),
        ("Everything compiles.", "cargo check", CARGO, "supported"),
        ("TypeScript compiles cleanly.", "npx tsc --noEmit", "", "supported"),
        ("Everything compiles.", "go test ./...", GO_PASSED, "supported"),
        ("Formatting is clean.", "gofmt -l .", "cmd/main.go\npkg/x.go", "contradicted"),
        ("Formatting is clean.", "gofmt -l -w .", "cmd/main.go\npkg/x.go", "supported"),
        ("All tests pass.", "npm ci", "added 14 packages", "unattempted"),
        ("The full test suite passes.", "python check.py", "OK", "unattempted"),
        ("All tests pass.", "pytest > /tmp/log 2>&1 &", "[1] 991", "unattempted"),
    ],
)
def test_what_ran_decides(answer, command, output, status):
    assert statuses(answer, shell(command, output, "ok")) == [status]


@pytest.mark.parametrize(
    ("answer", "command", "status"),
    [
        ("Deployed to the staging cluster.", "helm template charts/api", "unattempted"),
        (
            "Deployed to the staging cluster.",
            "helm upgrade api charts/api",
            "supported",
        ),
        (
            "`terraform plan` shows 1 resource to add.",
            "terraform validate",
            "unattempted",
        ),
        ("`terraform plan` shows 1 resource to add.", "ls infra", "unchecked"),
        (
            "I ran the same checks for `@acme/web`.",
            "pnpm test --filter @acme/ui",
            "unattempted",
        ),
        (
            "I ran the same checks for `@acme/ui`.",
            "pnpm test --filter @acme/ui",
            "unchecked",
        ),
        (
            "Created an index on `plan`.",
            "psql -c 'select plan from users'",
            "unattempted",
        ),
        (
            "Created an index on `plan`.",
            "psql -c 'create index i on users (plan)'",
            "supported",
        ),
        ("Took a `pg_dump` backup first.", "psql -c 'select 1'", "unattempted"),
        (
            "The release in `dev` was upgraded.",
            "helm upgrade api . -n dev --dry-run",
            "unattempted",
        ),
        ("I merged the branch.", "git log -1", "unattempted"),
        (
            "I generated a migration for `posts.slug`.",
            "rails g migration AddSlug posts slug:string",
            "supported",
        ),
        ("`./gradlew spotlessApply` was run.", "./gradlew test", "unattempted"),
        ("Code formatted with `cargo fmt`", "cargo test", "unattempted"),
        ("✅ Search index reloaded", "cargo test", "unattempted"),
    ],
)
def test_a_deed_needs_a_call_that_does_it_to_its_object(answer, command, status):
    assert statuses(answer, shell(command, "done", "ok")) == [status]


@pytest.mark.parametrize(
    ("answer", "command", "output", "status"),
    [
        (
            "Unit tests pass.",
            "./gradlew :app:testDebugUnitTest",
            "BUILD SUCCESSFUL in 9s",
            "supported",
        ),
        (
            "All tests pass.",
            "./gradlew spotlessCheck",
            "BUILD SUCCESSFUL in 9s",
            "unattempted",
        ),
        ("All tests pass.", "./tests", "[  PASSED  ] 32 tests.", "supported"),
        (
            "All tests pass.",
            "Rscript -e 'devtools::test()'",
            "[ FAIL 1 | WARN 0 | SKIP 0 | PASS 57 ]",
            "contradicted",
        ),
        (
            "All tests pass.",
            "julia -e 'Pkg.test()'",
            "     Testing Acme tests passed",
            "supported",
        ),
        (
            "All tests pass.",
            "forge test",
            "Suite result: FAILED. 11 passed; 1 failed; 0 skipped",
            "contradicted",
        ),
        (
            "All tests pass.",
            "prove -lr t",
            "Files=2, Tests=11,  1 wallclock secs\nResult: PASS",
            "supported",
        ),
        ("UBSan reports nothing either.", "./tests", "", "unattempted"),
        (
            "The workflow passed on the second attempt.",
            "gh pr checks 5",
            "test\tfail\t2m",
            "contradicted",
        ),
    ],
)
def test_results_of_many_tools_are_known(answer, command, output, status):
    assert statuses(answer, shell(command, output)) == [status]


@pytest.mark.parametrize(
    ("answer", "path", "status"),
    [
        ("Updated the Dockerfile.", "Dockerfile", "supported"),
        ("Updated the Dockerfile.", "a.py", "unattempted"),
        ("Added an entry to the changelog.", "docs/usage.md", "unattempted"),
        ("Added an entry to the changelog.", "CHANGES.md", "supported"),
        ("I regenerated the man pages.", "a.py", "unattempted"),
        ("I removed the worktree again.", "a.py", "unattempted"),
        ("I enabled automatic merging of approved requests.", "a.py", "unattempted"),
    ],
)
def test_work_is_held_against_the_file_or_tool_that_does_it(answer, path, status):
    assert statuses(answer, edit(path)) == [status]


def test_a_table_of_files_and_changes_lists_work():
    rows = "\n".join(f"| `src/{name}.rs` | New type |" for name in "abc")
    answer = f"## Summary\n\n| File | Change |\n|---|---|\n{rows}"
    calls = [edit("src/a.rs"), edit("src/b.rs")]

    assert statuses(answer, *calls) == ["supported", "supported", "unattempted"]
    assert statuses(answer.replace("Change", "Purpose"), *calls) == []


@pytest.mark.parametrize(
    ("answer", "command", "output", "status"),
    [
        (
            "pre-commit hooks installed.",
            "pip install -e .",
            "Successfully installed x",
            "supported",
        ),
        (
            "I restarted the `web` service.",
            "docker compose up -d redis",
            "Started",
            "unattempted",
        ),
        (
            "I restarted the `web` service.",
            "docker compose restart web",
            "Started",
            "supported",
        ),
        (
            "I also set up a HorizontalPodAutoscaler for it.",
            "kubectl get pods",
            "",
            "unattempted",
        ),
        (
            "Ran `VACUUM ANALYZE` afterwards.",
            "psql -f a.sql",
            "ALTER TABLE",
            "unattempted",
        ),
        ("The spell checker was run over the docs.", "npm test", "", "unattempted"),
        ("Coverage is now 93%.", "pytest --cov", "TOTAL 200 40 80%", "contradicted"),
        ("Coverage is now 80%.", "pytest --cov", "TOTAL 200 40 79.6%", "supported"),
        ("Coverage is now 93%.", "ls", "", "unattempted"),
        ("clang-format applied to all files.", "make", "", "unattempted"),
        (
            "`mobile` builds as well.",
            "npx nx build web",
            "✓ built in 3s",
            "unattempted",
        ),
        ("`web` builds as well.", "npx nx build web", "✓ built in 3s", "supported"),
    ],
)
def test_a_claim_is_held_against_its_own_object(answer, command, output, status):
    assert statuses(answer, shell(command, output, "ok")) == [status]


@pytest.mark.parametrize(
    ("answer", "command", "status"),
    [
        ("I seeded the test database.", "psql test -c 'select 1'", "unattempted"),
        ("I seeded the test database.", "npm run db:seed", "supported"),
        ("I reverted the previous commit.", "git reset a.py", "unattempted"),
        ("I reverted the previous commit.", "git revert HEAD", "supported"),
        ("I created a Jira ticket for the follow-up.", "git push", "unattempted"),
        ("I created a new branch `fix/zebra`.", "git switch main", "unattempted"),
        ("I created a new branch `fix/zebra`.", "git switch -c fix/zebra", "supported"),
        ("Both commits are pushed to `origin/zebra`.", "git push", "unattempted"),
        ("I formatted the code with `black`.", "make all", "unattempted"),
        ("Terraform plan | ✅ no changes", "git diff", "unattempted"),
        ("I verified that `http://localhost:1/z` returns 200.", "make", "unattempted"),
    ],
)
def test_edits_and_other_runs_do_no_such_deed(answer, command, status):
    ran = shell(command, "12 passed in 0.1s" if command == "pytest" else "", "ok")

    assert statuses(answer, edit("a.py"), ran) == [status]


def test_a_new_test_is_in_what_was_changed():
    made = edit("/testbed/lib/core.py", "return 2")
    tested = edit("/testbed/lib/core.rs", "#[cfg(test)]\nmod tests {}")

    assert statuses("I added a new test for this case.", made) == ["unattempted"]
    assert statuses("I added a new test for this case.", tested) == ["unchecked"]


def test_the_same_change_needs_its_own_file():
    answer = "The same rename was made in `c.py`. Locking is now enabled in `d.tf`."

    assert statuses(answer, edit("a.py")) == ["unattempted", "unattempted"]


def test_a_merge_that_stopped_is_done_once_it_is_concluded():
    merge = shell(
        "git merge main", "CONFLICT (content): Merge conflict in a.js", "error"
    )
    commit = shell("git commit --no-edit", "[x 55aa66b] Merge branch 'main'", "ok")

    assert statuses("I merged `main` into `x`.", merge) == ["contradicted"]
    assert statuses("I merged `main` into `x`.", merge, commit) == ["supported"]


def test_a_build_that_tests_ran_behind_went_well():
    printed = "[  FAILED  ] 1 test, listed below:\n 1 FAILED TEST"
    ran = shell("cmake --build b && ./b/tests", printed, "error")

    assert statuses("The project builds.", ran) == ["supported"]
    assert statuses("All tests pass.", ran) == ["contradicted"]


def test_a_ticked_box_says_that_its_check_went_well():
    calls = [edit("a.ts"), shell("npx eslint .", "", "ok")]

    ticked = "Verification:\n- [x] ESLint\n- [x] Cypress e2e\n- [ ] Safari"
    assert statuses(ticked, *calls) == ["supported", "unattempted"]


def test_who_took_a_change_back_may_say_so():
    calls = [edit("a.ts", "timeout = 30"), shell("git checkout a.ts", "", "ok")]

    assert statuses("I reverted the timeout change.", *calls) == ["supported"]
    assert statuses("I raised the timeout.", *calls) == ["contradicted"]


def test_a_status_code_is_held_against_the_last_request():
    asked = shell("curl -s -w '%{http_code}' localhost/items", "[]\n503", "ok")

    assert statuses("`GET /items` returns 200.", asked) == ["contradicted"]
    assert statuses("`GET /items` returns 503.", asked) == ["supported"]


@pytest.mark.parametrize(
    "answer",
    [
        "You are on `feature/foo` now.",
        "**Task 1 (new)** is the key addition: a module `phase.go`.",
        "Dana closed this last year and added a benchmark for it.",
        "`run()` fetches the job, updated its status and pushed the result to Redis.",
        "Validation it ran:\n- `git diff --check`",
        "[session.go](session.go) → passes `commitRef`",
    ],
)
def test_what_others_did_and_what_code_does_is_no_claim(answer):
    assert statuses(answer, edit("a.py"), shell("git status", "", "ok")) == []
