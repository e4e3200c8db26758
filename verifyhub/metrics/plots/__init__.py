"""Plots: drawn on the server, each with a table and links from its marks."""
