"""Adapters from `ports.VerifierModel` to models on the wire."""
