"""The MCP server of VerifyHub.

A thin server on the official SDK: each call becomes one request of the hub's public API
under the caller's own key, so that keys, scopes, projects and limits are decided in one
place (docs/adr/0048). It keeps no state and knows neither Django nor the database.
"""
