"""Read the packages that calls showed."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from verifyhub.engine.calls.call import Call
from verifyhub.engine.calls.content import Content
from verifyhub.engine.calls.programs import ProgramRole, is_installer
from verifyhub.engine.calls.tools import ToolKind
from verifyhub.engine.ledger.packages.locks import (
    IMPORTING,
    LOCKS,
    imports,
    lines_of,
    rows_of,
)
from verifyhub.engine.ledger.packages.model import (
    Ecosystem,
    NamedPackage,
    Package,
    Shown,
)
from verifyhub.engine.ledger.symbols import extension_of

_REQUIREMENTS = re.compile(r"(?:requirements|constraints)[\w.-]{0,60}\.(?:txt|in)$")
_ECOSYSTEMS = {
    "package.json": Ecosystem.NPM,
    "composer.json": Ecosystem.PACKAGIST,
    "pyproject.toml": Ecosystem.PYPI,
    "Cargo.toml": Ecosystem.CARGO,
    "go.mod": Ecosystem.GO,
    "pom.xml": Ecosystem.MAVEN,
    "build.gradle": Ecosystem.MAVEN,
    "build.gradle.kts": Ecosystem.MAVEN,
    "Gemfile": Ecosystem.RUBYGEMS,
}
# Parts of the names of all files that name Python packages.
_OF_PYTHON = (
    *(f".{ending}" for ending, owner in IMPORTING.items() if owner is Ecosystem.PYPI),
    *(name for name, owner in _ECOSYSTEMS.items() if owner is Ecosystem.PYPI),
    *(name for name, (owner, _) in LOCKS.items() if owner is Ecosystem.PYPI),
    "requirements",
    "constraints",
)


def read_packages(calls: Iterable[Call]) -> Iterator[Package]:
    """Yield the packages that a run's calls showed, each once per call, in order."""
    for entry in calls:
        packages: dict[Package, None] = {}
        for content in entry.contents:
            packages.update(dict.fromkeys(_of_content(content)))
        packages.update(dict.fromkeys(_of_installer(entry)))
        yield from packages


def python_packages(calls: Iterable[Call]) -> Iterator[Package]:
    """Yield the Python packages; most calls show no Python file."""
    telling = (entry for entry in calls if _may_show_python(entry))
    for package in read_packages(telling):
        if package.ecosystem is Ecosystem.PYPI:
            yield package


def _may_show_python(entry: Call) -> bool:
    """Whether a call installed something or names a Python file."""
    texts = [*entry.paths]
    searches = entry.kind is ToolKind.SEARCH
    for command in entry.commands:
        if is_installer(command.program):
            return True
        searches |= ProgramRole.SEARCHES in command.role
    if entry.command:
        texts.append(entry.command)
    if searches:
        texts.append(entry.call.output)
    text = "\n".join(texts).lower()
    return any(mark in text for mark in _OF_PYTHON)


def read_file(
    name: str, text: str
) -> tuple[Ecosystem, Shown, Iterator[NamedPackage]] | None:
    """Read a manifest or a lock file, recognised by its name without folders.

    Returns:
        The ecosystem, the kind of evidence, and the packages; None for other files.
    """
    if name in MANIFESTS:
        return _ECOSYSTEMS[name], Shown.MANIFEST, MANIFESTS[name](text)
    if _REQUIREMENTS.search(name):
        return Ecosystem.PYPI, Shown.MANIFEST, requirements(text)
    if name in LOCKS:
        ecosystem, reader = LOCKS[name]
        return ecosystem, Shown.LOCK, reader(text)
    return None


def _of_content(content: Content) -> Iterator[Package]:
    base = content.path.replace("\\", "/").rpartition("/")[2]
    if listing := read_file(base, content.text):
        ecosystem, shown, packages = listing
        yield from _packages(content, packages, ecosystem, shown)
    elif (extension := extension_of(base)) in IMPORTING:
        packages = imports(content.text, extension)
        yield from _packages(content, packages, IMPORTING[extension], Shown.IMPORT)


def _packages(
    content: Content,
    packages: Iterable[NamedPackage],
    ecosystem: Ecosystem,
    shown: Shown,
) -> Iterator[Package]:
    for package in packages:
        yield Package(
            call=content.call,
            name=package.name,
            ecosystem=ecosystem,
            shown=shown,
            version=package.version or None,
            path=content.path,
        )


def _of_installer(entry: Call) -> Iterator[Package]:
    programs = {command.program for command in entry.commands}
    if not entry.succeeded or not any(map(is_installer, programs)):
        return
    gems = not programs.isdisjoint({"gem", "bundle"})
    for ecosystem, package in installed(entry.call.output, gems=gems):
        yield Package(
            call=entry.index,
            name=package.name,
            ecosystem=ecosystem,
            shown=Shown.INSTALLED,
            version=package.version or None,
        )


_LONGEST_PRINTED = 2_000
_NAME = r"(@?[\w.-]{1,100}(?:/[\w.-]{1,100})?)"
_VERSION = r"(v?\d[\w.+:~-]{0,80})"
_PIP = re.compile(r"Successfully installed (.+)")
_PIP_ONE = re.compile(r"([A-Za-z0-9][\w.-]{0,99}?)-(\d[\w.+]{0,60})(?=\s|$)")
_ROWS: tuple[tuple[Ecosystem, re.Pattern[str]], ...] = tuple(
    (ecosystem, re.compile(pattern))
    for ecosystem, pattern in (
        (Ecosystem.PYPI, rf"\s{{0,4}}\+ {_NAME}=={_VERSION}"),
        (
            Ecosystem.PYPI,
            rf"Requirement already satisfied: {_NAME}\b.{{0,200}}\({_VERSION}\)",
        ),
        (Ecosystem.NPM, rf"(?:\+|├─|└─|installed) {_NAME}@{_VERSION}"),
        (Ecosystem.NPM, rf"\+ {_NAME} {_VERSION}(?: |$)"),
        (
            Ecosystem.CARGO,
            r"\s{1,12}(?:Compiling|Adding|Added|Downloaded|Installed)"
            rf" {_NAME} {_VERSION}",
        ),
        (
            Ecosystem.GO,
            r"go: (?:added|downloading|upgraded) (\S{1,200}) (?:\S{1,80} => )?"
            r"(v[\w.+-]{1,80})",
        ),
        (
            Ecosystem.SYSTEM,
            rf"(?:Setting up|Unpacking) {_NAME}(?::\w{{1,10}})? \({_VERSION}\)",
        ),
        (
            Ecosystem.RUBYGEMS,
            r"Successfully installed ([\w-]{1,100}?)-(\d[\w.]{0,60})$",
        ),
        (Ecosystem.PACKAGIST, rf"\s{{1,4}}- Installing {_NAME} \({_VERSION}\)"),
    )
)  # fmt: skip
_CUE = re.compile(
    r"installed|==|satisfied|@|\+ |Compiling|Add(?:ing|ed) |Downloaded|go: |Setting up"
    r"|Unpacking|Installing"
)


def installed(output: str, *, gems: bool) -> Iterator[tuple[Ecosystem, NamedPackage]]:
    """Yield the packages that an installer's output reports as installed.

    Args:
        output: The output of the command.
        gems: Whether the command is Ruby's, whose wording is like pip's.
    """
    for line in output.splitlines():
        line = line[:_LONGEST_PRINTED]
        if not _CUE.search(line):
            continue
        if not gems and (match := _PIP.match(line)):
            for name, version in _PIP_ONE.findall(match[1]):
                yield Ecosystem.PYPI, NamedPackage(name, version)
            continue
        for ecosystem, pattern in _ROWS:
            if match := pattern.match(line):
                yield ecosystem, NamedPackage(match[1], match[2])
                break


# Packages in manifests, read line by line.
#
# Tools often show only a part of a manifest, with comments or truncated. Reading lines
# works for parts and takes linear time.

# JSON is often on one line.
_LONGEST_LINE = 20_000
_REQUIREMENT = re.compile(
    r"([A-Za-z0-9][\w.-]{0,99})(?:\[[^\]]{0,100}\])?\s{0,4}"
    r"((?:===|==|>=|<=|~=|!=|>|<|\^)[^;#\"'\s]{0,100})?(?:\s{0,4}[;#,@\"']|\s{0,4}$)"
)
_QUOTED_REQUIREMENT = re.compile(r"[\"']([^\"']{1,300})[\"']")
_JSON_SECTION = re.compile(
    r"\"(dependencies|devDependencies|peerDependencies|optionalDependencies|require"
    r"|require-dev|overrides|resolutions)\"\s{0,4}:\s{0,4}\{"
)
_JSON_INNER = re.compile(r"\"(@?[\w./-]{1,200})\"\s{0,4}:\s{0,4}\"([^\"]{0,100})\"")
_TABLE = re.compile(r"\s{0,8}\[\[?([A-Za-z][\w.-]{0,100})\]")
_TOML_PAIR = re.compile(
    r"\s{0,8}\"?([A-Za-z0-9_][\w.-]{0,99})\"?\s{0,8}=\s{0,8}"
    r"(?:[\"']([^\"']{0,100})[\"']|\{(?:.{0,200}?version\s{0,4}=\s{0,4}\"([^\"]{0,100})\")?)"
)
_GO_REQUIRE = re.compile(
    r"(?:require\s{1,8}|\s{1,8})([\w.-]{1,100}\.[\w.-]{1,40}/[\w./~-]{1,200})\s{1,8}(v[\w.+-]{1,80})"
)
_XML_FIELD = re.compile(r"<(groupId|artifactId|version)>([^<]{1,200})</")
_GRADLE = re.compile(
    r"\s{0,40}(?:\w{0,30}[iI]mplementation|api|compileOnly|runtimeOnly|classpath|kapt"
    r"|annotationProcessor|testRuntimeOnly)\s{0,4}\(?\s{0,4}[\"']([\w.-]{1,100}:[\w.-]{1,100})"
    r"(?::([\w.+$\{\}-]{1,60}))?[\"']"
)
_GEM = re.compile(
    r"\s{0,20}gem\s{1,4}[\"']([\w.-]{1,100})[\"'](?:,\s{0,4}[\"']([^\"']{1,60})[\"'])?"
)
# Keys of a table of dependencies that are not packages.
_NOT_PACKAGES = frozenset({"python", "php", "node", "npm", "version", "name"})


def requirements(text: str) -> Iterator[NamedPackage]:
    """Read `requirements.txt`."""
    for line in lines_of(text, _LONGEST_LINE):
        match = _REQUIREMENT.match(line.strip())
        if match:
            yield NamedPackage(match[1], match[2] or "")


def package_json(text: str) -> Iterator[NamedPackage]:
    """Read `package.json` and `composer.json`."""
    in_dependencies = False
    for line in lines_of(text, _LONGEST_LINE):
        section = _JSON_SECTION.search(line)
        if section:
            rest = line[section.end() :]
            yield from _json_pairs(rest.partition("}")[0])
            in_dependencies = "}" not in rest
        elif in_dependencies:
            yield from _json_pairs(line)
            in_dependencies = "}" not in line


def _json_pairs(line: str) -> Iterator[NamedPackage]:
    for name, version in _JSON_INNER.findall(line):
        if name not in _NOT_PACKAGES:
            yield NamedPackage(name, version)


def pyproject(text: str) -> Iterator[NamedPackage]:
    """Read `pyproject.toml`: the arrays of the standard and the tables of poetry."""
    table, in_list = "", False
    for line in lines_of(text, _LONGEST_LINE):
        if header := _TABLE.match(line):
            table, in_list = header[1], False
            continue
        if table.startswith("tool.poetry") and table.endswith("dependencies"):
            yield from _toml_pair(line)
            continue
        arrays = table in {"project.optional-dependencies", "dependency-groups"}
        is_project = table in {"project", ""} and line.lstrip().startswith(
            "dependencies"
        )
        opens = (is_project or arrays) and "=" in line.partition('"')[0]
        if opens or in_list:
            for text_in in _QUOTED_REQUIREMENT.findall(line):
                yield from requirements(text_in)
            in_list = not line.split("#")[0].rstrip().rstrip(",").endswith("]")


def cargo(text: str) -> Iterator[NamedPackage]:
    """Read `Cargo.toml`."""
    table = ""
    for line in lines_of(text, _LONGEST_LINE):
        if header := _TABLE.match(line):
            table = header[1]
            _, mark, name = table.partition("dependencies.")
            if mark and name:
                yield NamedPackage(name)
        elif table.endswith("dependencies"):
            yield from _toml_pair(line)


def _toml_pair(line: str) -> Iterator[NamedPackage]:
    match = _TOML_PAIR.match(line)
    if match and match[1] not in _NOT_PACKAGES:
        yield NamedPackage(match[1], match[2] or match[3] or "")


def pom(text: str) -> Iterator[NamedPackage]:
    """Read `pom.xml`: a group and an artifact, with the version that follows."""
    group = artifact = ""
    for line in lines_of(text, _LONGEST_LINE):
        for field, value in _XML_FIELD.findall(line):
            if field == "groupId":
                if group and artifact:
                    yield NamedPackage(f"{group}:{artifact}")
                group, artifact = value, ""
            elif field == "artifactId":
                artifact = value
            elif group and artifact:
                yield NamedPackage(f"{group}:{artifact}", value)
                group = artifact = ""
        if "</dependency>" in line and group and artifact:
            yield NamedPackage(f"{group}:{artifact}")
            group = artifact = ""


MANIFESTS: dict[str, Callable[[str], Iterator[NamedPackage]]] = {
    "package.json": package_json,
    "composer.json": package_json,
    "pyproject.toml": pyproject,
    "Cargo.toml": cargo,
    "go.mod": partial(rows_of, _GO_REQUIRE, longest=_LONGEST_LINE),
    "pom.xml": pom,
    "build.gradle": partial(rows_of, _GRADLE, longest=_LONGEST_LINE),
    "build.gradle.kts": partial(rows_of, _GRADLE, longest=_LONGEST_LINE),
    "Gemfile": partial(rows_of, _GEM, longest=_LONGEST_LINE),
}
