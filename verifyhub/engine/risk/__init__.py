"""Assess the risk of a text, and choose its profile of checks (requirement E6)."""
