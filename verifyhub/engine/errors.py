"""The engine's exceptions.

EngineError
├── CalibrationError    a calibration cannot be used, or not be fitted
├── DomainError         some of a project's verifiers of domains cannot be used
├── ProfileError        some of a project's risk profiles cannot be used
├── SealError           a gateway's key cannot be used
├── ThresholdError      a project's threshold cannot be used
├── ToolRulesError      some of a project's rules about tools cannot be used
├── PairsError          some of a project's pairs cannot be used
└── ToolSchemaError     a JSON Schema for tool outputs cannot be used
"""

from verifyhub.engine.faults import Fault


class EngineError(Exception):
    """Base of the engine's errors: input that it refuses."""


class CalibrationError(EngineError):
    """A calibration's parameters cannot be used, or there is too little to fit."""


class SealError(EngineError):
    """A tool gateway's key is no Ed25519 key."""


class ThresholdError(EngineError):
    """A threshold has an unknown name, a wrong type or a value out of range.

    Attributes:
        name: The threshold.
        value: What it was to be.
        fault: What is wrong with it.
    """

    def __init__(self, name: str, value: object, fault: Fault) -> None:
        self.name, self.value, self.fault = name, value, fault
        super().__init__(f"{name}: {value!r} {fault}")


class ProfileError(EngineError):
    """Risk profiles cannot be used; `errors` says why, by field: `high.floor`."""

    def __init__(self, errors: dict[str, Fault]) -> None:
        self.errors = errors
        super().__init__("; ".join(f"{field}: {why}" for field, why in errors.items()))


class DomainError(EngineError):
    """Some rows of domains cannot be used; `errors` says why, by row from 1."""

    def __init__(self, errors: dict[int, Fault]) -> None:
        self.errors = errors
        super().__init__("; ".join(f"row {row}: {why}" for row, why in errors.items()))


class ToolRulesError(EngineError):
    """Some rules about tools cannot be used; `errors` says why, by row from 1."""

    def __init__(self, errors: dict[int, Fault]) -> None:
        self.errors = errors
        super().__init__("; ".join(f"row {row}: {why}" for row, why in errors.items()))


class PairsError(EngineError):
    """Some pairs of a project cannot be used.

    Attributes:
        errors: Why, by the list (`names` or `deeds`) and its row from 1.
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
    """A JSON Schema for tool outputs is not one, or asks for what is refused.

    Attributes:
        path: Where in the schema, as `properties.name.pattern`; empty for all of it.
        message: What is wrong there.
    """

    def __init__(self, path: str, message: str) -> None:
        self.path, self.message = path, message
        super().__init__(f"{path}: {message}" if path else message)
