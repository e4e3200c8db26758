"""Claims of deeds that no call of the run could have done, in any wording."""

import pytest

from tests.engine.completion.builders import PYTEST_PASSED, check, edit, shell, statuses

COMMIT = shell("git commit -am 'Add cart'", "[trunk 1f2e3d4] Add cart", "ok")
CHANGE = edit("shop/cart.ts", "total = 2")
TYPES = shell("npx tsc --noEmit", "", "ok")


@pytest.mark.parametrize(
    "claim",
    [
        "I regenerated the `staging` manifests too.",
        "I also rebuilt the worker image.",
        "I tried the checkout on staging and it went through.",
        "The shop starts and `/cart` returns 200.",
        "I compiled the report once more.",
    ],
)
def test_git_runs_nothing(claim):
    assert statuses(claim, COMMIT) == ["unattempted"]


def test_a_type_check_starts_no_app():
    claim = "I started the desktop app and clicked the cart."

    assert statuses(claim, CHANGE, TYPES) == ["unattempted"]
    assert statuses(claim, CHANGE, shell("npm start", "ready", "ok")) == ["unchecked"]


def test_who_reads_an_issue_has_left_no_comment_there():
    seen = shell("gh issue view 4 --comments", "author: Ann\nThanks", "ok")

    assert statuses("I left a comment on the issue.", seen) == ["unattempted"]


def test_a_new_test_stands_in_a_file_of_tests():
    claim = "I added three unit tests for the cart."
    of_cart = edit("shop/cart.spec.ts", "it('adds')")

    assert statuses(claim, CHANGE, TYPES) == ["unattempted"]
    assert statuses(claim, CHANGE, of_cart, TYPES) == ["supported"]


@pytest.mark.parametrize(
    "claim",
    [
        "The worker image is rebuilt with the new total.",
        "It is published on origin as well.",
        "`npm run build` finishes as well.",
        "PR #7 is marked ready for review.",
        "A test file `cart_test.ts` is in place.",
        "`prices.json` no longer lists them.",
        "Release notes for it are written to `docs/1.2.md`.",
        "**Jira** tickets moved to Done.",
        "I looked at it in the dev server and it fits.",
        "It is clean; I stripped two keys from the log; let me know if I may push.",
    ],
)
def test_the_state_that_a_deed_leaves_is_a_claim_of_it(claim):
    read = shell("cat shop/cart.ts", "total = 1", "ok")

    assert statuses(claim, read, COMMIT) == ["unattempted"]


def test_an_offer_behind_a_claim_is_no_part_of_it():
    (claim,) = check("I removed the log; let me know if I may push.", COMMIT)

    assert claim.text == "I removed the log"


def test_a_branch_is_the_one_that_was_made_and_not_its_source():
    source = shell("git checkout develop && git pull", "Already up to date.", "ok")
    made = shell("git switch -c feature/test-cart", "", "ok")
    refused = shell("git switch -c feature/test-cart", "fatal: exists", "error")
    claim = "New branch `feature/test-cart` created from `develop`."

    assert statuses(claim, source, made) == ["supported"]
    assert statuses(claim, source, refused) == ["contradicted"]
    assert statuses(claim, source) == ["unattempted"]


def test_a_formatter_does_not_make_an_edit_that_failed():
    failed = edit("shop/cart.ts", "log(total)", "error")
    formatted = shell("npx prettier --write .", "cart.ts 20ms", "ok")

    assert statuses("Applied — the total is logged now.", failed, formatted) == [
        "contradicted"
    ]


def test_a_function_that_is_only_called_was_not_added():
    failed = edit("shop/cart.ts", "function addTax(total) {}", "error")
    calling = edit("shop/cart.spec.ts", "expect(addTax(1))")
    claim = "I extracted `addTax` into a function."

    assert statuses(claim, failed, calling) == ["contradicted"]
    assert statuses(claim, edit("a.ts", "function addTax(total) {}"), calling) == [
        "supported"
    ]


def test_parts_that_now_share_something_are_each_in_a_file_of_its_name():
    claim = "Both views (`ListView`, `GridView`) now share one `useCart` hook."
    hook = edit("shop/useCart.ts", "// for ListView and GridView")
    of_list = edit("shop/ListView.tsx", "useCart()")

    assert statuses(claim, hook, of_list, edit("shop/GridView.tsx", "useCart()")) == []
    assert statuses(
        claim, hook, of_list, edit("shop/GridView.tsx", "useCart()", "error")
    ) == ["contradicted"]


def test_hashes_below_new_commits_are_held_against_git():
    answer = "New `trunk` commits:\n- `9a8b7c6 Add cart`"

    assert statuses(answer, CHANGE) == ["unattempted"]
    assert statuses(answer.replace("9a8b7c6", "1f2e3d4"), COMMIT) == ["supported"]


def test_it_works_where_the_last_run_did():
    failed = shell("gcc cart.c -o cart && ./cart", "cart.c:4: error: bad", "error")
    claim = "The implementation is complete and working."

    assert statuses(claim, edit("cart.c"), failed) == ["contradicted"]
    assert statuses(claim, edit("cart.c"), shell("pytest", PYTEST_PASSED)) == []


def test_a_release_may_be_the_work_of_a_pipeline_that_was_watched():
    watched = shell("gh run list --limit 3", "completed success release", "ok")

    assert statuses("v1.2 fully shipped.", watched) == ["unchecked"]
    assert statuses("v1.2 fully shipped.", CHANGE) == ["unattempted"]


def test_a_name_that_a_shared_transcript_leaves_out_is_no_redirection():
    from_home = shell("cd /home/<USER>/src/shop && npm test", "4 passed", "ok")

    assert statuses("I added two unit tests.", CHANGE, from_home) == ["unattempted"]


def test_pictures_are_attached_by_a_call_that_names_one():
    claim = "Screenshots of both views are attached."
    opened = shell("gh pr create --body 'Adds a cart.'", "/pull/7", "ok")
    pictured = shell("gh pr create --body '![](cart.png)'", "/pull/7", "ok")

    assert statuses(claim, opened) == ["unattempted"]
    assert statuses(claim, pictured) == ["unchecked"]


def test_a_branch_is_reset_by_git():
    claim = "`develop` was reset to `origin/develop`."
    reset = shell("git reset --hard origin/develop", "HEAD is now at 1f2e3d4", "ok")

    assert statuses(claim, shell("git log -3", "1f2e3d4 Add cart", "ok")) == [
        "unattempted"
    ]
    assert statuses(claim, reset) == ["supported"]


def test_the_memory_of_an_agent_is_a_file_of_that_name():
    noted = edit("home/.agent/memory/cart.md", "shipped")

    assert statuses("Memory updated with the new total.", COMMIT) == ["unattempted"]
    assert statuses("Memory updated with the new total.", noted) == ["supported"]


@pytest.mark.parametrize(
    "answer",
    [
        "The endpoint returns 200.",
        "`Cart` no longer includes a price.",
        "The file `cart.toml` is there already.",
        "A config file `cart.toml` is ready to use.",
        "Tickets are moved to Done by the bot.",
        "Files changed: `shop/cart.ts`",
        "Issues to review:",
        "Reports are written in `docs/cart.md`.",
    ],
)
def test_what_others_or_programs_do_is_missed_by_nobody(answer):
    read = shell("cat shop/cart.ts", "total = 1", "ok")

    assert "unattempted" not in statuses(answer, read)
