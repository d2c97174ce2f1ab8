"""Table of all commands of `boxroom`. Importing it imports none of their modules."""

from collections.abc import Mapping
from typing import NamedTuple


class Subcommand(NamedTuple):
    """Module of a command, and its help in one line.

    The module has `parser()`, which returns the parser of the command line, and `run(args)`,
    which returns the exit code.
    """

    module: str
    help: str


COMMANDS: Mapping[str, Subcommand] = {
    "menu": Subcommand("boxroom_client.cli.menu", "choose what to do: the same as no command"),
    "play": Subcommand(
        "boxroom_client.cli.play", "play here: against bots, or several at a keyboard"
    ),
    "join": Subcommand("boxroom_client.cli.join", "join people on a server"),
    "host": Subcommand("boxroom_client.cli.host", "host a room for others, and play in it"),
    "serve": Subcommand("boxroom_server.cli.serve", "host rooms that others join"),
    "admin": Subcommand("boxroom_server.cli.admin", "inspect and control a running server"),
    "games": Subcommand("boxroom_server.cli.games", "the finished games of a server"),
    "backup": Subcommand("boxroom_server.cli.backup", "copy all data of a server into a file"),
    "history": Subcommand(
        "boxroom_client.cli.history", "the games that you have played, here and on servers"
    ),
    "rating": Subcommand(
        "boxroom_client.cli.rating", "your record against each level, and your rating"
    ),
    "lesson": Subcommand("boxroom_client.cli.lesson", "learn the game, from the first line on"),
    "puzzle": Subcommand("boxroom_client.cli.puzzle", "find the line that wins: ten puzzles a day"),
    "mistakes": Subcommand("boxroom_client.cli.mistakes", "the ideas by which you lose boxes"),
    "replay": Subcommand("boxroom_client.cli.replay", "look at a recorded game"),
    "analyse": Subcommand(
        "boxroom_lab.cli.analyse", "find the moves that lost points in a recorded game"
    ),
    "solve": Subcommand(
        "boxroom_lab.cli.solve", "the value of a position, and the best moves in it"
    ),
    "perfect": Subcommand(
        "boxroom_lab.cli.perfect", "a game in which every player plays perfectly"
    ),
    "tree": Subcommand("boxroom_lab.cli.tree", "the tree of a game, with the values of moves"),
    "draw": Subcommand("boxroom_lab.cli.draw", "draw a recorded game, or a position of it"),
    "arena": Subcommand("boxroom_lab.cli.arena", "let bots play each other, and rate them"),
    "robot": Subcommand("boxroom_lab.cli.robot", "seat a robot of yours in a room"),
    "config": Subcommand(
        "boxroom_client.cli.config", "show your settings and where they come from"
    ),
}
"""All commands by name, in the order of the overview."""
