"""Review of recorded games: the worth of their positions, the moves that lost, and better ones.

`judging` goes through a game with a judge, `review` makes findings of it. Judges and facts are the
game's (`games.abilities`), or a search's. Clients, the server and the wire import this; it imports
games.
"""
