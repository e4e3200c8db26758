"""Mentions: the names in an answer, with their kinds and places."""
