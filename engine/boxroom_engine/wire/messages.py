"""Messages of the protocol, in both directions; docs/reference/protocol.md explains them.

A message is one JSON object with a `type`. Client messages have an `id`, which the answer repeats,
but for `hello` and what may come before it. The commands of members are those of
`boxroom_engine.room.commands`.
"""

from typing import Annotated, Self

from msgspec import Meta, Struct, field

from boxroom_engine.games.geometry import BoardShape, Geometry, Heap, Men
from boxroom_engine.phrases import Phrase
from boxroom_engine.review.position import JudgedPosition
from boxroom_engine.review.review import Review
from boxroom_engine.room.commands import AnyMemberCommand, CommandId, Text
from boxroom_engine.room.events import Event
from boxroom_engine.room.powers import Power
from boxroom_engine.room.room import (
    Audience,
    GameName,
    GameOptions,
    RequestedSettings,
    SeatCount,
    Settings,
)
from boxroom_engine.room.view import Snapshot
from boxroom_engine.wire.links import GAME_LINK
from boxroom_engine.wire.recognition import NO_CHANNEL

PROTOCOL = 1
"""Protocol version; it changes when older clients would misunderstand a newer server."""

MOST_BEFORE_HELLO = 20
"""Messages before the hello that a server answers on one connection."""

MOST_QR_TEXT = 200
"""Characters of a text for which a server makes a QR code: more than a link to a room has."""

CLOSE_BAD_GREETING = 4000
"""The first message wasn't a valid `hello`, or came too late."""
CLOSE_REPLACED = 4001
"""The same person connected again, and the new connection replaced this one."""
CLOSE_NOT_WELCOME = 4003
"""The server's operator banned the name or the address, or released the name."""
CLOSE_TOO_FAST = 1008
"""The client kept sending messages or frames too fast (RFC 6455, 7.4.1: policy violation)."""

Seq = Annotated[int, Meta(ge=0, le=2**53 - 1)]
RoomName = Annotated[str, Meta(min_length=1, max_length=100)]
Secret = Annotated[str, Meta(min_length=16, max_length=200)]
Token = Annotated[str, Meta(min_length=8, max_length=100)]
Nonce = Annotated[str, Meta(pattern="^[0-9A-Za-z_-]{16,100}$")]
Channel = Annotated[str, Meta(pattern=r"^[!-~]{0,200}$")]
Proof = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Link = Annotated[str, Meta(pattern=f"^{GAME_LINK.pattern}$")]
Masked = Annotated[str, Meta(pattern="^[0-9A-Za-z_-]{16,200}$")]


class Request(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """Base of the requests to the server; the client chooses `id`, and the answer repeats it."""

    id: CommandId


class Challenge(
    Struct, frozen=True, gc=False, tag="challenge", forbid_unknown_fields=True, omit_defaults=True
):
    """A request before `hello`: the server is to prove that it knows the owner of `name`.

    `nonce` is random. `channel` is the server's end of the connection, as the client sees it; see
    `recognition`.
    """

    name: Text
    nonce: Nonce
    channel: Channel = NO_CHANNEL


class SeeGame(Struct, frozen=True, gc=False, tag="see_game", forbid_unknown_fields=True):
    """A request before `hello`: the finished game with that `link`, which everybody may see."""

    link: Link


class TakeIdentity(Struct, frozen=True, gc=False, tag="take_identity", forbid_unknown_fields=True):
    """A request before `hello`: the identity that another device offers under `code`, once."""

    code: Annotated[str, Meta(max_length=100)]


class Hello(Struct, frozen=True, gc=False, tag="hello", omit_defaults=True):
    """Greeting of a client: its name, its secret and its protocol version.

    `secret` is random; on this server the name belongs to the first secret that came with it.
    Instead of it, `proof` is the client's answer to the last `ServerProof`. The server ignores
    unknown fields, so that only `protocol` decides about compatibility.
    """

    protocol: Annotated[int, Meta(ge=0, le=2**31)]
    name: Text
    secret: Secret | None = None
    client: Annotated[str, Meta(max_length=100)] = ""
    knows: Annotated[tuple[Annotated[str, Meta(max_length=40)], ...], Meta(max_length=50)] = ()
    """Parts of the protocol that the client knows; see `boxroom_engine.wire.parts`."""
    proof: Proof | None = None


class ListRooms(Request, frozen=True, tag="list_rooms"):
    """Ask for a page of the list of open rooms: the first, or the one `after` the last answer's."""

    after: Annotated[str, Meta(max_length=200)] = ""


class WatchRooms(Request, frozen=True, tag="watch_rooms"):
    """Ask for the changes of the list of open rooms, or with `on` false for no more of them.

    They come as `RoomsChanged`, until the client enters a room.
    """

    on: bool = True


class LookAtRoom(Request, frozen=True, tag="look"):
    """Ask for the entry of one room in the list, also of a room that the list omits.

    With `board` the answer also has the game of a public room.
    """

    room: RoomName
    board: bool = False


class Ping(Request, frozen=True, tag="ping"):
    """Ask for a sign of life and the server's time; for clients that can't send WebSocket pings."""


class CreateRoom(Request, frozen=True, tag="create_room"):
    """Create a room and enter it as its host.

    `token` is random; a repeated request with the same token leads to the same room.
    """

    token: Token
    settings: RequestedSettings = RequestedSettings()
    room: RoomName | None = None
    password: Annotated[str, Meta(min_length=1, max_length=200)] | None = None
    watch: bool = False


class JoinRoom(Request, frozen=True, tag="join_room"):
    """Enter a room, or come back to it.

    To resume, give `after`, the number of the last event received, and `log`, the room's `log`.
    To go on under another name, greet with that, and give the `former_name`.
    """

    room: RoomName
    password: Annotated[str, Meta(max_length=200)] | None = None
    watch: bool = False
    after: Seq | None = None
    log: Annotated[str, Meta(max_length=100)] | None = None
    former_name: Annotated[str, Meta(max_length=200)] | None = None


class ListGames(Request, frozen=True, tag="list_games"):
    """Ask for a page of the finished games that this name took part in, the newest first.

    The first page, or the one `after` the last answer's.
    """

    after: Annotated[str, Meta(max_length=40)] = ""


class GetGame(Request, frozen=True, tag="get_game"):
    """Ask for the record of a finished game that this name took part in."""

    game: Annotated[int, Meta(ge=1, le=2**53 - 1)]


class GetReview(Request, frozen=True, tag="get_review"):
    """Ask for the review of a game that can be reviewed: costly moves, and better ones.

    It is the finished game number `game` that this name took part in, or the one with that `link`;
    if both are null, the game on the board of the room, which must be over. Answers to later
    messages may come before this one's.
    """

    game: Annotated[int, Meta(ge=1, le=2**53 - 1)] | None = None
    link: Link | None = None


class AskJudgement(Request, frozen=True, tag="judge"):
    """Ask for the judgement of one position: its best moves and, with `move`, what that costs.

    With `all_moves` also for the cost of each legal move, as far as it is known in time.
    `ply` is the number of moves and withdrawals before it, in the game that `game` or `link` names
    as in `GetReview`, else in the one on the board of the room. While that runs, only the player
    to move may ask, about the present position, after a hint. Answers to later messages may come
    before this one's.
    """

    ply: Annotated[int, Meta(ge=0, le=2**53 - 1)]
    move: Annotated[str, Meta(max_length=200)] | None = None
    all_moves: bool = False
    game: Annotated[int, Meta(ge=1, le=2**53 - 1)] | None = None
    link: Link | None = None


class GetGeometry(Request, frozen=True, tag="get_geometry"):
    """Ask for the shapes of a game's board, from which a client draws any game."""

    game: GameName
    options: GameOptions = {}
    seats: SeatCount = 2


class GetPowers(Request, frozen=True, tag="get_powers"):
    """Ask for what you can do as the host of the room."""


class GetQrCode(Request, frozen=True, tag="get_qr_code"):
    """Ask for the QR code of a text, such as a link to a room."""

    text: Annotated[str, Meta(min_length=1, max_length=MOST_QR_TEXT)]


class OfferIdentity(Request, frozen=True, tag="offer_identity"):
    """Offer this identity to another device of the same person.

    `masked` is the secret, masked by a pad of the same length that the server doesn't know.
    """

    masked: Masked


AnyRequest = (
    ListRooms
    | WatchRooms
    | LookAtRoom
    | Ping
    | CreateRoom
    | JoinRoom
    | ListGames
    | GetGame
    | GetReview
    | AskJudgement
    | GetGeometry
    | GetPowers
    | GetQrCode
    | OfferIdentity
)
Greeting = Challenge | TakeIdentity | SeeGame | Hello
ClientMessage = Greeting | AnyRequest | AnyMemberCommand


class OptionOffered(Struct, frozen=True, gc=False, omit_defaults=True):
    """An option of a game or a bot: a number in `least..most`, or a word.

    A word is one of `choices` if there are any. A number is a whole one, but that of a bot's option
    may be decimal.
    """

    name: str
    help: str
    default: int | float | str
    least: int | float | None = None
    most: int | float | None = None
    choices: tuple[str, ...] = ()


class GameOffered(Struct, frozen=True, gc=False, omit_defaults=True):
    """A game that the server offers, with its options and the bots that can play it."""

    game: str
    title: str
    bots: tuple[str, ...]
    rules: str = ""
    """The rules in two or three sentences."""
    options: tuple[OptionOffered, ...] = ()
    least_seats: int = 2
    most_seats: int | None = None
    """Most seats of the game; null: as many as the server allows."""
    prize: tuple[str, str] | None = None
    """Singular and plural of what moves can win, such as boxes."""
    marks: str = ""
    """One character for each possible seat if the game has marks of its own."""
    levels: tuple[str, ...] = ()
    """Those of `bots` that are levels, the weakest first."""
    bot_options: dict[str, tuple[OptionOffered, ...]] = {}
    """Options of those of `bots` that have any."""
    reviewed: tuple[int, ...] = ()
    """Numbers of seats with which a finished game can be reviewed."""
    only_the_win_counts: bool = False
    """Whether it doesn't matter by how much a game is won."""


class ServerProof(Struct, frozen=True, gc=False, tag="server_proof"):
    """Answer to `challenge`: a random `nonce`, and the proof that the server knows the owner."""

    nonce: Nonce
    proof: Proof


class OfferedIdentity(Struct, frozen=True, gc=False, tag="identity"):
    """Answer to `take_identity`: a name, and the masked secret that owns it."""

    name: str
    masked: Masked


class Welcome(Struct, frozen=True, gc=False, tag="welcome"):
    """Answer to `hello`: the name as the server spells it, and the games that it offers."""

    protocol: int
    server: str
    name: str
    games: tuple[GameOffered, ...]
    now_ms: int
    """The server's time."""
    message_bytes: int
    """Most bytes of a message that it takes."""
    page: str | None = None
    """The link to its page for browsers; empty: at its own address; null: it has none."""


class Done(Struct, frozen=True, gc=False, tag="done"):
    """The server has done the request or command `id`; `seq` is the number of its last event."""

    id: int
    seq: int


class Refused(Struct, frozen=True, gc=False, tag="refused", omit_defaults=True):
    """The server refused the message `id` (0: unknown), which changed nothing; with the reason."""

    id: int
    code: str
    message: str
    """The reason in English."""
    phrase: Phrase | None = None
    """The reason in no language yet, for clients that know the phrase."""


class Elsewhere(Struct, frozen=True, gc=False, tag="elsewhere"):
    """The members of a room are at another server of the cluster, which the balancer calls `at`.

    It answers the request `id` to come in, which has to be sent there. With the id 0 it asks a
    member to come over to the others; until then the member stays in the room.
    """

    id: int
    at: str


class RoomListed(Struct, frozen=True, gc=False, omit_defaults=True):
    """An entry of the list of rooms: the settings of a room, and how full it is."""

    room: str
    settings: Settings
    phase: str
    host: str | None
    people: int
    bots: int
    empty_seats: int
    spectators: int
    at: str = ""
    """Name of the server of the cluster at which its members meet; "" if it doesn't matter."""


class Rooms(Struct, frozen=True, gc=False, tag="rooms", omit_defaults=True):
    """Answer to `list_rooms`: a page of the open rooms, those with an empty seat first.

    `next` asks for the following page, as `after`; without it there is none. As the answer to
    `look` it has the one room.
    """

    id: int
    rooms: tuple[RoomListed, ...]
    next: str = ""
    board: Snapshot | None = None
    """The game of that room as in `InRoom`, if it was asked for, and has begun in a public room.

    It has the room's code and settings, and those fields that belong to the game.
    """


class RoomsChanged(Struct, frozen=True, gc=False, tag="rooms_changed"):
    """Changes of the list of open rooms, for clients that asked for them by `watch_rooms`.

    `rooms` are new in it or have changed, `gone` are the codes of those that left it.
    """

    rooms: tuple[RoomListed, ...]
    gone: tuple[str, ...]


class Pong(Struct, frozen=True, gc=False, tag="pong"):
    """Answer to `ping`, with the server's time."""

    id: int
    now_ms: int


class GameListed(Struct, frozen=True, gc=False, omit_defaults=True):
    """An entry of the list of finished games."""

    game: int
    """Its number on this server."""
    room: str
    ended_ms: int
    kind: str
    """Name and options of the game, as in its record: `dots rows=5 cols=5 border=none`."""
    players: tuple[str, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    """Seats of the winners."""
    link: str = ""
    """Random name under which everybody may see it; without one only its players may."""


class Games(Struct, frozen=True, gc=False, tag="games", omit_defaults=True):
    """Answer to `list_games`: a page of finished games, the newest first.

    `next` asks for the following page, as `after`; without it there is none.
    """

    id: int
    games: tuple[GameListed, ...]
    next: str = ""


class GameRecord(Struct, frozen=True, gc=False, tag="game_record", omit_defaults=True):
    """Answer to `get_game` and, with the id 0, to `see_game`: the game, and its record."""

    id: int
    game: GameListed
    record: str
    room: Snapshot | None = None
    """The end of the game as in `InRoom`, for clients that don't know the rules.

    It has the room's code, the settings of the board, and those fields that belong to the game.
    After `get_game` the one who asks is the member in the own seats. Null: the server can't play
    the record.
    """


class GameReview(Review, frozen=True, kw_only=True, tag="review", omit_defaults=True):
    """Answer to `get_review`."""

    id: int
    words: dict[str, str] = field(default_factory=dict)
    """The field's words that explain facts, each with its meaning in English."""


class PositionJudgement(JudgedPosition, frozen=True, kw_only=True, tag="judgement"):
    """Answer to `judge`."""

    id: int
    ply: int
    words: dict[str, str] = field(default_factory=dict)
    """As in `GameReview`."""


class Powers(Struct, frozen=True, gc=False, tag="powers"):
    """Answer to `get_powers`: what the host can do now, and why not the rest; empty for others."""

    id: int
    powers: tuple[Power, ...]


class QrCode(Struct, frozen=True, gc=False, tag="qr_code"):
    """Answer to `get_qr_code`: the rows of the code with its light border; 1 is dark, 0 light."""

    id: int
    rows: tuple[str, ...]


class GameGeometry(Struct, frozen=True, gc=False, tag="geometry", omit_defaults=True):
    """Answer to `get_geometry`: the shapes of a board; see `boxroom_engine.games.geometry`."""

    id: int
    width: int
    height: int
    shapes: tuple[BoardShape, ...]
    heap: Heap | None = None
    row: int = 0
    men: tuple[Men, ...] = ()

    @classmethod
    def of(cls, message_id: int, geometry: Geometry) -> Self:
        """Return the answer to message `message_id`."""
        return cls(
            message_id,
            geometry.width,
            geometry.height,
            geometry.shapes,
            geometry.heap,
            geometry.row,
            geometry.men,
        )


class IdentityOffered(Struct, frozen=True, gc=False, tag="identity_offered"):
    """Answer to `offer_identity`: the code that takes it, once and until `expires_ms`."""

    id: int
    code: str
    expires_ms: int


class InRoom(Struct, frozen=True, gc=False, tag="in_room"):
    """You have entered a room; `room` is its whole state, and events follow from `room.seq + 1`.

    `last_id` is the greatest id of your accepted commands in this room; use greater ones.
    """

    you: str
    audience: Audience
    last_id: int
    room: Snapshot
    now_ms: int
    """The server's time."""


class Resumed(Struct, frozen=True, gc=False, tag="resumed"):
    """You have resumed a room; the events that you missed follow, from `after + 1`."""

    you: str
    room: str
    after: int
    last_id: int
    audience: Audience
    """The audience to which you belong when you receive this."""


class Events(Struct, frozen=True, gc=False, tag="events"):
    """Events of the room with the numbers `seq`, `seq + 1` and so on."""

    seq: int
    at_ms: int
    events: tuple[Event, ...]


class Thinking(Struct, frozen=True, gc=False, tag="thinking"):
    """A bot has begun to think for `seat`. This is no event of the log, so it has no number."""

    seat: int
    bot: str


class Hint(Struct, frozen=True, gc=False, tag="hint"):
    """The move that `bot` suggests for `seat` in the position with this `ply` of game `game`.

    Only the player who asked receives it. It is no event of the log, so it has no number.
    """

    seat: int
    move: str
    ply: int
    game: int
    bot: str


class Coaching(Struct, frozen=True, gc=False, tag="coaching", omit_defaults=True):
    """The coach's words for the player of `seat`, who alone receives them; no event of the log.

    In a running game they are about the player's last `move`, which changed who wins. With
    `can_undo` it can be taken back. After the game they name a `theme` to practise, if there is
    one.
    """

    seat: int
    game: int
    message: str
    """The words in English."""
    phrase: Phrase
    """The words in no language yet."""
    move: str | None = None
    can_undo: bool = False
    theme: str | None = None


class Notice(Struct, frozen=True, gc=False, tag="notice", omit_defaults=True):
    """A notice outside the log, for example that the server is about to stop.

    If `retry_ms` is given, reconnect after that time; each client gets another one.
    """

    code: str
    message: str
    """The notice in English."""
    retry_ms: int | None = None
    phrase: Phrase | None = None
    """The notice in no language yet, for clients that know the phrase."""


ServerMessage = (
    ServerProof
    | OfferedIdentity
    | Welcome
    | Done
    | Refused
    | Elsewhere
    | Rooms
    | RoomsChanged
    | Pong
    | Games
    | GameRecord
    | GameReview
    | PositionJudgement
    | GameGeometry
    | Powers
    | QrCode
    | IdentityOffered
    | InRoom
    | Resumed
    | Events
    | Thinking
    | Hint
    | Coaching
    | Notice
)
