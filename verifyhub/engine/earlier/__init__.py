"""What an agent saw before the answer at hand, as evidence for it."""
