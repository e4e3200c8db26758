"""Find passages that may support or contradict a claim (requirement D2)."""
