"""Everything that line mode, the full screen and robots share when they play in a room.

`input` turns typed lines into intents and executes them, `output` turns rooms, events and updates
into text, and the modules here join a server and read, write and replay records. Nothing here
prints or knows a terminal: `linemode` and `screen` do. They, `robots` and `cli` may import it.
"""
