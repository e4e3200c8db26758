"""A stronger model checks the weaker one; it may lower a verdict, never raise it."""
