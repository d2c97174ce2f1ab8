"""The commands `boxroom serve`, `admin`, `games` and `backup`: parsing, output and exit codes.

Each command is a module with `parser` and `run`. What they do to a server or its data lives in
`server`, `admin` and `storage`. `boxroom_client.main` finds them by name; only tests import them.
"""
