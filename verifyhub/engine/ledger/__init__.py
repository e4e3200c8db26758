"""What the tool calls of a run show, typed and in order."""
