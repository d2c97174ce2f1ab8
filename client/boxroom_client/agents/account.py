"""A game, as an agent is told of it: from the start, line after line, to the end."""

from collections.abc import Iterator, Sequence

from boxroom_client.agents.messages import (
    Action,
    End,
    GameName,
    Location,
    Orientation,
    Player,
    Start,
    line_of,
)
from boxroom_engine.games.dots import Border, Dots, Position
from boxroom_engine.games.protocol import Game, Seat
from boxroom_engine.games.record import play_token


def hindrance(game: Game) -> str | None:
    """Why agents can't play `game`; None if they can."""
    if isinstance(game, Dots) and game.seats == 2 and game.border is Border.NONE:
        return None
    return "agents play Dots and Boxes for two, on a board that begins empty"


def player_in(seat: Seat) -> Player:
    """The number that the protocol has for the player in `seat`."""
    return 1 if seat == 0 else 2


class Account:
    """What the agent that plays in `seat` has been told of a game, which it knows as `name`."""

    def __init__(self, game: Dots, name: GameName, seat: Seat) -> None:
        self._name = name
        self._player = player_in(seat)
        self._state: Position = game.initial()
        self._tokens: tuple[str, ...] = ()

    def start(self, limit_s: float) -> Start:
        """How it begins, with so many seconds for each answer."""
        game = self._state.game
        return Start(self._player, limit_s, (game.rows, game.cols), self._name)

    def leads_to(self, tokens: Sequence[str]) -> bool:
        """Whether what has been told is the beginning of `tokens`."""
        return self._tokens == tuple(tokens[: len(self._tokens)])

    def news(self, tokens: Sequence[str]) -> Iterator[Action | End]:
        """What is new in `tokens`, the moves and withdrawals of the whole game so far.

        Of a line that isn't the last one the other player is said to be next, whoever it was: an
        agent that is told of a game which has begun is to play where it stands, not where it was.
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

    def _action(self, before: Position, token: str, *, is_last: bool) -> Action:
        assert before.to_move is not None
        assert self._state.to_move is not None
        location, orientation = self._line(token)
        return Action(
            location,
            orientation,
            self._name,
            player_in(before.to_move),
            player_in(self._state.to_move) if is_last else 3 - self._player,
            self._score,
        )

    def _end(self, before: Position, token: str) -> End:
        outcome = self._state.outcome
        assert outcome is not None
        winner = player_in(outcome.winners[0]) if len(outcome.winners) == 1 else 0
        if token.startswith("~"):
            return End(self._name, winner)
        assert before.to_move is not None
        location, orientation = self._line(token)
        mover = player_in(before.to_move)
        return End(self._name, winner, mover, 0, self._score, location, orientation)

    def _line(self, token: str) -> tuple[Location, Orientation]:
        game = self._state.game
        return line_of(game.grid, game.parse_move(token))

    @property
    def _score(self) -> tuple[int, int]:
        first, second = self._state.scores
        return first, second
