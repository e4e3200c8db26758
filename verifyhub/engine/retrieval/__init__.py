"""Finding the passages that may speak for or against a claim (requirement D2)."""
