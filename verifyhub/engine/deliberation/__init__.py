"""Deliberate in four steps: draft, critique, fact check, synthesis (requirement D5)."""
