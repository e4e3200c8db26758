"""Tell from a command what kind of run it starts."""

import itertools
import re

from verifyhub.engine.calls.outcomes.model import RunKind

_WORDS = re.compile(r"[A-Za-z]+")

# A task's name says what it does: `test:integration`, `lint-fix`, `type-check`.
_TASK_WORDS = {
    RunKind.TESTS: frozenset(
        [
            "test",
            "tests",
            "testing",
            "spec",
            "specs",
            "unit",
            "e2e",
            "integration",
            "check",
            "verify",
            "ci",
            "jest",
            "vitest",
            "pytest",
            "coverage",
        ]
    ),
    RunKind.LINT: frozenset(
        ["lint", "linter", "linting", "eslint", "ruff", "clippy", "vet"]
    ),
    RunKind.TYPECHECK: frozenset(
        ["typecheck", "types", "typing", "tsc", "mypy", "pyright", "typescript"]
    ),
    RunKind.BUILD: frozenset(
        ["build", "compile", "bundle", "dist", "package", "assemble"]
    ),
    RunKind.FORMAT: frozenset(["fmt", "format", "formatting", "prettier"]),
}

_RUNNERS = frozenset(
    [
        "npm",
        "yarn",
        "pnpm",
        "bun",
        "make",
        "gmake",
        "mise",
        "just",
        "task",
        "rake",
        "composer",
        "nx",
        "turbo",
        "moon",
        "gradle",
        "gradlew",
        "mvn",
        "mvnw",
        "poe",
        "invoke",
        "hatch",
        "tox",
        "nox",
        "deno",
        "rtk",
        "lerna",
        "rush",
        "sbt",
        "mage",
    ]
)
_SKIP = frozenset(
    [
        "sudo",
        "time",
        "env",
        "nice",
        "nohup",
        "npx",
        "bunx",
        "pnpx",
        "uvx",
        "uv",
        "poetry",
        "pipenv",
        "pdm",
        "rye",
        "bundle",
        "exec",
        "run",
        "command",
        "xvfb-run",
        "dlx",
        "x",
        "--",
        "rtk",
        "ionice",
        "stdbuf",
        "unbuffer",
    ]
)
_PROGRAMS: dict[str, tuple[RunKind, ...]] = {
    **dict.fromkeys(
        [
            "pytest",
            "py.test",
            "jest",
            "vitest",
            "mocha",
            "ava",
            "rspec",
            "phpunit",
            "pest",
            "ctest",
            "tox",
            "nox",
            "bats",
            "gotestsum",
            "nextest",
            "unittest",
            "nosetests",
            "playwright",
            "cypress",
            "karma",
            "wtr",
            "nyc",
            "trial",
            "testcafe",
            "busted",
            "prove",
            "runtests",
        ],
        (RunKind.TESTS,),
    ),
    **dict.fromkeys(
        [
            "golangci-lint",
            "eslint",
            "ruff",
            "flake8",
            "pylint",
            "shellcheck",
            "stylelint",
            "biome",
            "rubocop",
            "ktlint",
            "markdownlint",
            "pre-commit",
            "clippy",
            "oxlint",
            "hadolint",
            "yamllint",
            "actionlint",
            "swiftlint",
            "credo",
            "checkstyle",
            "standard",
            "xo",
            "semgrep",
        ],
        (RunKind.LINT,),
    ),
    **dict.fromkeys(
        [
            "mypy",
            "pyright",
            "tsc",
            "vue-tsc",
            "svelte-check",
            "pyre",
            "ty",
            "basedpyright",
            "flow",
        ],
        (RunKind.TYPECHECK,),
    ),
    **dict.fromkeys(
        [
            "webpack",
            "vite",
            "esbuild",
            "rollup",
            "cmake",
            "ninja",
            "make",
            "gcc",
            "g++",
            "clang",
            "javac",
            "rustc",
            "xcodebuild",
            "tsup",
            "parcel",
            "msbuild",
            "kaniko",
        ],
        (RunKind.BUILD,),
    ),
    **dict.fromkeys(
        [
            "gofmt",
            "prettier",
            "black",
            "isort",
            "rustfmt",
            "goimports",
            "gofumpt",
            "shfmt",
            "dprint",
        ],
        (RunKind.FORMAT,),
    ),
}
_VERBS: dict[tuple[str, str], tuple[RunKind, ...]] = {
    ("go", "test"): (RunKind.TESTS,),
    ("go", "build"): (RunKind.BUILD,),
    ("go", "install"): (RunKind.BUILD,),
    ("go", "vet"): (RunKind.LINT,),
    ("go", "fmt"): (RunKind.FORMAT,),
    ("cargo", "test"): (RunKind.TESTS,),
    ("cargo", "nextest"): (RunKind.TESTS,),
    ("cargo", "build"): (RunKind.BUILD,),
    ("cargo", "check"): (RunKind.BUILD, RunKind.TYPECHECK),
    ("cargo", "clippy"): (RunKind.LINT,),
    ("cargo", "fmt"): (RunKind.FORMAT,),
    ("dotnet", "test"): (RunKind.TESTS,),
    ("dotnet", "build"): (RunKind.BUILD,),
    ("swift", "test"): (RunKind.TESTS,),
    ("swift", "build"): (RunKind.BUILD,),
    ("mix", "test"): (RunKind.TESTS,),
    ("mix", "compile"): (RunKind.BUILD,),
    ("flutter", "test"): (RunKind.TESTS,),
    ("dart", "test"): (RunKind.TESTS,),
    ("flutter", "analyze"): (RunKind.LINT,),
    ("dart", "analyze"): (RunKind.LINT,),
    ("zig", "test"): (RunKind.TESTS,),
    ("zig", "build"): (RunKind.BUILD,),
    ("node", "--test"): (RunKind.TESTS,),
    ("docker", "build"): (RunKind.BUILD,),
    ("next", "build"): (RunKind.BUILD,),
    ("next", "lint"): (RunKind.LINT,),
    ("ng", "test"): (RunKind.TESTS,),
    ("ng", "build"): (RunKind.BUILD,),
    ("ruff", "format"): (RunKind.FORMAT,),
    ("manage.py", "test"): (RunKind.TESTS,),
    ("bin/rails", "test"): (RunKind.TESTS,),
    ("rails", "test"): (RunKind.TESTS,),
}


def task_kinds(name: str) -> tuple[RunKind, ...]:
    """Return the kinds of run that a task's name announces."""
    words = [word.lower() for word in _WORDS.findall(name.replace("e2e", "test"))]
    pairs = {first + second for first, second in itertools.pairwise(words)}
    said = {*words, *pairs}
    if "typecheck" in said:
        said -= {"type", "check"}
    return tuple(kind for kind, known in _TASK_WORDS.items() if said & known)


def command_kinds(words: tuple[str, ...]) -> tuple[RunKind, ...]:
    """Return what kinds of run a simple command is, or nothing."""
    rest = _bare(words)
    if not rest:
        return ()
    program = rest[0].rsplit("/", 1)[-1]
    if program in {"python", "python3", "node", "php", "ruby", "sh", "bash"}:
        return _interpreted(rest)
    verb = next((word for word in rest[1:] if not word.startswith("-")), "")
    if (program, verb) in _VERBS:
        return _VERBS[program, verb]
    if program in _RUNNERS:
        return _task(rest)
    if program in _PROGRAMS:
        return _PROGRAMS[program]
    return _script(rest[0]) if "/" in rest[0] else ()


def _task(rest: list[str]) -> tuple[RunKind, ...]:
    targets = [word for word in rest[1:] if not word.startswith("-")]
    targets = [word for word in targets if word not in {"run", "r", "-s"}]
    names = " ".join(targets[:2])
    if rest[0].endswith(("mvn", "mvnw", "gradle", "gradlew")):
        names = " ".join(targets)
    kinds = task_kinds(names)
    if kinds or targets or rest[0] not in {"make", "gmake"}:
        return kinds
    return (RunKind.BUILD,)


def _interpreted(rest: list[str]) -> tuple[RunKind, ...]:
    words = [word for word in rest[1:] if word != "-m" and word != "-u"]
    if not words:
        return ()
    if words[0] == "--test":
        return (RunKind.TESTS,)
    name = words[0].rsplit("/", 1)[-1]
    if len(words) > 1 and (name, words[1]) in _VERBS:
        return _VERBS[name, words[1]]
    return _PROGRAMS.get(name, ()) or _script(words[0])


def _script(path: str) -> tuple[RunKind, ...]:
    name = path.rsplit("/", 1)[-1]
    return task_kinds(name.rsplit(".", 1)[0])


def _bare(words: tuple[str, ...]) -> list[str]:
    """Drop what stands before the program: settings, wrappers, their options."""
    start = 0
    while start < len(words):
        word = words[start]
        if word == "timeout" and len(words) > start + 1:
            start += 2
        elif word == "cd":
            return []
        elif (
            word in _SKIP
            or ("=" in word and not word.startswith("-"))
            or (word.startswith(("-", "(", "{", "!")) and not word.strip("({!"))
        ):
            start += 1
        else:
            break
    return list(words[start:])
