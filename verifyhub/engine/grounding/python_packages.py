"""Python packages that an answer spells otherwise than the trace does."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from verifyhub.engine.ledger.ledger import Ledger
from verifyhub.engine.ledger.packages import Shown, python_packages
from verifyhub.engine.ledger.packages.python_names import canonical, published_names
from verifyhub.engine.types import Mention, MentionKind

_KINDS = frozenset({MentionKind.PACKAGE, MentionKind.CLASS, MentionKind.IDENTIFIER})
_NAME = re.compile(r"[A-Za-z0-9](?:[\w.-]{0,98}[A-Za-z0-9])?$")


def spellings(mentions: Iterable[Mention], ledger: Ledger) -> Mapping[Mention, Mention]:
    """Return, for names that were not found, the package as the trace spells it."""
    candidates = [m for m in mentions if m.kind in _KINDS and _NAME.match(m.key)]
    if not candidates:
        return {}
    shown: dict[str, str] = {}
    for package in python_packages(ledger.calls):
        imported = package.shown is Shown.IMPORT
        name = package.name
        forms = published_names(name) if imported else {canonical(name)}
        for form in forms:
            shown.setdefault(form, name)
    return {
        mention: replace(mention, kind=MentionKind.PACKAGE, key=shown[form])
        for mention in candidates
        if (form := canonical(mention.key)) in shown and shown[form] != mention.key
    }
