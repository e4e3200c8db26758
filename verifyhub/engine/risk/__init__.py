"""How much harm a wrong text could do, and what that is worth checking (E6)."""
