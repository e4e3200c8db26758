"""Feed every reader of `targets` what covers its code, and keep what makes it fail.

    python -m tests.fuzz [--minutes 120] [--target shell,markdown] [--again]

Atheris makes new inputs of those that reached new code (`make fuzz` installs it beside
the environment, where there is none). Inputs stay in `.verifyhub-fuzz/corpus`, so the
next run goes on from there; what fails is kept in `.verifyhub-fuzz/finds`, and
`--again` reads all of that once more, without Atheris.
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from verifyhub.cli.home import CHECKOUT

KEPT = CHECKOUT / ".verifyhub-fuzz"
CORPUS, FINDS, PACKAGES = KEPT / "corpus", KEPT / "finds", KEPT / "packages"
INPUT_SECONDS, MEGABYTES, LONGEST = 20, 3000, 16 * 1024


def main(argv: Sequence[str] | None = None) -> int:
    """Fuzz; return 1 where a reader failed."""
    from tests.fuzz.targets import ALL, TARGETS, target

    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("--minutes", type=float, default=120, help="of all targets")
    parser.add_argument(
        "--target", default="", help=f"{ALL} in turn, or of {', '.join(TARGETS)}"
    )
    parser.add_argument("--again", action="store_true", help="read the finds again")
    given = parser.parse_args(argv)
    names = given.target.split(",") if given.target else list(TARGETS)
    for folder in (CORPUS, FINDS):
        folder.mkdir(parents=True, exist_ok=True)
    if given.again:
        return _again(names)
    before = set(FINDS.iterdir())
    seconds = max(1, int(given.minutes * 60 / len(names)))
    for name in names:
        corpus = CORPUS / name
        corpus.mkdir(exist_ok=True)
        for number, seed in enumerate(target(name).seeds()):
            (corpus / f"seed-{number}").write_bytes(seed)
        _fuzz(name, corpus, seconds)
    found = sorted(set(FINDS.iterdir()) - before)
    print(f"\n{len(found)} inputs made a reader fail", *found, sep="\n  ")
    return int(bool(found))


def _fuzz(name: str, corpus: Path, seconds: int) -> None:
    """Give one target its time; after a find it goes on."""
    until = time.monotonic() + seconds
    while (left := int(until - time.monotonic())) > 0:
        command = [
            *[sys.executable, "-m", "tests.fuzz.run", name, str(corpus)],
            *[f"-max_total_time={left}", f"-timeout={INPUT_SECONDS}"],
            *[f"-rss_limit_mb={MEGABYTES}", f"-max_len={LONGEST}"],
            *[f"-artifact_prefix={FINDS}/{name}-", "-print_final_stats=1"],
        ]
        result = subprocess.run(
            command, cwd=CHECKOUT, capture_output=True, text=True, check=False
        )
        told = result.stderr.splitlines()
        runs = [line for line in told if "number_of_executed_units" in line]
        cover = [line for line in told if " cov: " in line]
        number = runs[-1].split()[-1] if runs else "?"
        reached = cover[-1].split(" cov: ")[1].split()[0] if cover else "?"
        print(f"{name:12} {number:>9} inputs, {reached:>6} places reached", flush=True)
        if result.returncode:
            at = next((n for n, line in enumerate(told) if "exception" in line), -30)
            print(*told[at : at + 40 if at > 0 else None], sep="\n", flush=True)
        if not runs:
            raise SystemExit("\n".join(told[-20:]))


def _again(names: Sequence[str]) -> int:
    from tests.fuzz.targets import target

    failed = 0
    for path in sorted(FINDS.iterdir()):
        name = path.name.split("-")[0]
        if name not in names:
            continue
        began = time.process_time()
        try:
            target(name).read(path.read_bytes())
        except Exception as error:  # noqa: BLE001 - whatever a reader lets through
            failed += 1
            print(f"{path}: {type(error).__name__}: {error}"[:300])
        else:
            print(f"{path}: read in {time.process_time() - began:.2f} s")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
