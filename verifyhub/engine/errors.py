"""The engine's exceptions.

EngineError
├── CalibrationError    a calibration is invalid, or cannot be fitted
├── RowsError           some rows of a setting are invalid
│   ├── DomainError     a project's domain verifiers are invalid
│   └── ToolRulesError  a project's rules about tools are invalid
├── ProfileError        a project's risk profiles are invalid
├── SealError           a gateway's key is invalid
├── ThresholdError      a project's threshold is invalid
├── PairsError          a project's pairs are invalid
└── ToolSchemaError     a JSON Schema for tool outputs is invalid
"""

from verifyhub.engine.faults import Fault


class EngineError(Exception):
    """Base of the engine's errors about invalid input."""


class CalibrationError(EngineError):
    """A calibration's parameters are invalid, or there is too little data to fit."""


class SealError(EngineError):
    """A tool gateway's key is no Ed25519 key."""


class ThresholdError(EngineError):
    """A threshold has an unknown name, a wrong type or a value out of range.

    Attributes:
        name: The threshold.
        value: The invalid value.
        fault: The error.
    """

    def __init__(self, name: str, value: object, fault: Fault) -> None:
        self.name, self.value, self.fault = name, value, fault
        super().__init__(f"{name}: {value!r} {fault}")


class ProfileError(EngineError):
    """Risk profiles are invalid; `errors` says why, by field: `high.floor`."""

    def __init__(self, errors: dict[str, Fault]) -> None:
        self.errors = errors
        super().__init__("; ".join(f"{field}: {why}" for field, why in errors.items()))


class RowsError(EngineError):
    """Some rows of a setting are invalid; `errors` says why, by row from 1."""

    def __init__(self, errors: dict[int, Fault]) -> None:
        self.errors = errors
        super().__init__("; ".join(f"row {row}: {why}" for row, why in errors.items()))


class DomainError(RowsError):
    """Some rows of domains are invalid."""


class ToolRulesError(RowsError):
    """Some rules about tools are invalid."""


class PairsError(EngineError):
    """Some pairs of a project are invalid.

    Attributes:
        errors: The errors by list (`names` or `deeds`) and row from 1.
    """

    def __init__(self, errors: dict[tuple[str, int], Fault]) -> None:
        self.errors = errors
        super().__init__(
            "; ".join(
                f"{field}, row {row}: {why}" if row else f"{field}: {why}"
                for (field, row), why in errors.items()
            )
        )


class ToolSchemaError(EngineError):
    """A JSON Schema for tool outputs is invalid, or uses a refused keyword.

    Attributes:
        path: The place in the schema, as `properties.name.pattern`; may be empty.
        message: The error.
    """

    def __init__(self, path: str, message: str) -> None:
        self.path, self.message = path, message
        super().__init__(f"{path}: {message}" if path else message)
