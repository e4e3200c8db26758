"""The names an answer mentions: where they stand, what kind they are."""
