"""The panes of a game's screen but for the board: log, players, title, banner and footer.

Each is rendered as rows for a given size. The board has its own package, and the places of all
panes are in `screen.layout`. The screens of games and records, and dialogs, may import it.
"""
