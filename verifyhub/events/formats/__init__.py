"""Formats of outgoing events; without the database."""
