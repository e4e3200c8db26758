"""Django's PostgreSQL backend, but for how tables are emptied after a test."""
