"""Settings, URLs, and the entry points of the web server, the worker and the beat."""
