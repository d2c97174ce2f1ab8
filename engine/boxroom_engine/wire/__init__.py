"""What server and clients say to one another: the messages and their codec.

docs/protocol.md explains the protocol, docs/protocol.schema.json is made from `messages`.
"""
