"""Reads: current figures, alerts, reports."""
