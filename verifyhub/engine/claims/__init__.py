"""Claims of fact: found in an answer, compared with passages, judged (D)."""
