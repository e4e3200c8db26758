"""The tabs of the metrics page: each answers one question."""
