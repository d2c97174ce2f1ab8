"""The messages that tell an agent of a game: the start, every line, and the end."""

from collections.abc import Iterator, Sequence

from boxroom_engine.games.dots import Border, Dots, Position
from boxroom_engine.games.protocol import Game, Seat
from boxroom_engine.games.record import play_token
from boxroom_lab.agents.messages import (
    ActionMessage,
    EndMessage,
    GameName,
    Location,
    Orientation,
    Player,
    StartMessage,
    line_of,
)


def unsupported_reason(game: Game) -> str | None:
    """Return the reason why agents can't play `game`; None if they can."""
    if isinstance(game, Dots) and game.seats == 2 and game.border is Border.NONE:
        return None
    return "agents play Dots and Boxes for two, on a board that begins empty"


def player_in(seat: Seat) -> Player:
    """Return the protocol's number of the player in `seat`."""
    return 1 if seat == 0 else 2


class GameFeed:
    """The messages about one game for the agent in `seat`, and the part that it has got.

    The agent knows the game as `name`.
    """

    def __init__(self, game: Dots, name: GameName, seat: Seat) -> None:
        self._name = name
        self._player = player_in(seat)
        # The position after all tokens that the agent knows.
        self._state: Position = game.initial()
        # The moves and withdrawals that the agent knows.
        self._tokens: tuple[str, ...] = ()

    def start_message(self, limit_s: float) -> StartMessage:
        """Return the start message, with `limit_s` seconds for each answer."""
        game = self._state.game
        return StartMessage(self._player, limit_s, (game.rows, game.cols), self._name)

    def is_prefix_of(self, tokens: Sequence[str]) -> bool:
        """Whether the tokens that the agent knows are the beginning of `tokens`."""
        return self._tokens == tuple(tokens[: len(self._tokens)])

    def new_messages(self, tokens: Sequence[str]) -> Iterator[ActionMessage | EndMessage]:
        """Yield messages about what is new in `tokens`, all moves and withdrawals of the game.

        For every line but the last, the other player is named as next, even if it wasn't: an agent
        that joins a running game must answer only in its present position.
        """
        for number in range(len(self._tokens), len(tokens)):
            is_last = number == len(tokens) - 1
            before, token = self._state, tokens[number]
            after = play_token(before, token)
            assert isinstance(after, Position)
            self._state = after
            if after.is_over:
                yield self._end(before, token)
            else:
                yield self._action(before, token, is_last=is_last)
        self._tokens = tuple(tokens)

    def _action(self, before: Position, token: str, *, is_last: bool) -> ActionMessage:
        assert before.to_move is not None
        assert self._state.to_move is not None
        location, orientation = self._line(token)
        return ActionMessage(
            location,
            orientation,
            self._name,
            player_in(before.to_move),
            player_in(self._state.to_move) if is_last else 3 - self._player,
            self._score,
        )

    def _end(self, before: Position, token: str) -> EndMessage:
        outcome = self._state.outcome
        assert outcome is not None
        winner = player_in(outcome.winners[0]) if len(outcome.winners) == 1 else 0
        if token.startswith("~"):
            return EndMessage(self._name, winner)
        assert before.to_move is not None
        location, orientation = self._line(token)
        mover = player_in(before.to_move)
        return EndMessage(self._name, winner, mover, 0, self._score, location, orientation)

    def _line(self, token: str) -> tuple[Location, Orientation]:
        game = self._state.game
        return line_of(game.grid, game.parse_move(token))

    @property
    def _score(self) -> tuple[int, int]:
        first, second = self._state.scores
        return first, second
