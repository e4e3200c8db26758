"""Packages that manifests declare, read line by line.

What a tool shows of a manifest is often a part of it, with comments or cut short; a
reader of lines understands the parts, and costs linear time.
"""

import re
from collections.abc import Callable, Iterable, Iterator

from verifyhub.engine.ledger.packages.model import NamedPackage

# JSON is often written on one line.
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
# Keys of a table of dependencies that are none.
_NOT_PACKAGES = frozenset({"python", "php", "node", "npm", "version", "name"})


def requirements(text: str) -> Iterator[NamedPackage]:
    """Read `requirements.txt`."""
    for line in _lines(text):
        match = _REQUIREMENT.match(line.strip())
        if match:
            yield NamedPackage(match[1], match[2] or "")


def package_json(text: str) -> Iterator[NamedPackage]:
    """Read `package.json` and `composer.json`."""
    inside = False
    for line in _lines(text):
        section = _JSON_SECTION.search(line)
        if section:
            rest = line[section.end() :]
            yield from _json_pairs(rest.partition("}")[0])
            inside = "}" not in rest
        elif inside:
            yield from _json_pairs(line)
            inside = "}" not in line


def _json_pairs(line: str) -> Iterator[NamedPackage]:
    for name, version in _JSON_INNER.findall(line):
        if name not in _NOT_PACKAGES:
            yield NamedPackage(name, version)


def pyproject(text: str) -> Iterator[NamedPackage]:
    """Read `pyproject.toml`: the standard's arrays and the tables of poetry."""
    table, inside = "", False
    for line in _lines(text):
        if header := _TABLE.match(line):
            table, inside = header[1], False
            continue
        if table.startswith("tool.poetry") and table.endswith("dependencies"):
            yield from _toml_pair(line)
            continue
        arrays = table in {"project.optional-dependencies", "dependency-groups"}
        own = table in {"project", ""} and line.lstrip().startswith("dependencies")
        opens = (own or arrays) and "=" in line.partition('"')[0]
        if opens or inside:
            for text_in in _QUOTED_REQUIREMENT.findall(line):
                yield from requirements(text_in)
            inside = not line.split("#")[0].rstrip().rstrip(",").endswith("]")


def cargo(text: str) -> Iterator[NamedPackage]:
    """Read `Cargo.toml`."""
    table = ""
    for line in _lines(text):
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


def go_mod(text: str) -> Iterator[NamedPackage]:
    """Read `go.mod`."""
    for line in _lines(text):
        match = _GO_REQUIRE.match(line)
        if match:
            yield NamedPackage(match[1], match[2])


def pom(text: str) -> Iterator[NamedPackage]:
    """Read `pom.xml`: a group and an artifact, with the version that follows."""
    group = artifact = ""
    for line in _lines(text):
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


def gradle(text: str) -> Iterator[NamedPackage]:
    """Read `build.gradle` and `build.gradle.kts`."""
    return _matches(_GRADLE, text)


def gemfile(text: str) -> Iterator[NamedPackage]:
    """Read `Gemfile`."""
    return _matches(_GEM, text)


def _matches(pattern: re.Pattern[str], text: str) -> Iterator[NamedPackage]:
    for line in _lines(text):
        match = pattern.match(line)
        if match:
            yield NamedPackage(match[1], match[2] or "")


def _lines(text: str) -> Iterable[str]:
    return (line[:_LONGEST_LINE] for line in text.splitlines())


MANIFESTS: dict[str, Callable[[str], Iterator[NamedPackage]]] = {
    "package.json": package_json,
    "composer.json": package_json,
    "pyproject.toml": pyproject,
    "Cargo.toml": cargo,
    "go.mod": go_mod,
    "pom.xml": pom,
    "build.gradle": gradle,
    "build.gradle.kts": gradle,
    "Gemfile": gemfile,
}
