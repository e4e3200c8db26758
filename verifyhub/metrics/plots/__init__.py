"""Plots, drawn on the server, with tables and links."""
