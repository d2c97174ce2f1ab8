"""Reviews and judgements of the game on the board, asked of the server and shown to the person."""

from typing import Protocol, assert_never

from boxroom_client.shell.frontend import Link
from boxroom_client.shell.input.intents import Judge, ReviewGame
from boxroom_client.shell.output import describe
from boxroom_client.shell.output.facts import explained, judgement_in_words, review_in_words
from boxroom_common.phrases import say
from boxroom_engine.games.protocol import Seat
from boxroom_engine.games.record import is_withdrawal
from boxroom_engine.review.review import Review
from boxroom_engine.review.reviewed_game import ReviewedGame
from boxroom_engine.room.room import Phase, Room

_NO_REVIEW = Review((), first_judged=1)
"""Nothing is known of a game of which only single positions were judged."""


class ReviewView(Protocol):
    """The part of a shell that shows judgements."""

    @property
    def room(self) -> Room:
        """The room as far as it has been shown to the person."""

    @property
    def me(self) -> str:
        """Our name in it."""

    @property
    def reviewed(self) -> ReviewedGame | None:
        """The game that is stepped through; None if none is, or this shell doesn't do that."""

    def show_review(self, reviewed: ReviewedGame) -> None:
        """Show a position of a game that is over, with the moves marked that were better."""

    def say(self, *lines: str) -> None:
        """Show `lines`."""

    def show_error(self, sentence: str) -> None:
        """Show why something isn't possible."""


class Reviewer:
    """Asks over `link` about the game on the board, for the person who looks at `view`."""

    def __init__(self, link: Link, view: ReviewView) -> None:
        self._link = link
        self._view = view
        # Log and number of a game that is over, and the number of its move that was told last.
        self._told: tuple[str, int, int] | None = None

    def move_looked_at(self, room: Room) -> int | None:
        """Return the number of the move before which a game that is over is looked at.

        That is where the person has stepped to, else the move that was told last. None: neither.
        """
        shown = self._view.reviewed
        if shown is not None and shown.left().at < len(room.tokens):
            return shown.left().at + 1
        match self._told:
            case (room.log, room.game_number, number):
                return number
            case _:
                return None

    async def show(self, asked: ReviewGame | Judge) -> None:
        """Ask the server, and show what it answers; raise `CommandRefused` if it refuses."""
        match asked:
            case ReviewGame(every=every):
                await self._review(every=every)
            case Judge():
                await self._judge(asked)
            case _:
                assert_never(asked)

    async def _review(self, *, every: bool) -> None:
        """Show the costly moves of the game that mattered most, or `every` one."""
        view, room = self._view, self._view.room
        if describe.can_review(room):
            view.say(say("review_pending"))
        review = await self._link.review()
        now = view.room
        if not _is_same_game(now, room) or now.phase is not Phase.OVER:
            return
        mine = now.seats_of(view.me) or tuple(map(Seat, range(len(now.seats))))
        reviewed = _at_end(review, now)
        for finding in explained(review, mine)[:1]:
            reviewed = reviewed.moved(finding.number - len(reviewed.positions))
            self._told = now.log, now.game_number, finding.number
        view.show_review(reviewed)
        view.say(*review_in_words(review, now, view.me, every=every))
        if self.move_looked_at(now) is not None and now.host == view.me:
            view.say(say("advice.again"))

    async def _judge(self, asked: Judge) -> None:
        """Show the best moves of a position, and what the move that was played there costs."""
        view, room = self._view, self._view.room
        is_over = room.phase is Phase.OVER
        at = self.move_looked_at(room) if is_over else len(room.tokens) + 1
        if (number := asked.number or at) is None:
            view.show_error(say("terminal.typed.judge_which"))
            return
        move = asked.move or _played(room, number)
        judged = await self._link.judge(number - 1, move, all_moves=asked.every)
        if not _is_same_game(view.room, room) or (position := room.state) is None:
            return
        if is_over:
            shown = (view.reviewed or _at_end(_NO_REVIEW, room)).judged(number - 1, judged.best)
            position = shown.position
            self._told = room.log, room.game_number, number
            view.show_review(shown)
        view.say(*judgement_in_words(judged, position, number, room, view.me))


def _played(room: Room, number: int) -> str | None:
    """Return the move with that number in the game on the board; None if it has none."""
    token = next(iter(room.tokens[number - 1 : number]), None)
    return None if token is None or is_withdrawal(token) else token


def _is_same_game(room: Room, other: Room) -> bool:
    """Return whether both have the same game on their board, or none."""
    one, two = ((each.log, each.game_number, each.state is None) for each in (room, other))
    return one == two


def _at_end(review: Review, room: Room) -> ReviewedGame:
    """Return the game that is over in `room`, at its end, with its review."""
    assert room.record is not None
    positions = tuple(room.record.positions())
    return ReviewedGame(positions, review, len(positions) - 1)
