"""The engine's exceptions.

EngineError
├── ThresholdError      a project's threshold cannot be used
└── ToolSchemaError     a JSON Schema for tool outputs cannot be used
"""


class EngineError(Exception):
    """Anything the engine refuses to work with."""


class ThresholdError(EngineError):
    """A threshold has an unknown name, a wrong type or a value out of range."""


class ToolSchemaError(EngineError):
    """A JSON Schema for tool outputs is not one, or asks for what is refused.

    Attributes:
        path: Where in the schema, as `properties.name.pattern`; empty for all of it.
        message: What is wrong there.
    """

    def __init__(self, path: str, message: str) -> None:
        self.path, self.message = path, message
        super().__init__(f"{path}: {message}" if path else message)
