"""Adapters from `ports.Model` to models on the wire."""
