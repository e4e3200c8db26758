"""Reads of metrics, each with its definition, n and uncertainty."""
