"""How far scores can be trusted: measured, corrected, and promised (requirement E7)."""
