"""The tables of languages, not the code of engine and server, have what players read."""

import ast
from pathlib import Path

from tests.cases import each
from tests.sentences_in_code import check_sentences, sentences

ROOT = Path(__file__).parents[2]

FOR_PLAYERS = (
    *("engine/boxroom_engine/bots", "engine/boxroom_engine/games", "engine/boxroom_engine/review"),
    *("engine/boxroom_engine/room", "engine/boxroom_engine/wire", "server/boxroom_server/bots"),
    *("server/boxroom_server/people", "server/boxroom_server/rooms"),
    *("server/boxroom_server/games_offered.py", "server/boxroom_server/hello.py"),
    *("server/boxroom_server/reviews.py", "server/boxroom_server/session.py"),
)
"""Modules, and folders of modules, with what people in rooms read; not those of operators."""

EXCUSED_CALLS = {
    *("debug", "info", "warning", "error", "exception"),  # of logs
    *("AssertionError", "TypeError", "ValueError", "RuntimeError"),  # of mistakes in programs
    *("FormatError", "MessageError"),  # of files, of commands, and of programs of others
    *("NoRobot", "RobotRaised"),  # for authors of robots
}
"""Functions and errors whose texts are English."""

EXCUSED_MODULES = {
    "engine/boxroom_engine/games/dots/theory/glossary.py": "words, which are keys of phrases",
    "engine/boxroom_engine/games/draughts/pdn_text.py": "of files in PDN",
    "engine/boxroom_engine/games/picture.py": "in SVG, for notebooks and documents",
    "engine/boxroom_engine/wire/links.py": "of addresses that operators set",
    "engine/boxroom_engine/wire/origins.py": "of addresses that operators set",
    "engine/boxroom_engine/wire/schema.py": "of the schema, for authors of clients",
}
"""Modules with other texts, by their reason."""

EXCUSED_TEXTS = {
    "parts of a FormatError": {
        *("no limit", "a limit of 0 plies", "0 in a row", "it is '-'"),
        "it is a seat that hasn't withdrawn",
    },
    "an error in a robot, for its author": {"0 (0, line 0)"},
    "a mistake in another program's message": {"the message is nested too deeply"},
    "reasons of closed connections, which have no phrase, and clients know most by their codes": {
        *("internal error", "messages are text", "no hello came", "too many messages"),
        *("the server's operator has closed this room", "the room was closed"),
        "the server has lost the room for a moment: come in again",
        "another server thought that this one was gone: come in again",
        "you came in over another connection",
    },
    "an error of a store, which a refusal repeats": {"its log was lost for a moment"},
    "a text of a log": {"there is no hint in room %s: %r"},
    "a key of what a name has": {"name 0"},
    "types": {"tuple[GameOffered, ...]", "tuple[int, ...] | list[int]"},
}
"""Other texts, by their reason; 0 stands for values."""


def test_no_sentence_for_players_stands_in_code() -> None:
    check_sentences(
        ROOT,
        FOR_PLAYERS,
        excused_calls=EXCUSED_CALLS,
        excused_modules=EXCUSED_MODULES.keys(),
        excused_texts=EXCUSED_TEXTS.values(),
    )


@each(
    "code, found",
    [
        ('tell("Go on!")', {"Go on!"}),
        ('tell(f"Go on, {name}!")', {"Go on, 0!"}),
        ('tell(say("go.on"))', set()),
        ('"""Do it all."""', set()),
        ('FormatError(f"no {name} here")', set()),
        ('prompt = "boxroom join"', set()),
        ('style = "class:a class:b"', set()),
    ],
)
def test_sentences_are_found(code: str, found: set[str]) -> None:
    assert set(sentences(ast.parse(code), {"FormatError"})) == found
