"""Count figures as sums over answers and acts, by day."""
