"""Frozen values of packages that calls showed."""

from dataclasses import dataclass
from enum import StrEnum


class Ecosystem(StrEnum):
    """A package ecosystem; names are compared within one."""

    PYPI = "pypi"
    NPM = "npm"
    CARGO = "cargo"
    GO = "go"
    MAVEN = "maven"
    RUBYGEMS = "rubygems"
    PACKAGIST = "packagist"
    SYSTEM = "system"


class Shown(StrEnum):
    """The kind of evidence for a package."""

    MANIFEST = "manifest"
    LOCK = "lock"
    IMPORT = "import"
    INSTALLED = "installed"


@dataclass(frozen=True, slots=True)
class NamedPackage:
    """A package in one text; `version` is "" if it has none."""

    name: str
    version: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """One package in one call.

    `version` is the version or the requested range; None if there is none. `path` is
    the file with the package, "" for the output of an installer.
    """

    call: int
    name: str
    ecosystem: Ecosystem
    shown: Shown
    version: str | None = None
    path: str = ""
