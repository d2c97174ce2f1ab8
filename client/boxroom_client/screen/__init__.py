"""The full screen: the client that shows board, players, log and input on the whole terminal.

The game's screen is here (controller, view model, renderer, layout) with what all screens share;
packages hold its panes, the screens before a game, and the replay of records. Rules and
sentences are in the engine and in `shell`. Only `cli` imports it.
"""
