"""Outgoing connections: VerifyHub opens all connections to other machines here.

They lead to model endpoints and to receivers of webhooks: addresses that users enter,
and servers that cannot be trusted. The package depends on no framework and knows
nothing about the content that is sent.
"""
