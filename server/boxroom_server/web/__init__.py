"""The page of the web client: its static files in `page/`, and the HTTP responses that carry them.

Rules, rooms and messages are not looked into here: the page is a client like any other, and talks
to the server by docs/reference/protocol.md. Only `server` and packages above it may import
this one.
"""
