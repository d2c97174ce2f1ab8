"""The activities of a room's host: what a room does by itself, by commands to its host.

Bots think elsewhere, in `boxroom_server.bots`. Nothing but `boxroom_server.rooms` may import it.
"""
