"""Claims of what was done to records: booked, refunded, cancelled, sent."""
