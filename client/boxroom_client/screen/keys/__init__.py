"""The tables of keys, of games and of replays, with all that is made from them.

These are key bindings, the help behind F1, and docs/reference/keys.md. What the keys do is in the
screens' controllers. Only `screen` imports it, and the test that writes the page.
"""
