"""Counting: every figure of the page as sums over answers and acts, day by day."""
