"""Command lines are taken apart once, as a shell would."""

import pytest

from verifyhub.engine.calls.shell import (
    MAX_PARTS,
    heredocs,
    redirections,
    split_command,
)


def programs(command: str) -> list[str]:
    return [part.program for part in split_command(command)]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("cd app && pytest -q | tail -3; echo done", ["cd", "pytest", "tail", "echo"]),
        ("FOO=1 BAR='a b' sudo make", ["make"]),
        ("/usr/bin/git -C repo commit -m 'x; rm y'", ["git"]),
        ("bash -lc 'cd x && npm test'", ["cd", "npm"]),
        ("# run pytest\nls", ["ls"]),
        ("(cd x; make) && ls", ["cd", "make", "ls"]),
        ("make 2>&1 | tee log", ["make", "tee"]),
        ("docker run --rm \\\n  -v a:b \\\n  web && ls", ["docker", "ls"]),
        ('git commit -m "say \\"a; b\\"" && ls', ["git", "ls"]),
        ("cat > a <<'EOF'\nrm -rf b; x\nEOF\npython a", ["cat", "python"]),
        ("cat <<A\na\nA\ncat <<B\nb\nB\nls", ["cat", "cat", "ls"]),
        ("", []),
    ],
)
def test_commands_are_split_outside_quotes_and_here_documents(command, expected):
    assert programs(command) == expected


def test_a_part_knows_its_arguments_and_its_place():
    command = "cd a;  rm -f 'b c.py' \"d\"/e.py 2>/dev/null"

    _, part = split_command(command)

    assert part.argv[:4] == ("rm", "-f", "b c.py", "d/e.py")
    assert part.operands == ("b c.py", "d/e.py")
    assert command[part.start :].startswith("rm -f")


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("echo x > a.txt", [("a.txt", False)]),
        ("echo x >> 'a b.txt'", [("a b.txt", True)]),
        ("make 2>&1 >/dev/null", [("/dev/null", False)]),
        ("x => y; a -> b; f(a) >= 2", []),
        ("echo 'a > b'", []),
        ("cat <<'E' > c.py\nd > e\nE", [("c.py", False)]),
    ],
)
def test_only_real_redirections_write(command, expected):
    assert list(redirections(command)) == expected


def test_a_here_document_ends_at_its_own_line():
    (one,) = heredocs("cat <<EOF\nEOF2\nx\nEOF\nls")

    assert "cat <<EOF\nEOF2\nx\nEOF\nls"[one.start : one.end] == "EOF2\nx\n"


@pytest.mark.parametrize(
    "command",
    ["a;" * 100_000, "'" * 99_999, "<<A\n" * 50_000, "\n" * 200_000, ">" * 100_000],
    ids=lambda command: command[:4],
)
def test_hostile_commands_stay_small(command):
    assert len(split_command(command)) <= MAX_PARTS


@pytest.mark.parametrize(
    ("command", "looks"),
    [
        ("gh api repos/acme/web/pulls/4/comments --paginate", True),
        ("gh api repos/acme/web/pulls/comments/9/replies -f body='done'", False),
        ("gh api -X GET search/issues -f q=login", True),
        ("gh api --method DELETE repos/acme/web/labels/x", False),
        ("gh api graphql -f query='query { viewer { login } }'", True),
        ("gh api graphql -f query='mutation { resolve }'", False),
    ],
)
def test_a_request_to_github_looks_unless_it_sends_something(command, looks):
    assert [part.looks for part in split_command(command)] == [looks]
