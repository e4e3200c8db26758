"""What follows from a report: confidence, warnings, verdict and the next step."""
