"""Packages that the tools showed: in manifests, lock files, imports and installs."""

from verifyhub.engine.ledger.packages.model import Ecosystem, Package, Shown
from verifyhub.engine.ledger.packages.read import (
    python_packages,
    read_file,
    read_packages,
)

__all__ = [
    "Ecosystem",
    "Package",
    "Shown",
    "python_packages",
    "read_file",
    "read_packages",
]
