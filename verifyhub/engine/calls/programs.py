"""Programs of a shell, as data: what each does, as far as it matters for evidence.

A row contains programs, or verbs of programs after a colon, and their roles. A verb
adds its roles to those of its program. All that checks ask about a command is a role
here, or a method of `shell.SimpleCommand` that reads its arguments; checks have no such
tables.
"""

from collections.abc import Iterator
from enum import Flag, StrEnum, auto
from functools import lru_cache, reduce
from operator import or_
from typing import Self, cast

from verifyhub.engine.text.tokens import word_set


class RunKind(StrEnum):
    """The kind of a run."""

    TESTS = "tests"
    LINT = "lint"
    TYPECHECK = "typecheck"
    BUILD = "build"
    FORMAT = "format"


class ProgramRole(Flag):
    """What a program, or a verb of it, does.

    `SHOWS` prints the files in its arguments, and fails if one is missing. `SEARCHES`
    prints lines that match its first operand. `LISTS` prints paths: `FOLDERS` bare
    names in a folder, `WALKS` complete paths below one. `SPEAKS` prints its own
    arguments. `LOOKS` changes nothing, whatever its arguments; `FILTERS` usually only
    prints its input. `PREPARES` precedes the work and prints nothing. `WRAPS` runs the
    program that follows it, `RUNS_TASKS` a task of the project that its operand names.
    `VERSIONS` works on version control or its server; `RECORDS` changes their content,
    and no file of the working copy. `MAKES` creates or changes things named by its own
    words or output.
    """

    NONE = 0
    SHOWS = auto()
    SEARCHES = auto()
    LISTS = auto()
    FOLDERS = auto()
    WALKS = auto()
    SPEAKS = auto()
    LOOKS = auto()
    FILTERS = auto()
    FETCHES = auto()
    ENTERS = auto()
    PREPARES = auto()
    WRAPS = auto()
    RUNS_TASKS = auto()
    INTERPRETS = auto()
    SHELL = auto()
    DELETES = auto()
    MOVES = auto()
    COPIES = auto()
    LINKS = auto()
    TOUCHES = auto()
    MAKES_FOLDERS = auto()
    EDITS = auto()
    EDITS_IN_PLACE = auto()
    PATCHES = auto()
    ROLLS_BACK = auto()
    VERSIONS = auto()
    RECORDS = auto()
    MAKES = auto()
    INSTALLS = auto()
    CHANGES_PACKAGES = auto()
    TESTS = auto()
    LINT = auto()
    TYPECHECK = auto()
    BUILD = auto()
    FORMAT = auto()

    # Queried tens of times for each command, and `Flag` creates a new member each time.

    def __and__(self, other: Self) -> Self:
        common: int = self._value_ & other._value_
        known = type(self)._value2member_map_.get(common)
        return type(self)(common) if known is None else cast("Self", known)

    def __contains__(self, other: Self) -> bool:
        value: int = other._value_
        return self._value_ & value == value


_ROLE_OF_RUN = {kind: ProgramRole[kind.name] for kind in RunKind}
RUNS = reduce(or_, _ROLE_OF_RUN.values())
# These fail if a file in their arguments is missing.
CHECKS_FILES = RUNS & ~ProgramRole.BUILD

_R = ProgramRole
_ROWS: tuple[tuple[str, ProgramRole], ...] = (
    # Reading files and folders.
    ("cat bat head tail nl tac less more get-content gc", _R.SHOWS | _R.LOOKS),
    ("wc stat file od md5sum sha1sum sha256sum sha512sum shasum", _R.SHOWS | _R.LOOKS),
    ("xxd", _R.SHOWS | _R.FILTERS),
    ("ls dir gci get-childitem", _R.LISTS | _R.FOLDERS | _R.LOOKS),
    ("tree", _R.LISTS | _R.FOLDERS | _R.LOOKS),
    ("find fd", _R.LISTS | _R.WALKS | _R.FILTERS),
    ("grep egrep fgrep zgrep rg ag ack", _R.SEARCHES | _R.LOOKS),
    ("select-string sls findstr", _R.SEARCHES | _R.LOOKS),
    ("diff cmp comm pwd which type man whoami date hostname uname id", _R.LOOKS),
    ("du df ps top printenv history read basename dirname realpath", _R.LOOKS),
    ("readlink cut tr column jq yq test [ [[ false", _R.LOOKS),
    ("for done fi esac case select in }", _R.LOOKS),
    ("sort uniq sed gsed awk gawk", _R.FILTERS),
    ("echo printf print say write-output write-host", _R.SPEAKS | _R.LOOKS),
    # Changing folders and settings: no output, and no work of its own.
    ("cd pushd popd set-location", _R.ENTERS | _R.PREPARES | _R.LOOKS),
    ("export source . set unset true : sleep wait alias", _R.PREPARES | _R.LOOKS),
    ("mkdir", _R.MAKES_FOLDERS | _R.PREPARES),
    # Changing files.
    ("rm unlink rmdir trash remove-item ri del erase rd", _R.DELETES),
    ("mv move-item rename-item ren move", _R.MOVES),
    ("cp copy-item copy", _R.COPIES),
    ("ln install", _R.LINKS),
    ("touch tee set-content add-content out-file", _R.TOUCHES),
    ("sed gsed perl", _R.EDITS_IN_PLACE),
    ("str_replace_editor str_replace_based_edit_tool edit create insert", _R.EDITS),
    ("patch apply_patch", _R.PATCHES),
    # Running other programs.
    ("sudo doas command env time nice ionice nohup rtk exec builtin", _R.WRAPS),
    ("timeout stdbuf unbuffer xvfb-run xargs npx bunx pnpx uvx", _R.WRAPS),
    ("rtk: test err proxy", _R.WRAPS),
    ("uv poetry pipenv pdm rye bundle: run exec", _R.WRAPS),
    ("uv: pip", _R.WRAPS),
    ("npm pnpm yarn: exec dlx", _R.WRAPS),
    ("bun: x", _R.WRAPS),
    ("if then else elif do while until ! {", _R.WRAPS | _R.LOOKS),
    ("env time command builtin", _R.LOOKS),
    ("python node ruby php perl tsx deno bun", _R.INTERPRETS),
    ("bash sh zsh dash ksh", _R.INTERPRETS | _R.SHELL),
    ("npm yarn pnpm bun make gmake mise just task rake composer nx", _R.RUNS_TASKS),
    ("turbo moon gradle gradlew mvn mvnw poe invoke hatch tox nox", _R.RUNS_TASKS),
    ("deno lerna rush sbt mage", _R.RUNS_TASKS),
    # Fetching.
    ("curl wget http https httpie xh fetch", _R.FETCHES),
    # Version control and its servers.
    ("git gh glab", _R.VERSIONS),
    ("git: ls-files diff status", _R.LISTS | _R.LOOKS),
    ("git: grep", _R.SEARCHES | _R.LOOKS),
    ("git: log show blame rev-parse describe shortlog", _R.LOOKS),
    ("git: commit push", _R.RECORDS),
    ("git: fetch", _R.FETCHES | _R.RECORDS),
    ("git: clone", _R.FETCHES | _R.MAKES),
    ("git: rm", _R.DELETES),
    ("git: mv", _R.MOVES | _R.MAKES),
    ("git: add", _R.RECORDS),
    ("git: apply am", _R.PATCHES | _R.MAKES),
    ("git: checkout reset restore stash", _R.ROLLS_BACK),
    ("git: init config submodule remote worktree lfs", _R.MAKES),
    ("gh glab", _R.MAKES),
    ("gh glab: view list status diff checks", _R.LOOKS),
    # Packages.
    ("npm pnpm bun: i install add ci", _R.INSTALLS),
    ("yarn: add ci install", _R.INSTALLS),
    ("pip pipx pipenv gem conda brew dnf yum winget choco", _R.NONE),
    ("pip pipx pipenv gem conda brew dnf yum winget choco mise: install", _R.INSTALLS),
    ("uv poetry pdm: add sync install", _R.INSTALLS),
    ("apt apt-get helm playwright expo: install", _R.INSTALLS),
    ("apk dotnet: add", _R.INSTALLS),
    ("cargo: add install", _R.INSTALLS),
    ("go: get install mod", _R.INSTALLS),
    ("bundle: add install", _R.INSTALLS),
    ("composer: require install", _R.INSTALLS),
    ("nix-env ncu", _R.INSTALLS),
    ("npm pnpm bun yarn: update up upgrade uninstall remove rm un lock dedupe",
     _R.CHANGES_PACKAGES),
    ("npm: update", _R.INSTALLS),
    ("pip uv pipenv poetry pdm conda: update upgrade uninstall remove lock sync",
     _R.CHANGES_PACKAGES),
    ("apt apt-get apk brew dnf yum gem bundle composer dotnet mix cargo go: update"
     " upgrade uninstall remove require lock tidy get", _R.CHANGES_PACKAGES),
    ("npm pnpm yarn pip cargo go docker kubectl: ls list show view info outdated audit"
     " why search ps describe logs env freeze tree", _R.LOOKS),
    ("pip uv: check", _R.LOOKS),
    ("go docker kubectl: version", _R.LOOKS),
    ("kubectl npm: get", _R.LOOKS),
    # Creating things that their own words or output name.
    ("makemigrations startapp startproject createdb dropdb createuser psql mysql",
     _R.MAKES),
    ("sqlite3 mongo mongosh redis-cli duckdb alembic prisma tar unzip gunzip chmod",
     _R.MAKES),
    ("chown venv virtualenv cookiecutter", _R.MAKES),
    ("codegen protoc openapi-generator wget ssh-keygen openssl docker kubectl helm",
     _R.MAKES),
    ("terraform aws gcloud az heroku crontab systemctl launchctl", _R.MAKES),
    ("npm yarn pnpm bun: create init version pkg", _R.MAKES),
    ("rails rake ng nest nx flutter dotnet cargo mix expo hugo artisan: create generate"
     " g new init add make", _R.MAKES),
    ("biome: format", _R.MAKES),
    ("ansible bazel claude codex django-admin docker-compose ffmpeg java kill nix rsync"
     " rustup scp ssh vercel wrangler", _R.NONE),
    ("argocd flux kustomize pulumi vagrant packer dvc mlflow spark-submit airflow dbt"
     " certbot ufw iptables hg svn jj sfdx drush wp flyway liquibase esptool avrdude"
     " godot terragrunt nomad consul vault istioctl kind minikube k3d skaffold",
     _R.NONE),
    ("perf strace ltrace gdb lldb py-spy samply hyperfine k6 wrk vegeta locust nmap",
     _R.NONE),
    # Tests, linters, type checkers, builds, formatters.
    ("pytest py.test jest vitest mocha ava rspec phpunit pest ctest tox nox bats",
     _R.TESTS),
    ("gotestsum nextest unittest nosetests playwright cypress karma wtr nyc trial",
     _R.TESTS),
    ("testcafe busted prove runtests behave robot lein vvp invoke-pester", _R.TESTS),
    ("bazel bazelisk buck2 pants rebar3 elm-test raco gleam crystal nimble: test eunit"
     " ct spec", _R.TESTS),
    ("elm-test", _R.TESTS),
    ("elm bazel bazelisk buck2 pants gleam crystal nimble rebar3 lake wasm-pack pio:"
     " make build compile run", _R.BUILD),
    ("forge stack cabal dune lein meson rails: test runtest", _R.TESTS),
    ("forge stack cabal dune meson: build compile", _R.BUILD),
    ("dune forge: fmt", _R.FORMAT | _R.MAKES),
    ("slither solhint", _R.LINT),
    ("go cargo dotnet swift mix flutter dart zig ng manage.py: test", _R.TESTS),
    ("cargo: nextest", _R.TESTS),
    ("npm yarn pnpm bun deno: test", _R.TESTS),
    ("golangci-lint eslint ruff flake8 pylint shellcheck stylelint biome rubocop",
     _R.LINT),
    ("hlint ameba perlcritic standardrb reek elvis zizmor statix deadnix cfn-lint",
     _R.LINT),
    ("dotnet: fantomas csharpier", _R.FORMAT),
    ("fantomas ormolu fourmolu scalafmt nixfmt ocamlformat cmake-format", _R.FORMAT),
    ("ktlint markdownlint pre-commit clippy oxlint hadolint yamllint actionlint",
     _R.LINT),
    ("swiftlint credo checkstyle standard xo semgrep", _R.LINT),
    ("markdownlint-cli2 mdl vale codespell tflint sqlfluff htmlhint", _R.LINT),
    ("bandit vulture cspell commitlint detekt spotbugs pmd knip ansible-lint", _R.LINT),
    ("brakeman phpcs php-cs-fixer pint rector scalafix scalastyle luacheck selene buf",
     _R.LINT),
    ("staticcheck govulncheck gosec revive errcheck cppcheck clang-tidy cpplint typos",
     _R.LINT),
    ("trivy checkov tfsec kubeconform kubeval kube-linter conftest gitleaks trufflehog",
     _R.LINT),
    ("snyk grype pip-audit spectral redocly lychee markdown-link-check htmlproofer",
     _R.LINT),
    ("valgrind depcheck madge publint attw pa11y lighthouse erb_lint haml-lint",
     _R.LINT),
    ("twine: check", _R.LINT),
    ("cargo: miri deny audit machete", _R.LINT),
    ("terraform tofu: validate", _R.LINT),
    ("helm: lint", _R.LINT),
    ("go: vet", _R.LINT),
    ("mix: credo", _R.LINT),
    ("mix: dialyzer", _R.TYPECHECK),
    ("clj-kondo kondo psscriptanalyzer invoke-scriptanalyzer elm-review chktex"
     " dotenv-linter stylua terrascan kube-score polaris", _R.LINT),
    ("deno: lint", _R.LINT),
    ("deno: check", _R.TYPECHECK),
    ("latexmk pdflatex xelatex lualatex iverilog verilator yosys pio platformio west"
     " wasm-pack trunk pandoc", _R.BUILD),
    ("buildifier sonar-scanner sonarqube sonar codeql", _R.LINT),
    ("cargo: clippy", _R.LINT),
    ("flutter dart: analyze", _R.LINT),
    ("next: lint", _R.LINT),
    ("mypy pyright basedpyright tsc vue-tsc svelte-check pyre ty flow", _R.TYPECHECK),
    ("phpstan psalm larastan sorbet srb steep dialyzer pytype", _R.TYPECHECK),
    ("cargo: check", _R.BUILD | _R.TYPECHECK),
    ("webpack vite esbuild rollup cmake ninja make gmake gcc g++ clang", _R.BUILD),
    ("javac rustc xcodebuild tsup parcel msbuild kaniko", _R.BUILD),
    ("mkdocs sphinx-build docusaurus mdbook jekyll hugo typedoc rustdoc: build",
     _R.BUILD),
    ("sphinx-build mdbook typedoc rustdoc javadoc", _R.BUILD),
    ("cargo: doc", _R.BUILD),
    ("go: build install", _R.BUILD),
    ("cargo dotnet swift zig docker next ng: build", _R.BUILD),
    ("mix: compile", _R.BUILD),
    ("gofmt prettier black isort rustfmt goimports", _R.FORMAT | _R.MAKES),
    ("gofumpt shfmt dprint", _R.FORMAT),
    ("clang-format swiftformat yapf autopep8 ktfmt", _R.FORMAT | _R.MAKES),
    ("axe", _R.LINT),
    ("go: fmt", _R.FORMAT),
    ("cargo: fmt", _R.FORMAT | _R.MAKES),
    ("ruff: format", _R.FORMAT | _R.MAKES),
    ("dart mix terraform tofu dotnet deno: format fmt", _R.FORMAT | _R.MAKES),
)  # fmt: skip

# Programs whose names are usually English words, or names in code.
_ENGLISH = word_set(
    """
    ack ag axe builtin case column comm command consul create credo dart date dir do
    done edit elif else exec false fetch file flow flux for hatch history hostname
    id if in insert install invoke karma kind less lighthouse mage man mix moon more
    next nice patch pest pint polaris print prove read rector revive rush say select
    selene set sort source standard stat steep test then time timeout top trash
    trial true trunk type typos until vault wait west while x
    """
)
# Options with a value, before the verb or the program that is run.
_VALUE_OPTIONS = {
    "git": "-C -c --git-dir --work-tree",
    "make gmake go": "-C -f",
    "npm pnpm yarn bun": "-C --prefix --cwd --dir --filter -w --workspace",
    "gh glab": "-R --repo",
    "kubectl helm": "-n --namespace --context",
    "docker": "-f --context",
    "mvn mvnw gradle gradlew": "-f -p -pl",
    "sudo doas": "-u -g -C",
    "env": "-u -C",
    "nice": "-n",
    "ionice": "-c -n",
    "timeout": "-k -s",
    "stdbuf": "-i -o -e",
    "xargs": "-I -L -P -n -d -s",
    "npx bunx pnpx uvx": "-p --package --from --with --python",
    "uv poetry pdm": "--with --python -p --extra --group --package --directory --from"
    " --project -C",
}


def _rows() -> Iterator[tuple[str, str, ProgramRole]]:
    for names, role in _ROWS:
        programs, _, verbs = names.partition(":")
        for program in programs.split():
            for verb in verbs.split() or [""]:
                yield program, verb, role


def _table() -> dict[tuple[str, str], ProgramRole]:
    table: dict[tuple[str, str], ProgramRole] = {}
    for program, verb, role in _rows():
        table[program, verb] = table.get((program, verb), ProgramRole.NONE) | role
    for (program, verb), role in table.items():
        program_role = (
            table.get((program, ""), ProgramRole.NONE) if verb else ProgramRole.NONE
        )
        # The action of its verb precedes the action of the program.
        table[program, verb] = role | (
            program_role & ~RUNS if role & RUNS else program_role
        )
    return table


_ROLES = _table()
_KNOWN = frozenset(program for program, _ in _ROLES)
# Verbs that run the program after them: `uv run`, `npm exec`.
_WRAPPING_VERBS = frozenset(
    (program, verb)
    for program, verb, role in _rows()
    if verb and ProgramRole.WRAPS in role
)
_INSTALLERS = frozenset(
    program for program, _, role in _rows() if ProgramRole.INSTALLS in role
)
_VALUES = {
    program: word_set(options)
    for programs, options in _VALUE_OPTIONS.items()
    for program in programs.split()
}
_NESTED = frozenset({("gh", ""), ("glab", ""), ("docker", "compose")})


def program_name(word: str) -> str:
    """Return the name of a program in the registry.

    It has no folder, and no version or ending: `/usr/bin/python3.12` is `python`,
    `gradlew.bat` is `gradlew`.
    """
    name = word.rsplit("/", 1)[-1].rsplit("\\", 1)[-1]
    if name.lower() in _KNOWN:
        return name.lower()
    plain = name.lower().removesuffix(".exe").removesuffix(".bat").removesuffix(".cmd")
    plain = plain if plain in _KNOWN else plain.rstrip("0123456789.")
    return plain if plain in _KNOWN else name


def role_of(program: str, verb: str = "") -> ProgramRole:
    """Return the role of a program, and of its verb if that is known."""
    role = _ROLES.get((program, verb))
    return _ROLES.get((program, ""), ProgramRole.NONE) if role is None else role


def takes_value(program: str, option: str) -> bool:
    """Return whether the word after an option of a program is the option's value."""
    return option in _VALUES.get(program, ())


def wraps(program: str, verb: str) -> bool:
    """Return whether a verb of a program runs the program that follows it."""
    return (program, verb) in _WRAPPING_VERBS


def has_nested_verb(program: str, verb: str = "") -> bool:
    """Return whether the verb follows a topic: `gh pr view`."""
    return (program, verb) in _NESTED


def is_program(name: str) -> bool:
    """Whether a word in a text names a program, and is not usually another word."""
    known = name.islower() and name[0].isalpha() and name not in _ENGLISH
    return known and program_name(name) in _KNOWN


def is_installer(program: str) -> bool:
    """Return whether a program installs packages."""
    return program in _INSTALLERS


def run_kinds(role: ProgramRole) -> tuple[RunKind, ...]:
    """Return the kinds of run of a role."""
    return tuple(kind for kind, run_role in _ROLE_OF_RUN.items() if run_role in role)


@lru_cache
def tools_of(kind: RunKind) -> tuple[str, ...]:
    """Return the programs of a kind of run whose names have no other meaning."""
    names = names_with(_ROLE_OF_RUN[kind])
    return tuple(name for name in names if name not in _ENGLISH)


def names_with(role: ProgramRole) -> tuple[str, ...]:
    """Return the programs of a role, with any verb."""
    return tuple(
        program
        for (program, verb), roles in _ROLES.items()
        if role in roles and not verb
    )
