"""Addresses of servers, and their discovery on the local network.

Connections to servers are made in `link`. Every other package of the client may import this one,
which imports none of them.
"""
