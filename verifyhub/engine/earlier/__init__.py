"""Evidence from earlier answers: what an agent saw before the current one."""
