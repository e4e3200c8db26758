"""Exports: what is stored, row by row, in constant memory."""
