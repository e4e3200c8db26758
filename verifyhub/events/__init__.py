"""The outbox: events in the order of their visibility."""
