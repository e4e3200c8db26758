"""Compute metrics as sums over answers and decisions, by day."""
