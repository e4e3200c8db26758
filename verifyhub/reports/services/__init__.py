"""Writes: rules and their alerts, plans and reports, letters."""
