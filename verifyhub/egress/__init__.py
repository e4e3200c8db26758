"""Outgoing connections: VerifyHub opens all connections to other machines here.

Model endpoints today, receivers of webhooks as well: addresses that people type and
servers nobody vouches for. Knows no framework and nothing about what is sent.
"""
