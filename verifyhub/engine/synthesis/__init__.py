"""Combine subtasks' results: which to trust, and which contradict each other."""
