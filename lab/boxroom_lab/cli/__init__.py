"""The commands of the laboratory, one module each, with `parser()` and `run(args)`.

The table of all commands and the arguments that the client's commands have as well stand in
`boxroom_client.cli`, the arguments for a position in `position`. Only `boxroom_client.main`, by
their names, and `notebook` import these modules, which may import everything.
"""
