"""VerifyHub checks AI agents' answers against the outputs of their tools.

This package imports nothing, so that the engine loads without Django.
"""

__version__ = "0.1.0"
