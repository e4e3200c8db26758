"""One target under Atheris: `python -m tests.fuzz.run TARGET CORPUS [libFuzzer's]`."""

import os
import sys

from tests.fuzz.__main__ import PACKAGES


def main() -> None:
    """Load the target with its branches counted, and feed it until time is up."""
    sys.path.append(os.environ.get("ATHERIS", str(PACKAGES)))
    import atheris

    with atheris.instrument_imports(include=["verifyhub", "verifyhub_client"]):
        from tests.fuzz.targets import target

    fuzzed = target(sys.argv.pop(1))
    atheris.Setup(sys.argv, lambda data: fuzzed.read(data) if data else None)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
