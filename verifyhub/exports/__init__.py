"""Exports of stored rows as files, in constant memory."""
