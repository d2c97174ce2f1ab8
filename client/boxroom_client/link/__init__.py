"""The client's end of a connection to a server: sockets, reconnecting, and the state of a room.

What people see or type, and where servers are found, stands elsewhere (`shell`, `servers`). The
shells and the commands import this package; it imports only `servers` and `profile`.
"""
