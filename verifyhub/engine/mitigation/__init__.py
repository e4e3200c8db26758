"""What to do about an answer that failed a check (requirement E8)."""
