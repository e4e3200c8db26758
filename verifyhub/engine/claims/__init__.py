"""Claims of fact: found in an answer, held against passages, judged (D)."""
