"""The web server's own part: requests are whole before a thread is taken (ADR 0072)."""
