"""Reads: figures as they stand, alerts, reports."""
