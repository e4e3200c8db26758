"""Metrics for the operator's monitoring: Prometheus and OpenTelemetry."""
