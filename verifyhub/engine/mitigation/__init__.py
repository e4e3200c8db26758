"""Advise on answers that failed a check, and rewrite them (requirement E8)."""
