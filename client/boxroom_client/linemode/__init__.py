"""Line mode: the client for a pipe or a plain terminal, which reads lines and prints lines.

The meaning of typed lines and the text about rooms are in `shell`; panes are in `screen`. Only
`cli` starts it; `robots` and `agents` use its printer and its choice of a room.
"""
