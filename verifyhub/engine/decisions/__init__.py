"""Decide on a report: confidence, warnings, verdict and the next step."""
