"""Learn from decisions: examples, calibration, advice, measured effect."""
