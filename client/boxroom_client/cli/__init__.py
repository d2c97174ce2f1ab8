"""The commands of the client, one module each, with `parser()` and `run(args)`.

What several commands share stands in `arguments`, the table of commands in `commands`. Only
`boxroom_client.main` and the laboratory's commands import this package, which may import all others
of the client.
"""
