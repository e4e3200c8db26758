"""Level 1: the structured block that an agent may send with its answer."""

import base64
import binascii
import json
import re
import zlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NoReturn

from verifyhub.engine.levels.categories import Category, Problem
from verifyhub.engine.levels.claims import BLOCK, MAX_CLAIMS, ClaimType, sent_claims
from verifyhub.engine.types import Interaction

MAX_ARTIFACTS = 1000
MAX_METADATA_BYTES = 1024
MAX_PATH = 4096
MAX_ANCHOR = 20_000
_TRACE_REF = re.compile(r"trace:\S{1,200}")
_SHA256 = re.compile(r"[0-9a-fA-F]{64}")

# The texts a claim needs, with their greatest lengths.
_NEEDED = {
    ClaimType.FILE_WRITE: {"path": MAX_PATH, "sha256": 64},
    ClaimType.FILE_EDIT: {"path": MAX_PATH},
    ClaimType.FILE_DELETE: {"path": MAX_PATH},
    ClaimType.CODE_INSERTED: {"path": MAX_PATH, "anchor": MAX_ANCHOR},
    ClaimType.COMMAND_EXECUTED: {"command": MAX_ANCHOR},
}


def check_structure(interaction: Interaction) -> list[Problem]:
    """Return everything that is wrong with the block and its claims.

    Call it only for interactions that have one of them.
    """
    problems: list[Problem] = []
    if interaction.structured_output is not None:
        problems += _block(interaction.structured_output)
        if problems and not isinstance(interaction.structured_output, Mapping):
            return problems
        if not isinstance(interaction.structured_output.get("claims"), list):
            return problems
    place, claims = sent_claims(interaction)
    if len(claims) > MAX_CLAIMS:
        return [*problems, _wrong(place, f"may hold at most {MAX_CLAIMS} claims.")]
    for index, claim in claims:
        problems += _claim(f"{place}[{index}]", claim)
    return problems


def _block(block: object) -> list[Problem]:
    if not isinstance(block, Mapping):
        return [_wrong(BLOCK, "must be an object.")]
    problems = _text(block, BLOCK, "summary", None)
    reference = _text(block, BLOCK, "traceRef", None)
    problems += reference
    if not reference and not _TRACE_REF.fullmatch(block["traceRef"]):
        problems.append(
            _wrong(f"{BLOCK}.traceRef", "must be trace: and an id without spaces.")
        )
    for name in ("claims", "artifacts"):
        if block.get(name) is not None and not isinstance(block[name], list):
            problems.append(_wrong(f"{BLOCK}.{name}", "must be an array."))
    artifacts = block.get("artifacts")
    if isinstance(artifacts, list):
        problems += _artifacts(artifacts)
    return problems


def _artifacts(artifacts: list[Any]) -> list[Problem]:
    place = f"{BLOCK}.artifacts"
    if len(artifacts) > MAX_ARTIFACTS:
        return [_wrong(place, f"may hold at most {MAX_ARTIFACTS} artifacts.")]
    problems: list[Problem] = []
    for index, artifact in enumerate(artifacts):
        item_place = f"{place}[{index}]"
        if not isinstance(artifact, Mapping):
            problems.append(_wrong(item_place, "must be an object."))
            continue
        metadata = artifact.get("metadata")
        if metadata is None:
            continue
        if not isinstance(metadata, Mapping):
            problems.append(_wrong(f"{item_place}.metadata", "must be an object."))
        elif _size(metadata) >= MAX_METADATA_BYTES:
            limit = f"must be under {MAX_METADATA_BYTES} bytes of JSON."
            problems.append(_wrong(f"{item_place}.metadata", limit))
    return problems


def _claim(place: str, claim: object) -> list[Problem]:
    if not isinstance(claim, Mapping):
        return [_wrong(place, "must be an object.")]
    problems = _text(claim, place, "type", None)
    if problems:
        return problems
    if claim["type"] not in set(ClaimType):
        known = ", ".join(ClaimType)
        return [_wrong(f"{place}.type", f"must be one of {known}.")]
    kind = ClaimType(claim["type"])
    for name, limit in _NEEDED[kind].items():
        problems += _text(claim, place, name, limit)
    if kind is ClaimType.FILE_EDIT:
        anchors = [name for name in ("before", "after") if claim.get(name) is not None]
        if not anchors:
            message = "is required, or before: text of the file."
            problems.append(_missing(f"{place}.after", message))
        for name in anchors:
            problems += _text(claim, place, name, MAX_ANCHOR)
    digest = claim.get("sha256") if kind is ClaimType.FILE_WRITE else None
    if isinstance(digest, str) and digest and not _SHA256.fullmatch(digest):
        problems.append(_wrong(f"{place}.sha256", "must be 64 hexadecimal digits."))
    return problems


def _text(
    data: Mapping[str, Any], where: str, name: str, limit: int | None
) -> list[Problem]:
    value = data.get(name)
    place = f"{where}.{name}"
    if value is None or value == "":
        return [_missing(place, "is required: a string.")]
    if not isinstance(value, str):
        return [_wrong(place, "must be a string.")]
    if limit is not None and len(value) > limit:
        return [_wrong(place, f"must have at most {limit} characters.")]
    return []


def _size(value: object) -> int:
    return len(json.dumps(value, ensure_ascii=False).encode(errors="replace"))


def _missing(path: str, message: str) -> Problem:
    return Problem(path=path, category=Category.MISSING_FIELD, message=message)


def _wrong(path: str, message: str) -> Problem:
    return Problem(path=path, category=Category.INVALID_TYPE, message=message)


# Claims sent packed, for runs that changed many files (B6, "compressed claims").
#
# A block may hold `"claims": {"encoding": "gzip+base64", "data": "…"}` in place of the
# list. Anchors are source code and shrink to a fraction; what comes out is checked like
# a list that came plain.
ENCODING = "gzip+base64"
MAX_PACKED = 4 * 1024 * 1024
MAX_UNPACKED = 16 * 1024 * 1024
_GZIP = 31
_PLACE = f"{BLOCK}.claims"


class _PackedError(ValueError):
    """Packed claims cannot be unpacked; the message is for the agent's side."""


def unpack_claims(interaction: Interaction) -> tuple[Interaction, list[Problem]]:
    """Return the interaction with its claims as a list, and errors of unpacking."""
    block = interaction.structured_output
    packed = block.get("claims") if isinstance(block, Mapping) else None
    if not isinstance(block, Mapping) or not isinstance(packed, Mapping):
        return interaction, []
    try:
        claims, problems = _unpacked(packed), list[Problem]()
    except _PackedError as error:
        claims, problems = [], [_wrong(_PLACE, str(error))]
    unpacked = {**block, "claims": claims}
    return replace(interaction, structured_output=unpacked), problems


def _unpacked(packed: Mapping[str, Any]) -> list[Any]:
    data = packed.get("data")
    if packed.get("encoding") != ENCODING or not isinstance(data, str):
        raise _PackedError(f"must be an array, or have encoding {ENCODING} and data.")
    if len(data) > MAX_PACKED:
        raise _PackedError(f"must have at most {MAX_PACKED} characters of data.")
    try:
        claims = json.loads(_inflated(data), parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        if isinstance(error, _PackedError):
            raise
        raise _PackedError("must hold JSON.") from error
    if not isinstance(claims, list):
        raise _PackedError("must hold an array.")
    return claims


def _inflated(data: str) -> bytes:
    """Inflate within the bound: a small reply may be made to grow without end."""
    machine = zlib.decompressobj(wbits=_GZIP)
    try:
        text = machine.decompress(base64.b64decode(data, validate=True), MAX_UNPACKED)
    except (binascii.Error, ValueError, zlib.error) as error:
        raise _PackedError("must be gzip in base64.") from error
    if not machine.eof:
        raise _PackedError(f"must be whole, and hold at most {MAX_UNPACKED} bytes.")
    return text


def _no_number(name: str) -> NoReturn:
    raise _PackedError(f"must not hold {name}.")
