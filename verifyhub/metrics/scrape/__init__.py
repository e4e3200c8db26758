"""What the operator's monitoring reads: Prometheus and OpenTelemetry."""
