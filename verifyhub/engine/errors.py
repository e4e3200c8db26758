"""The engine's exceptions.

EngineError
└── ThresholdError      a project's threshold cannot be used
"""


class EngineError(Exception):
    """Anything the engine refuses to work with."""


class ThresholdError(EngineError):
    """A threshold has an unknown name, a wrong type or a value out of range."""
