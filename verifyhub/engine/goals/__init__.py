"""Check whether an agent, orchestrator or moderator reached its goal."""
