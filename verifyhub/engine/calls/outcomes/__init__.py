"""Results of tests, linters, type checks and builds in any tool's output."""
