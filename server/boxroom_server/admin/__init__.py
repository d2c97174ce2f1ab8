"""The care of a running server, over a Unix socket that only its own user can open.

`messages` are what is said there, `caretaker` does what is asked, `service` is the socket.
`boxroom admin` (`boxroom_server.cli.admin`) is the other end. A message is one JSON object in
one line; every line is answered with one line, in order.
"""
