"""What the ledger of a run teaches of a project's names."""

from collections import defaultdict

from verifyhub.engine.calls.changes import base_name
from verifyhub.engine.ledger.files import FileAction
from verifyhub.engine.ledger.ledger import Ledger
from verifyhub.engine.ledger.packages import Package, Shown
from verifyhub.memory.guard.names import SYMBOLS, is_storable, name_key

_DECLARED = frozenset({Shown.LOCK, Shown.MANIFEST})


def learned_names(ledger: Ledger) -> dict[str, list[tuple[str, str]]]:
    """Return the packages and definitions that tools showed: key and text, by pool.

    What stands in a file that the run changed is left out: an agent could make a
    package real by writing its name down.
    """
    found: dict[str, dict[str, tuple[str, str]]] = defaultdict(dict)
    for package in _packages_of(ledger):
        if is_storable(package.name):
            key = name_key(package.ecosystem, package.name)
            found[str(package.ecosystem)].setdefault(key, (key, package.name))
    for symbol in ledger.symbols:
        if is_storable(symbol.name):
            key = name_key(SYMBOLS, symbol.name)
            found[SYMBOLS][symbol.name] = (key, symbol.name)
    return {pool: list(names.values()) for pool, names in found.items()}


def whole_pools(ledger: Ledger) -> set[str]:
    """Return the ecosystems of which the run read a lock file or manifest whole."""
    whole = {
        (entry.call, entry.path)
        for entry in ledger.files
        if entry.action is FileAction.SEEN and entry.sha256 is not None
    }
    return {
        str(package.ecosystem)
        for package in _packages_of(ledger)
        if package.shown in _DECLARED and (package.call, package.path) in whole
    }


def _packages_of(ledger: Ledger) -> list[Package]:
    changed = ledger.changes_by_name
    return [
        package
        for package in ledger.packages
        if not package.path or base_name(package.path) not in changed
    ]
