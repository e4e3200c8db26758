"""Test, lint, type-check and build results recognised inside any tool's output."""
