"""Which mentions the evidence confirms, and why the others are not confirmed."""
