"""Write docs/sentence-vectors.json: what people read about the events of the mirror vectors.

An object has the place of a vector in docs/mirror-vectors.json, and for each language the sentences
by reader, and what can be played afterwards. The reader "" isn't in the room; members are named if
they read something else. Beside the vectors stand the games as the server offers them, and the time
from which on a player can be nudged.
"""

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct
from msgspec.json import encode
from scripts.write_mirror_vectors import MirrorVector, all_vectors

from boxroom_client.shell.output.board_in_words import turn_in_words
from boxroom_client.shell.output.narrate import narrate
from boxroom_common.phrases import ENGLISH, LANGUAGES, use_language
from boxroom_engine.room.evolve import evolve
from boxroom_engine.room.room import NUDGE_AFTER_MS, Audience
from boxroom_engine.room.view import room_from_snapshot
from boxroom_server.games_offered import GAMES_OFFERED

FILE = Path(__file__).resolve().parents[1] / "docs" / "sentence-vectors.json"

_OUTSIDER = ""

Sentences = Mapping[str, tuple[str, ...]]
"""Sentences by the name of who reads them."""


class SentenceVector(Struct, frozen=True):
    """The sentences about a mirror vector, by language and reader."""

    vector: int
    """Its place in docs/mirror-vectors.json, from 0."""
    sentences: dict[str, Sentences]
    turn: dict[str, str]
    """Sentences about the moves that can be played next, by language; empty if nothing is said."""


def sentence_vectors() -> list[SentenceVector]:
    """Return a vector for each mirror vector of players that people read something about."""
    found = []
    for number, vector in enumerate(all_vectors()):
        sentences = {language: _in(language, vector) for language in LANGUAGES}
        if vector.audience is Audience.PLAYER and any(sentences[ENGLISH].values()):
            turn = {language: _turn_in(language, vector) for language in LANGUAGES}
            found.append(SentenceVector(number, sentences, turn))
    return found


def _turn_in(language: str, vector: MirrorVector) -> str:
    state = room_from_snapshot(vector.after).running
    if state is None:
        return ""
    use_language(language)
    try:
        return turn_in_words(state)
    finally:
        use_language(ENGLISH)


def _in(language: str, vector: MirrorVector) -> Sentences:
    use_language(language)
    try:
        neutral = _read_by(_OUTSIDER, vector)
        readers = {member.name for member in (*vector.before.members, *vector.after.members)}
        own = {reader: _read_by(reader, vector) for reader in sorted(readers)}
    finally:
        use_language(ENGLISH)
    return {_OUTSIDER: neutral} | {name: said for name, said in own.items() if said != neutral}


def _read_by(reader: str, vector: MirrorVector) -> tuple[str, ...]:
    room = room_from_snapshot(vector.before)
    sentences: tuple[str, ...] = ()
    for event in vector.events.events:
        after = evolve(room, event, vector.events.at_ms)
        sentences += narrate(event, room, after, reader)
        room = after
    return sentences


def vectors_text() -> str:
    """Return the text of docs/sentence-vectors.json, with a vector in each line."""
    vectors = ",\n".join(encode(vector).decode() for vector in sentence_vectors())
    nudge = f'"nudge_after_ms":{NUDGE_AFTER_MS}'
    return f'{{{nudge},"games":{encode(GAMES_OFFERED).decode()},"vectors":[\n{vectors}\n]}}\n'


if __name__ == "__main__":
    FILE.write_text(vectors_text(), encoding="utf-8")
