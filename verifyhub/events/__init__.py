"""The outbox: events in the order in which they became visible."""
