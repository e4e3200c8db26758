"""Calibrate scores: measure, correct and bound their error (requirement E7)."""
