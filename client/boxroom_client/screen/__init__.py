"""The client for a whole terminal: board, players, talk and a line to type in, all at once."""
