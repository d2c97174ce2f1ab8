"""Text about a room for people: events, updates, standings, hints, and boards as terminal text.

Everything is pure; printing and drawing panes is the shells' work. Nothing here knows typed
commands (`shell.input`). The shells and every command that prints a board may import it.
"""
