"""The screens before a game on a server: lists of servers and rooms to choose from.

A list is a `Menu`, shown by a `Chooser`. Connections and discovery are in `link` and `servers`.
Only the full screen's frontend imports it.
"""
