"""The tables of keys, of games and of replays, with all that is made from them.

These are key bindings, the help behind F1, and the site's page of keys. What the keys do is in the
screens' controllers. Only `screen` imports it, and docs/conf.py, which fills that page.
"""
