"""VerifyHub checks what AI agents answer against what their tools really returned.

This package imports nothing, so that the engine loads without Django.
"""

__version__ = "0.1.0"
