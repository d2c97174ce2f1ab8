"""Data that the client keeps for its user: identities, settings and the last room.

Parsers of command lines stand in `cli`, themes in `screen`. Every other package of the client but
`servers` may import this one, which imports only `servers`.
"""
