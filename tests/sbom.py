"""Say what VerifyHub is made of: `make sbom`.

Writes `dist/verifyhub.cdx.json`, a CycloneDX 1.6 document of every package in
`requirements/run.lock` with its version, hashes and licence, and `dist/licences.md`,
the same for people. What is told is what is installed: a package that this platform
does not install (another system's) is left out.
"""

import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from tests.architecture.tree import CHECKOUT
from verifyhub import __version__

LOCK = CHECKOUT / "requirements" / "run.lock"
FOLDER = CHECKOUT / "dist"
PIN = re.compile(r"^([a-z0-9.-]+)==([^ ;\\]+)", re.MULTILINE)
HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")
CLASSIFIER = "License :: OSI Approved :: "
# What lies in the repository and was made elsewhere.
MODEL = {
    "type": "machine-learning-model",
    "bom-ref": "model:all-MiniLM-L6-v2",
    "name": "all-MiniLM-L6-v2",
    "licenses": [{"license": {"id": "Apache-2.0"}}],
    "description": "verifyhub/engine/local_models/minilm, as int8 for ONNX Runtime",
}


@dataclass(frozen=True, slots=True)
class Package:
    """A package of the lock that is installed here."""

    name: str
    version: str
    licence: str
    hashes: tuple[str, ...]
    needs: tuple[str, ...]

    @property
    def purl(self) -> str:
        return f"pkg:pypi/{self.name}@{self.version}"


def packages() -> Iterator[Package]:
    """Yield the packages of the lock, by name."""
    text = LOCK.read_text(encoding="utf-8")
    pins = list(PIN.finditer(text))
    names = {pin[1] for pin in pins}
    for pin, following in zip(pins, [*pins[1:], None], strict=True):
        part = text[pin.end() : following.start() if following else None]
        try:
            found = metadata.distribution(pin[1])
        except metadata.PackageNotFoundError:
            continue
        # Of some packages the lock has a version for each of several Pythons.
        if found.version != pin[2]:
            continue
        needs = {_normal(re.split(r"[^\w.-]", one)[0]) for one in found.requires or ()}
        yield Package(
            name=pin[1],
            version=found.version,
            licence=licence_of(found),
            hashes=tuple(HASH.findall(part)),
            needs=tuple(sorted(needs & names)),
        )


def licence_of(found: metadata.Distribution) -> str:
    """Return what a package says of its licence, in the newest way that it knows."""
    told = found.metadata
    if expression := told.get("License-Expression"):
        return expression
    classifiers = told.get_all("Classifier") or []
    named = [one.removeprefix(CLASSIFIER) for one in classifiers if CLASSIFIER in one]
    text = (told.get("License") or "").strip().splitlines()
    return " AND ".join(named) or (text[0][:80] if text else "not stated")


def document(parts: list[Package]) -> dict[str, Any]:
    """Return the CycloneDX document; the same packages give the same one."""
    serial = uuid5(NAMESPACE_URL, " ".join(one.purl for one in parts))
    root = f"pkg:pypi/verifyhub@{__version__}"
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{serial}",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": root,
                "name": "verifyhub",
                "version": __version__,
                "purl": root,
                "licenses": [{"license": {"id": "Apache-2.0"}}],
            }
        },
        "components": [
            *(
                {
                    "type": "library",
                    "bom-ref": one.purl,
                    "name": one.name,
                    "version": one.version,
                    "purl": one.purl,
                    "licenses": [{"license": {"name": one.licence}}],
                    # One for each file that may be installed.
                    "properties": [
                        {"name": "verifyhub:lock:sha256", "value": digest}
                        for digest in one.hashes
                    ],
                }
                for one in parts
            ),
            MODEL,
        ],
        "dependencies": [
            {"ref": root, "dependsOn": [one.purl for one in parts]},
            *(
                {
                    "ref": one.purl,
                    "dependsOn": [
                        other.purl for other in parts if other.name in one.needs
                    ],
                }
                for one in parts
            ),
        ],
    }


def table(parts: list[Package]) -> str:
    """Return the licences as a table in Markdown."""
    rows = [f"| {one.name} | {one.version} | {one.licence} |" for one in parts]
    return "\n".join(["| Package | Version | Licence |", "|---|---|---|", *rows, ""])


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def main() -> int:
    parts = list(packages())
    FOLDER.mkdir(exist_ok=True)
    for file, text in (
        (FOLDER / "verifyhub.cdx.json", json.dumps(document(parts), indent=1)),
        (FOLDER / "licences.md", table(parts)),
    ):
        Path(file).write_text(text, encoding="utf-8")
        print(f"{file.relative_to(CHECKOUT)}: {len(parts)} packages")
    return 0


if __name__ == "__main__":
    sys.exit(main())
