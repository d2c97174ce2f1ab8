"""The protocol for agents: messages as servers and agents write them, and names of lines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each
from tests.lab.agents.course import lines_of

from boxroom_engine.games.dots import Border, grid_of
from boxroom_lab.agents.messages import (
    ActionMessage,
    AnswerMessage,
    EndMessage,
    InvalidMessage,
    NoSuchLine,
    StartMessage,
    decode_answer,
    decode_game_message,
    encode,
    line_of,
    move_of,
)

MESSAGES = [
    (
        '{"type":"start","player":1,"timelimit":0.5,"grid":[5,4],"game":"id"}',
        StartMessage(1, 0.5, (5, 4), "id"),
    ),
    (
        '{"type":"action","location":[1,2],"orientation":"v","game":7,"player":1,"nextplayer":2}',
        ActionMessage((1, 2), "v", 7, 1, 2),
    ),
    ('{"type":"end","game":"id","winner":0}', EndMessage("id", 0)),
    (
        '{"type":"end","game":"","winner":1,"score":[3,1],"location":[0,0],"orientation":"h"}',
        EndMessage("", 1, None, None, (3, 1), (0, 0), "h"),
    ),
]


@each("text, message", MESSAGES)
def test_a_message_is_decoded_and_encoded_again(
    text: str, message: StartMessage | ActionMessage | EndMessage
) -> None:
    assert decode_game_message(text) == message
    assert encode(message) == text


def test_an_answer_reads_as_it_is_written() -> None:
    text = '{"type":"action","location":[1,2],"orientation":"h"}'
    assert decode_answer(text) == AnswerMessage((1, 2), "h")
    assert encode(AnswerMessage((1, 2), "h")) == text


def test_unknown_fields_are_ignored() -> None:
    text = '{"type":"start","player":2,"timelimit":1,"grid":[2,2],"game":1,"round":3}'
    assert decode_game_message(text) == StartMessage(2, 1.0, (2, 2), 1)


@each(
    "text",
    [
        "",
        "{",
        b"\xff",
        "[]",
        '{"type":"hello"}',
        '{"type":"start","player":3,"timelimit":1,"grid":[2,2],"game":1}',
        '{"type":"start","player":1,"timelimit":0,"grid":[2,2],"game":1}',
        '{"type":"start","player":1,"timelimit":1,"grid":[2],"game":1}',
        '{"type":"start","player":1,"timelimit":1,"grid":[0,2],"game":1}',
        '{"type":"action","location":[0,0],"orientation":"v"}',
    ],
)
def test_other_texts_are_no_messages(text: str | bytes) -> None:
    with pytest.raises(InvalidMessage):
        decode_game_message(text)


@each(
    "text",
    [
        "h3",
        b"\xff",
        '{"type":"action"}',
        '{"type":"action","location":[-1,0],"orientation":"v"}',
        '{"type":"action","location":[0,0],"orientation":"x"}',
        '{"type":"end","game":1,"winner":0}',
    ],
)
def test_other_texts_are_no_answers(text: str | bytes) -> None:
    with pytest.raises(InvalidMessage):
        decode_answer(text)


def test_lines_are_named_by_their_upper_or_left_dot() -> None:
    grid = grid_of(2, 3, Border.NONE)
    names = {"h0": ((0, 0), "h"), "h8": ((2, 2), "h"), "v0": ((0, 0), "v"), "v7": ((1, 3), "v")}
    assert {name: line_of(grid, grid.by_name[name]) for name in names} == names


@given(st.integers(1, 6), st.integers(1, 6))
def test_every_edge_has_a_name_of_its_own(rows: int, cols: int) -> None:
    grid = grid_of(rows, cols, Border.NONE)
    named = {move: line_of(grid, move) for move in grid.moves}
    assert {(*location, way) for location, way in named.values()} == lines_of(rows, cols)
    assert all(move_of(grid, *line) == move for move, line in named.items())


@each("place", [((3, 0), "h"), ((0, 3), "h"), ((2, 0), "v"), ((0, 4), "v")])
def test_lines_beyond_the_board_are_refused(place: tuple[tuple[int, int], str]) -> None:
    location, orientation = place
    with pytest.raises(NoSuchLine, match="isn't on a board of 2×3: rows go from 0 to "):
        move_of(grid_of(2, 3, Border.NONE), location, orientation)  # type: ignore[arg-type]
