"""Reads: every figure with its definition, its n and its uncertainty."""
