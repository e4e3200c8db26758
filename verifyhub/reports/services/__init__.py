"""Writes: alert rules and alerts, report plans and reports, e-mails."""
