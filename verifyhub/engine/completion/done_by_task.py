"""Work of an earlier turn that the task itself reports as done.

A summary of the turns before, or a plan with its ticks, is neither evidence nor the
agent's answer: what it reports is not "never attempted", and no call shows it either.
"""

import re

from verifyhub.engine.calls.changes import base_name
from verifyhub.engine.completion.claims import WorkClaim, find_claims
from verifyhub.engine.completion.segments import sentences
from verifyhub.engine.ledger.ledger import Ledger

_DONE = re.compile(r"✅|\[x\]|\b(?:done|completed)\b", re.IGNORECASE)
# Lines of a task that are looked at, those that hold all names of a claim.
_MOST_LINES = 20


def is_done_by_task(claim: WorkClaim, ledger: Ledger) -> bool:
    """Return whether a line of the task names all that is claimed, as done."""
    names = [*map(base_name, claim.names.files), *claim.names.idents]
    names = [name.lower() for name in names]
    lines = (line for line in ledger.asked_lines if _holds(line, names))
    return bool(names) and any(
        _DONE.search(line)
        or any(not line_claim.state for line_claim in find_claims(sentences(line)))
        for line, _ in zip(lines, range(_MOST_LINES), strict=False)
    )


def _holds(line: str, names: list[str]) -> bool:
    low = line.lower()
    return all(name in low for name in names)
