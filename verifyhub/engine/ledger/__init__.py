"""The ledger: typed facts from a run's tool calls, in order."""
