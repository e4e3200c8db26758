"""Draft, critique, fact check, synthesis: one after another (requirement D5)."""
