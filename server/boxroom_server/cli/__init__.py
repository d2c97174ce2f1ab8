"""The commands of the server's side, one module each."""
