"""Keys of endpoints, encrypted at rest (`common.sealing`)."""

from verifyhub.common.sealing import Seal, UnsealError

__all__ = ["UnsealError", "reseal", "seal", "unseal"]

_KEYS = Seal(b"verifyhub.inference.endpoint-key.1:")
seal = _KEYS.seal
unseal = _KEYS.unseal
reseal = _KEYS.reseal
