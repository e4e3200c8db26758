"""The reading of tool calls: each is read once, by its kind."""
