"""The client's commands, a module each, with `parser()` and `run(args)`."""
