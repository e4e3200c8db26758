"""A gunicorn worker that uses a thread only once a request is complete (ADR 0072)."""
