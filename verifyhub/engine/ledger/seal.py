"""A trace signed by a tool gateway: evidence of grade B.

A gateway is between agents and their tools. It sees the actual outputs of the tools and
signs them with a key that no agent has. One signature covers the project, the run and
the digests of all calls in order, so that it is invalid if a call was changed, dropped,
added, moved, or taken from another run.
"""

import base64
import binascii
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from verifyhub.engine.errors import SealError
from verifyhub.engine.types import Interaction, ToolCall

VERSION = 1
KEY_BYTES = 32
_DOMAIN = b"verifyhub trace signature 1\n"
# Added to a signature that was valid before secrets in the calls were masked; the
# contract does not allow it in requests.
CHECKED_AS_SENT = "checked_as_sent"
# A larger float does not represent every whole number, and JSON readers differ.
_SAFE_INTEGER = 2**53


class SealState(StrEnum):
    """The state of a trace's signature."""

    ABSENT = "absent"
    VALID = "valid"
    INVALID = "invalid"


@dataclass(frozen=True, slots=True, kw_only=True)
class Gateways:
    """The tool gateways whose signatures a project trusts.

    Attributes:
        project: The project's slug, which every signature is bound to.
        keys: Ed25519 public keys, 32 bytes each, by key id.
    """

    project: str = ""
    keys: Mapping[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerSeal:
    """A signature and its state.

    Attributes:
        reason: Why it is invalid: `no_run_id`, `unknown_key`, `calls_differ` or
            `bad_signature`; empty otherwise.
        calls: Indexes of the signed tool calls; none unless it is valid.
        manifest: Whether it is valid and covers the manifest.
    """

    state: SealState
    reason: str = ""
    key_id: str = ""
    calls: frozenset[int] = frozenset()
    manifest: bool = False


NO_SEAL = LedgerSeal(state=SealState.ABSENT)


def read_seal(interaction: Interaction, gateways: Gateways) -> LedgerSeal:
    """Check a run's signature.

    Raises no error about the run: `trace_signature` was parsed, so it has `key_id`,
    `calls` (increasing whole numbers) and `signature`.
    """
    sent = interaction.trace_signature
    if sent is None:
        return NO_SEAL
    key_id = str(sent["key_id"])
    reason = _objection(interaction, sent, gateways)
    if reason:
        return LedgerSeal(state=SealState.INVALID, reason=reason, key_id=key_id)
    return LedgerSeal(
        state=SealState.VALID,
        key_id=key_id,
        calls=frozenset(sent["calls"]),
        manifest=bool(sent.get("manifest")),
    )


def _objection(
    interaction: Interaction, sent: Mapping[str, Any], gateways: Gateways
) -> str:
    if not interaction.id:
        return "no_run_id"
    key = gateways.keys.get(str(sent["key_id"]))
    if key is None:
        return "unknown_key"
    covered = [
        interaction.tool_calls[index]
        for index in sent["calls"]
        if 0 <= index < len(interaction.tool_calls)
    ]
    if len(covered) != len(sent["calls"]):
        return "calls_differ"
    if sent.get(CHECKED_AS_SENT):
        return ""
    manifest = interaction.manifest or [] if sent.get("manifest") else None
    message = _message(gateways.project, interaction.id, covered, manifest)
    return "" if _is_signed(key, str(sent["signature"]), message) else "bad_signature"


def sign_trace(
    private_key: bytes,
    *,
    key_id: str,
    project: str,
    run: str,
    calls: Sequence[ToolCall],
    manifest: Sequence[Mapping[str, Any]] | None = None,
) -> dict[str, Any]:
    """Sign a run's trace, like a gateway after the run.

    Args:
        private_key: Ed25519, 32 bytes.
        key_id: The id of the public key in the project.
        project: The project's slug.
        run: The `id` of the run.
        calls: The calls through the gateway in order, each with its `index` in the
            run's `tool_calls`.
        manifest: The files that the gateway itself found after the run; None for none.

    Raises:
        SealError: If the key has another length.
    """
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    if len(private_key) != KEY_BYTES:
        raise SealError(f"a private key has {KEY_BYTES} bytes")
    signature = Ed25519PrivateKey.from_private_bytes(private_key).sign(
        _message(project, run, calls, manifest)
    )
    return {
        "version": VERSION,
        "key_id": key_id,
        "calls": [call.index for call in calls],
        **({} if manifest is None else {"manifest": True}),
        "signature": base64.b64encode(signature).decode(),
    }


def read_public_key(text: str) -> bytes:
    """Read a public key: base64 of its 32 bytes.

    Raises:
        SealError: If it is not such a text, or not a point of the curve.
    """
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        key = base64.b64decode(text.strip(), validate=True)
        if len(key) != KEY_BYTES:
            raise SealError(f"must be base64 of {KEY_BYTES} bytes.")
        Ed25519PublicKey.from_public_bytes(key)
    except (binascii.Error, ValueError) as error:
        raise SealError(f"must be base64 of {KEY_BYTES} bytes.") from error
    return key


def _is_signed(key: bytes, signature: str, message: bytes) -> bool:
    # Imported here, since few runs have a signature and the library is slow to load.
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        data = base64.b64decode(signature, validate=True)
        if base64.b64encode(data).decode() != signature:
            return False
        Ed25519PublicKey.from_public_bytes(key).verify(data, message)
    except (binascii.Error, ValueError, InvalidSignature):
        return False
    return True


def _message(
    project: str,
    run: str,
    calls: Sequence[ToolCall],
    manifest: Sequence[Mapping[str, Any]] | None,
) -> bytes:
    body: dict[str, object] = {
        "version": VERSION,
        "project": project,
        "run": run,
        "calls": [{"index": call.index, "sha256": call_digest(call)} for call in calls],
    }
    if manifest is not None:
        body["manifest"] = hashlib.sha256(_canonical(manifest)).hexdigest()
    return _DOMAIN + _canonical(body)


def call_digest(call: ToolCall) -> str:
    """Return the SHA-256 of a call, in hexadecimal digits."""
    body = {
        "tool": call.tool,
        "input": call.input,
        "output": call.output,
        "status": str(call.status),
    }
    return hashlib.sha256(_canonical(body)).hexdigest()


def _canonical(value: object) -> bytes:
    """Return canonical JSON: sorted keys, no blanks, UTF-8, whole floats as integers.

    Whole numbers have one form because the database returns 1e2 as 100.
    """
    text = json.dumps(
        _plain(value), sort_keys=True, ensure_ascii=False, separators=(",", ":")
    )
    return text.encode("utf-8", "surrogatepass")


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, float) and value.is_integer() and abs(value) < _SAFE_INTEGER:
        return int(value)
    return value
