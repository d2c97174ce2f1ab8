"""Network connections: admission, TLS, handshake, WebSocket frames, connections, rate limits.

No message is interpreted here: that is the session's part. `people`, `rooms`, `ops` and the modules
beside this package may import it; it imports only `options`, `clock` and `tasks`.
"""
