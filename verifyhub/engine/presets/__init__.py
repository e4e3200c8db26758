"""Presets that change cut-offs: a project's strictness, and the needs of a domain."""
