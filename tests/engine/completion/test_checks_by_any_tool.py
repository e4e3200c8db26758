"""Results of tools that few people use, and of checks that ran elsewhere."""

import pytest

from tests.engine.completion.builders import edit, shell, statuses

CI = "gh pr view 7 --json statusCheckRollup"


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("- go vet: clean", "go vet ./..."),
        ("ansible-lint passes.", "ansible-lint site.yml"),
        ("RuboCop: no offenses.", "rubocop"),
        ("- bandit ✔ no issues", "bandit -r src"),
        ("`terraform validate`: Success", "terraform validate"),
        ("PHPStan reports no errors.", "vendor/bin/phpstan analyse"),
        ("**Checks run**\n- `npx biome check src/a.ts`", "npx biome check src/a.ts"),
    ],
)
def test_the_tool_that_a_line_names_must_have_run(line, command):
    assert statuses(line, shell(command, "", "ok")) == ["supported"]
    assert statuses(line, shell(command, "", "error")) == ["contradicted"]
    assert statuses(line, shell("eslint src", "", "ok")) == ["unattempted"]


@pytest.mark.parametrize(
    ("output", "status"),
    [
        ('[{"conclusion":"SUCCESS","status":"COMPLETED"}]', "supported"),
        ('[{"conclusion":"FAILURE","status":"COMPLETED"}]', "contradicted"),
        ('[{"conclusion":"","status":"IN_PROGRESS"}]', "unchecked"),
    ],
)
def test_a_pipeline_is_settled_by_the_last_look_at_it(output, status):
    assert statuses("CI is green.", shell(CI, output, "ok")) == [status]


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("Image pushed to the registry.", "unattempted"),
        ("I seeded the database.", "unattempted"),
        ("Cache keys were rotated.", "unattempted"),
        ("The maintainers fixed this and added a test.", None),
        ("The hook ran before the variables were set.", None),
    ],
)
def test_a_line_that_tells_what_became_of_a_thing_is_a_claim(answer, status):
    assert statuses(answer, shell("ls", "a.py", "ok")) == [status] * bool(status)


def test_each_clause_is_settled_with_its_own_names():
    calls = [shell("pip install httpx", "Successfully installed httpx-0.27", "ok")]
    calls.append(edit("client.py", "import httpx"))

    both = "Installed `httpx` and updated `client.py`."
    assert statuses(both, *calls) == ["supported"]
    assert statuses("Installed `httpx` and updated `b.py`.", *calls) == ["unattempted"]


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("`a.go`: Added `NewLimiter()`", "unchecked"),
        ("Removed `oldAllow()` from `a.go`", "unchecked"),
        ("I removed `oldAllow()` from `a.go`.", "unattempted"),
        ("Refactored `Untouched()` in `a.go`", "unattempted"),
    ],
)
def test_work_that_a_diff_shows_done_by_nobody_knows_whom_stays_open(answer, status):
    diff = "+func NewLimiter() {}\n-func oldAllow() {}\n func Untouched() {}"
    assert statuses(answer, shell("git show HEAD", diff, "ok")) == [status]


def test_one_failed_check_of_a_pull_request_denies_that_all_are_green():
    checks = shell("gh pr checks 7", "build\tpass\t1m2s\ntest\tfail\t3m1s", "error")
    assert statuses("All checks on PR #7 are green.", checks) == ["contradicted"]


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("✅ Types", "supported"),
        ("The type check is clean and ctest reports no failures.", "unattempted"),
        ("A build passes only when all linters succeed.", None),
        ("Every commit pushed to `main` is deployed automatically.", None),
    ],
)
def test_a_line_is_held_against_the_tools_of_its_own_kind(line, status):
    run = shell("npx tsc --noEmit", "", "ok")
    assert statuses(line, run) == [status] * bool(status)
