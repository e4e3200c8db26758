"""Exports: what is stored, row by row, as files, in constant memory."""
