"""Exports under the API's root."""
