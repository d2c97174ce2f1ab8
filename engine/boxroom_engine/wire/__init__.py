"""The wire protocol: the messages of servers and clients, their codec and their JSON Schema.

docs/reference/protocol.md explains the protocol. Sockets and sessions live in the server and the
client, which import it; the rest of the engine doesn't.
"""
