"""Check mentions against the evidence, with a reason for each unconfirmed one."""
