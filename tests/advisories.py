"""Hold the packages of the lock against known advisories: `make audit`.

Asks OSV (https://osv.dev) for every name and version in `requirements/run.lock` by one
request. No part of the tests: an advisory of tomorrow would fail what passed today.
Ends with 0 where none is known, 1 where some are, and 3 where nobody could be asked:
then nothing was audited, and it says so.
"""

import argparse
import json
import sys
import urllib.request
from collections.abc import Sequence

from tests.sbom import LOCK, PIN

SOURCE = "https://api.osv.dev/v1/querybatch"
SECONDS = 30
CLEAN, FOUND, NOT_AUDITED = 0, 1, 3


def main(argv: Sequence[str] | None = None) -> int:
    """Audit, and return how it went (module)."""
    parser = argparse.ArgumentParser(prog="python -m tests.advisories")
    parser.add_argument("--source", default=SOURCE, help="where OSV is answered")
    source = parser.parse_args(argv).source
    pins = [(pin[1], pin[2]) for pin in PIN.finditer(LOCK.read_text(encoding="utf-8"))]
    try:
        known = _ask(source, pins)
    except (OSError, ValueError, KeyError) as error:
        print(f"NOT AUDITED: no source of advisories answered ({error}; {source})")
        return NOT_AUDITED
    for (name, version), ids in zip(pins, known, strict=True):
        if ids:
            print(f"{name} {version}: {', '.join(ids)}")
    concerned = sum(bool(ids) for ids in known)
    print(f"{concerned} of {len(pins)} packages have known advisories ({source})")
    return FOUND if concerned else CLEAN


def _ask(source: str, pins: Sequence[tuple[str, str]]) -> list[list[str]]:
    """Return the advisories of each package.

    Raises:
        OSError: Nobody answers, or with an error.
        ValueError: The answer is of another form, as `KeyError`.
    """
    queries = [
        {"package": {"ecosystem": "PyPI", "name": name}, "version": version}
        for name, version in pins
    ]
    request = urllib.request.Request(
        source,
        json.dumps({"queries": queries}).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=SECONDS) as reply:
        results = json.load(reply)["results"]
    if len(results) != len(pins):
        raise ValueError(f"{len(results)} answers to {len(pins)} questions")
    return [[one["id"] for one in result.get("vulns", ())] for result in results]


if __name__ == "__main__":
    sys.exit(main())
