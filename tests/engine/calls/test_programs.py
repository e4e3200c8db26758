"""What programs do is read from one registry, behind whatever runs them."""

import pytest

from verifyhub.engine.calls.programs import RunKind, is_program
from verifyhub.engine.calls.shell import SimpleCommand, split_command


def first(command: str) -> SimpleCommand:
    return split_command(command)[0]


@pytest.mark.parametrize(
    ("command", "program"),
    [
        ("uv run --with httpx pytest -q", "pytest"),
        ("npx -y prettier --check a.ts", "prettier"),
        ("npm exec -- eslint .", "eslint"),
        ("sudo -u bob systemctl restart app", "systemctl"),
        ("timeout -k 5 60 make test", "make"),
        ("env -u A B=1 nice -n 5 cargo build", "cargo"),
        ("python3.12 -m mypy src", "mypy"),
        ("python -m http.server", "python"),
        ("xargs -n 1 rm", "rm"),
        ("if ! pytest", "pytest"),
        ("command -v uv", "which"),
        ("/usr/local/bin/pip3 list", "pip"),
        ("env", "env"),
    ],
)
def test_a_program_is_known_behind_what_only_runs_it(command, program):
    assert first(command).program == program


@pytest.mark.parametrize(
    ("command", "verb"),
    [
        ("git -C app -c a.b=c commit -m x", "commit"),
        ("npm --prefix web install", "install"),
        ("gh pr view 3", "view"),
        ("docker compose ps", "ps"),
        ("ls", ""),
    ],
)
def test_a_verb_stands_behind_options_and_their_values(command, verb):
    assert first(command).verb == verb


@pytest.mark.parametrize(
    ("command", "kinds"),
    [
        ("ruff format .", (RunKind.FORMAT,)),
        ("cargo check", (RunKind.TYPECHECK, RunKind.BUILD)),
        ("tox", (RunKind.TESTS,)),
        ("npm run build -- --mode test", (RunKind.BUILD,)),
        ("npm test -- -t 'lint rules'", (RunKind.TESTS,)),
        ("rtk test bun run test", (RunKind.TESTS,)),
        ("bash scripts/lint.sh", (RunKind.LINT,)),
        ("cat test.log", ()),
    ],
)
def test_a_command_is_a_run_by_its_program_verb_or_task(command, kinds):
    assert first(command).kinds == kinds


@pytest.mark.parametrize(
    "command",
    [
        "ls -la",
        "find . -name a",
        "sed -n 1p a",
        "git log",
        "gh pr view",
        "kubectl get x",
    ],
)
def test_some_commands_only_look(command):
    assert first(command).looks


@pytest.mark.parametrize(
    "command",
    ["find . -delete", "sed -i s/a/b/ c", "git commit", "npm version 2", "xargs rm"],
)
def test_an_option_or_verb_makes_a_looker_act(command):
    assert not first(command).looks


def test_a_word_of_english_names_no_program():
    assert is_program("pytest")
    assert not any(map(is_program, ["if", "If", "file", "test", "[", "nonsense"]))
