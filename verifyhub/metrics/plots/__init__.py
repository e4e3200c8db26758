"""Plots: drawn on the server, with a table behind each and a way on from every mark."""
