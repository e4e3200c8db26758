"""Which spellings name one thing and which do not: a table, both ways."""

import pytest

from tests.builders import a_command, an_interaction, verify
from verifyhub.engine.reports import Status

EQUAL = [
    # mentioned, returned by a tool
    ("src/app.py", "src/app.py"),
    ("./src/app.py", "src/app.py"),
    ("src/app.py", "./src/app.py"),
    ("src/./app.py", "src/app.py"),
    ("src//app.py", "src/app.py"),
    ("src/lib/../app.py", "src/app.py"),
    ("app.py", "src/app.py"),
    ("src/app.py", "/home/ann/shop/src/app.py"),
    ("/home/ann/shop/src/app.py", "src/app.py"),
    ("/home/ann/shop/src/app.py", "/home/ann/shop/src/app.py"),
    ("src\\app.py", "src/app.py"),
    ("src/app.py", "src\\app.py"),
    ("C:\\shop\\src\\app.py", "C:\\shop\\src\\app.py"),
    ("src/app.py:12", "src/app.py"),
    ("src/app.py:12-40", "src/app.py"),
    ("src/app.py:12:5", "src/app.py"),
    ("src/app.py#L12", "src/app.py"),
    ("src/app.py#L12-L40", "src/app.py"),
    ("src/app.py", "src/app.py:12: x = 1"),
    ("src/my%20app.py", "src/my%20app.py"),
    ("src/caf%C3%A9.py", "src/café.py"),
    ("file:///home/ann/app.py", "/home/ann/app.py"),
    ("app.py", '"app.py"'),
    ("app.py", "(app.py)"),
    ("app.py", "M app.py"),
    ("app.py", "+++ b/app.py"),
    ("app.py", "    12→import app.py"),
    ("app.py", "see app.py."),
    ("Makefile", "Makefile"),
    (".gitignore", ".gitignore"),
    ("docs/README", "docs/README"),
    ("load_user", "def load_user(name):"),
    ("load_user()", "def load_user(name):"),
    ("load_user(name)", "def load_user(name):"),
    ("UserStore", "class UserStore:"),
    ("UserStore.save", "UserStore.save(user)"),
    ("UserStore.save()", "class UserStore:\n    def save(self): pass"),
    ("UserStore::save", "UserStore::save()"),
    ("user.name", "print(user.name)"),
    ("MAX_SIZE", "MAX_SIZE = 4"),
    ("$HOME_DIR", "export HOME_DIR=/x"),
    ("parseURL", "func parseURL(s string)"),
    ("@types/node", '"@types/node": "^20"'),
    ("github.com/spf13/cobra", '"github.com/spf13/cobra"'),
    ("github.com/spf13/cobra", '"github.com/spf13/cobra/doc"'),
    ("https://example.com/a", "GET https://example.com/a 200"),
    ("https://example.com/a/", "GET https://example.com/a 200"),
    ("https://EXAMPLE.com/a", "GET https://example.com/a 200"),
    ("https://example.com/a", "https://example.com/a/b"),
    ("v1.2.3", "version 1.2.3"),
    ("1.2.3", "tag v1.2.3"),
    ("3f2a91c", "commit 3f2a91c0d5e64b7f8a9b0c1d2e3f405162738495"),
    ("src/core/", "src/core/app.py"),
    ("./src/core", "src/core/app.py"),
    ("--dry-run", "usage: ship [--dry-run]"),
    ("git log --oneline", "hint: git log --oneline"),
]

UNEQUAL = [
    ("/home/ann/shop/lib/app.py", "src/app.py"),
    ("/home/ann/other/src/app.py", "/home/ann/shop/README.md src/app.py"),
    ("src/App.py", "src/app.py"),
    ("SRC/app.py", "src/app.py"),
    ("src/app.pyc", "src/app.py"),
    ("src/app.js", "src/app.py"),
    ("src/app.tsx", "src/app.ts"),
    ("app.ts", "app.tsx"),
    ("lib/app.py", "src/app.py"),
    ("src/lib/app.py", "src/app.py"),
    ("/home/bob/shop/src/app.py", "/home/ann/shop/src/app.py"),
    ("pp.py", "app.py"),
    ("a.py", "ca.py"),
    ("ca.py", "a.py"),
    ("app.py", "my-app.py"),
    ("app.py", "my_app.py"),
    ("app.py", "app.py.bak"),
    ("app.py", "xapp.py"),
    ("app_test.py", "app.py"),
    ("src/аpp.py", "src/app.py"),
    ("src/app․py.md", "src/app.py"),
    ("src/app.py", "src/аpp.py"),
    ("src/ap\u200bp.py", "src/app.py"),
    ("my‑app.py", "my-app.py"),
    ("src/app.py", "ls: cannot access 'src/app.py': No such file or directory"),
    ("src/app.py", "cat: src/app.py: No such file or directory"),
    ("src/app.py", "Error: File not found: src/app.py"),
    ("mind_auth", "ModuleNotFoundError: No module named 'mind_auth'"),
    ("load_user()", "NameError: name 'load_user' is not defined"),
    ("load_user()", "main.go:3:1: undefined: load_user"),
    ("load_user()", "AttributeError: 'X' object has no attribute 'load_user'"),
    ("load_users", "def load_user():"),
    ("load_user", "def load_users():"),
    ("load_user", "def preload_user():"),
    ("loaduser", "def loadUser():"),
    ("LoadUser", "def loadUser():"),
    ("load_User", "def load_user():"),
    ("UserStore", "class UserStoreBase:"),
    ("UserStore.save", "class UserStore: pass"),
    ("UserStore.save", "UserStore.savings"),
    ("store.Save", "store.save()"),
    ("MAX_SIZE", "MAX_SIZES = 4"),
    ("MAX_SIZE", "max_size = 4"),
    ("mind-auth", "mind-auth-core"),
    ("`package` mind-auth", "mind_auth"),
    ("@types/node", '"@types/node-fetch": "^2"'),
    ("@types/node", '"@type/node": "^2"'),
    ("github.com/spf13/cobra", '"github.com/spf13/cobra-lite"'),
    ("github.com/spf13/cobra", '"github.com/spf14/cobra"'),
    ("https://example.com/a", "https://example.com/ab"),
    ("https://example.com/a", "https://example.org/a"),
    ("https://docs.example.com", "https://example.com"),
    ("http://example.com/a", "https://example.com/a"),
    ("v1.2.3", "version 1.2.30"),
    ("1.2.3", "version 11.2.3"),
    ("3f2a91c", "commit 3f2a91d0d5e64b7f8a9b0c1d2e3f405162738495"),
    ("src/core/", "src/corelib/app.py"),
    ("./src/core", "lib/core/app.py"),
    ("--dry-run", "usage: ship [--dry-run-all]"),
    ("git log --oneline", "hint: git log --oneline-all"),
    ("git log --oneline --strict", "hint: git log --oneline"),
    ("npm run test", "npm run test:unit"),
]


def _statuses(mentioned: str, returned: str) -> set[Status]:
    text = mentioned if "`" in mentioned else f"`{mentioned}`"
    report = verify(an_interaction(f"It is {text}", a_command("ls", returned)))
    return {mention.status for mention in report.mentions}


@pytest.mark.parametrize(("mentioned", "returned"), EQUAL)
def test_same_thing_in_another_spelling_is_verified(mentioned, returned):
    assert _statuses(mentioned, returned) == {Status.VERIFIED}


@pytest.mark.parametrize(("mentioned", "returned"), UNEQUAL)
def test_other_thing_with_a_like_spelling_is_not_verified(mentioned, returned):
    assert Status.VERIFIED not in _statuses(mentioned, returned)


def test_table_is_large_enough_to_mean_something():
    assert len(EQUAL) + len(UNEQUAL) >= 100
