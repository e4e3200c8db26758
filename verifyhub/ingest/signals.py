"""News of this package, sent upwards."""

from django.dispatch import Signal

# Sent inside the transaction that writes the row, with `interaction`: what listens
# commits with it or not at all (ADR 0005).
interaction_recorded = Signal()
