"""The parts shared by all questions to judges: sealing, one repair, strict reading."""
