"""The client for a pipe, a plain terminal, or somebody who likes it so: lines in, lines out.

`lines` is where lines come from and `page` where they are printed, `choosing` and `joining`
lead into a room, and `app` is the loop in it. What lines mean and how things are said is
`boxroom_client.shell`.
"""
