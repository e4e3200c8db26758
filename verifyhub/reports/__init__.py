"""Weekly summaries, and alerts when a figure leaves its bounds."""
