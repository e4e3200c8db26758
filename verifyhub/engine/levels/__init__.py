"""Three levels of checks: structure, tool outputs, and the state of files."""
