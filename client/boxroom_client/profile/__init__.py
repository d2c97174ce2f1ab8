"""Data that the client keeps for its user: identities, settings, the last room and played games.

Parsers of command lines stand in `cli`, themes in `screen`. Every other package of the client but
`servers` may import this one, which imports only `servers`.
"""
