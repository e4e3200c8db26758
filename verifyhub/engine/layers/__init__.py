"""Five ways to look at one text, behind one protocol (requirements E1 to E5)."""
