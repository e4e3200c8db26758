"""Counting: every figure as a sum over answers and acts, by day."""
