"""The files of the page: those that a wheel was built with, or in a checkout those made of sources.

A wheel has them in `built_page/`, without comments and needless white space
(scripts/minify_page.py). A checkout has the sources in `page/`; browsers get them bundled, with
all that people wrote, so that their developer tools show it.
"""

import json
from collections.abc import Iterator
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import PurePosixPath
from typing import Any

import msgspec

from boxroom_common.lessons import all_lessons
from boxroom_common.phrases import ENGLISH, LANGUAGES, table
from boxroom_common.puzzles import FILE
from boxroom_engine.review.lesson import Lesson
from boxroom_engine.review.puzzle import board_text
from boxroom_server.web.bundle import bundle, bundle_sheets

CONTENT_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
}
"""Content types by the suffix of a file; files with other suffixes aren't served."""

BUILT = "built_page"
"""The folder beside this module with the files that a wheel was built with."""

SCRIPT = "main.js"
"""The script that the document starts: the module of that name, and all that it imports."""

SHEET = "style.css"
"""The style sheet of the document, which imports all others."""

PUZZLES = "puzzles.txt"
"""The puzzles of Dots and Boxes, as the terminal has them."""

LESSONS = "lessons.json"
"""The lessons in their order, with the sentences of all languages."""

PHRASES = "phrases.js"
"""The module with the sentences of all languages, which is made of their tables.

It has the keys once, then the texts of one language after another: that compresses best.
"""

_OF_OTHERS = (
    *("address.", "advice.", "bot.", "caution.", "ended.", "game_rules.", "help.", "hint."),
    *("how_to_move.", "identity_link.", "invitation.", "member."),
    *("mistakes.none_of_theme", "mistakes.practise"),
    *("option.robot.", "puzzle.title", "room.", "rooms.", "ruler", "settings.of_host", "style."),
    "terminal.",
)
"""Beginnings of the keys of phrases of terminals and robots, which no page says or is told."""

_OF_PROGRAMS = (
    *("refusal.bad_message", "refusal.bad_name.room", "refusal.bad_option.after"),
    *("refusal.bad_option.form", "refusal.bad_option.private", "refusal.looks_alike.room"),
    *("refusal.not_a_spectator", "refusal.room_exists"),
    *("refusal.bad_text.secret", "refusal.cannot_follow", "refusal.greeted_already"),
    *("refusal.name_unknown", "refusal.no_hello", "refusal.no_such_seat"),
    *("refusal.not_recognised", "refusal.not_your_seat.bot", "refusal.other_channel"),
    *("refusal.stale.grace", "refusal.too_early.clock", "refusal.too_early.grace"),
    *("refusal.too_fast.hello", "refusal.too_old"),
    *("refusal.yourself", "move.dots.number", "move.draughts.number", "move.draughts.over_at_turn"),
    *("move.no_seat", "move.noughts.lesson", "move.over.", "move.stonehenge.number"),
    *("move.subtract-square.number", "move.turn.seat", "move.withdrawal", "move.withdrawn"),
    *("option.bounds", "option.choices", "option.digits", "option.dots.small", "option.no_such"),
    *("option.none", "option.number", "option.unknown", "option.whole_number"),
)
"""Beginnings of the keys of refusals of messages that no page sends.

Only programmers read them, in English. For some of the messages the page has words of its own.
"""

_OF_SERVER = (
    *("guess", "move.", "name.", "notice.", "option.", "refusal.", "remark."),
    *("game.", "meaning.", "rules.", "title.", "word."),
)
"""Beginnings of the keys of a server's phrases, beside which messages have the English."""

_OF_LINK = (
    *("refusal.in_a_room", "refusal.no_change.name", "refusal.not_in_a_room"),
    *("refusal.other_room", "refusal.too_long"),
)
"""Beginnings of the keys of phrases with which the page itself refuses something."""


def page_files() -> dict[str, bytes]:
    """Return the contents of the page's files as they are served, by path."""
    built = resources.files(__package__) / BUILT
    return dict(_files_in(built)) if built.is_dir() else bundled_files()


def bundled_files() -> dict[str, bytes]:
    """Return the contents of the sources by path, modules as one script, sheets as one sheet."""
    files = source_files()
    modules = {name: files.pop(name).decode() for name in [*files] if name.endswith(".js")}
    sheets = {name: files.pop(name).decode() for name in [*files] if name.endswith(".css")}
    script, sheet = bundle(modules, SCRIPT), bundle_sheets(sheets, SHEET)
    return files | {SCRIPT: script.encode(), SHEET: sheet.encode()}


def source_files() -> dict[str, bytes]:
    """Return the contents of the page's files as people write them, by path, and of those made."""
    lessons = _compact(list(map(_lesson, all_lessons())))
    made = {PHRASES: _phrases(), PUZZLES: FILE.read_bytes(), LESSONS: lessons.encode()}
    return dict(_files_in(resources.files(__package__) / "page")) | made


def _lesson(lesson: Lesson) -> dict[str, Any]:
    """Return a lesson as JSON has it; the boards of its steps stand as those of puzzles."""
    steps = [
        {**msgspec.to_builtins(step), "board": board_text(step.position)} for step in lesson.steps
    ]
    return {**msgspec.to_builtins(lesson), "steps": steps}


def _phrases() -> bytes:
    """Return the module with the tables of all languages, as not every browser imports JSON."""
    keys = [key for key in table(ENGLISH) if any(_is_said(key, each) for each in LANGUAGES)]
    texts = [
        [table(language)[key] if _is_said(key, language) else 0 for key in keys]
        for language in LANGUAGES
    ]
    return (
        f"export const CODES = {_compact(LANGUAGES)};\n"
        f"export const KEYS = {_compact(keys)};\n"
        "/** @type {(import('./words.js').Text | 0)[][]} */ "
        f"export const TEXTS = {_compact(texts)};\n"
    ).encode()


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _is_said(key: str, language: str) -> bool:
    """Return True if the page needs the text of `key`.

    It needs no English text that stands in the messages of a server.
    """
    if key.startswith(_OF_OTHERS + _OF_PROGRAMS):
        return False
    return language != ENGLISH or key.startswith(_OF_LINK) or not key.startswith(_OF_SERVER)


def _files_in(folder: Traversable, prefix: str = "") -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        name = prefix + entry.name
        if entry.is_dir():
            yield from _files_in(entry, f"{name}/")
        elif PurePosixPath(name).suffix in CONTENT_TYPES:
            yield name, entry.read_bytes()
