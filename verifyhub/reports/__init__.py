"""Weekly reports, and alerts when a metric exceeds its threshold."""
