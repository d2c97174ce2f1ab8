"""Recorded games in files of all kinds, damaged ones among them."""

import io
from pathlib import Path

import pytest
from tests.cases import each

from boxroom_client.shell.record_files import UnreadableRecord, read_games

GAME = "dots rows=1 cols=1 border=none | Ada, Bob | h0 v0 h1 v1"
ZOE = GAME.replace("Ada", "Zoë")
WITHDRAWN = "dots rows=1 cols=2 border=none | Ada, Bob, Cleo | h0 ~0 v0 ~2"
PDN = """[White "Zoë"]
[Black "Émile"]

1. 11-15 23-19 *
"""
READ_PDN = "draughts rules=english size=usual | Émile, Zoë | 11-15 23-19"


def records(path: Path, content: bytes | str) -> list[str]:
    """Write `content`, and return what is read: records, and problems without their path."""
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    read: list[str] = []
    for game in read_games(str(path)):
        try:
            read.append(str(game.record()))
        except UnreadableRecord as error:
            read.append(str(error).removeprefix(f"{path}, "))
    return read


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games"


def test_a_record_is_read_as_it_is_from_a_file_and_from_standard_input(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.write_text(f"{ZOE}\n")
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "cp1252"):
        stdin = io.TextIOWrapper(io.BytesIO(f"{ZOE}\r\n\x1a".encode(encoding)))
        monkeypatch.setattr("sys.stdin", stdin)
        for source in (ZOE, str(path), "-"):
            [game] = read_games(source)
            assert str(game.record()) == ZOE


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("end", ["", "\n", "\x1a", "\n\x1a\n"])
def test_any_encoding_and_line_end_is_read(
    path: Path, encoding: str, newline: str, end: str
) -> None:
    for text, read in ((f"{ZOE}\n\n{WITHDRAWN}", [ZOE, WITHDRAWN]), (PDN * 2, [READ_PDN] * 2)):
        written = (text.strip() + end).replace("\n", newline).encode(encoding)
        assert records(path, written) == read


@pytest.mark.parametrize("encodings", [("utf-8", "cp1252"), ("utf-8-sig", "utf-8-sig")])
def test_files_that_were_joined_are_read(path: Path, encodings: tuple[str, str]) -> None:
    for text, read in ((f"{ZOE}\n\x1a", ZOE), (f"{PDN}\x1a", READ_PDN)):
        assert records(path, b"".join(map(text.encode, encodings))) == [read, read]


def test_a_file_of_draughts_may_be_in_pdn(path: Path) -> None:
    text = '[White "W"][Black "B"] 1. 11-15 23-19 0-1 [GameType "20"] 1. 32-28 *'
    read = [
        "draughts rules=english size=usual | B, W | 11-15 23-19 ~1",
        "draughts rules=international size=usual | White, Black | 32-28",
    ]
    assert records(path, text) == read
    assert records(path, f"% made by hand\n%\n{text}\n% the end") == read
    assert records(path, f"An archive\n\n{text}")[1:] == read


BAD_MOVE = "line 6: that isn't a game: move 1, 11-44: there is no square 44"


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        ('[Event "x"]\n\n1. 11-44 *\n', BAD_MOVE),
        ('[Event "x"]\n\n1. 11-44\n', BAD_MOVE),
        ('[Event "x"]\n\n1. 11-15 {never closed 23-19 *\n', "line 8 isn't PDN at '{never'"),
        ('[Event "x"]\n\n1. 11-15 (23-18 *\n', "a variation in the PDN has no ) at its end"),
        ('[Event "O"Neil"]\n[Site "y"]\n\n1. 11-15 *\n', "line 6 isn't PDN at '[Event'"),
        ("[Event]\n\n1. 11-15 *\n", "line 6 isn't PDN at '[Event]'"),
        ("1. 11-15 what? *\n", "line 6 isn't PDN at 'what?'"),
        ('[Event "x"]\n\n1. 11-15 {\0} *\n', "line 8 has the control character U+0000"),
    ],
)
def test_a_bad_game_in_pdn_does_not_hide_the_others(path: Path, bad: str, why: str) -> None:
    first, second, third = records(path, f"{PDN}\n{bad}\n{PDN}")
    assert (first, third) == (READ_PDN, READ_PDN)
    assert second.startswith("line 6: that isn't a game: ")
    assert why in second


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        ("hello", "a record has three parts"),
        (GAME.replace("h1", "h7"), "token 3, h7"),
        (GAME.replace("h1", "h0"), "token 3, h0"),
        (GAME.replace("h1", "\0"), "line 2 has the control character U+0000, not text"),
        (GAME.replace("h1", "\u202eh1"), "token 3, h1: "),
        (GAME.replace("Ada", "\x1b[31m"), "line 2 has the control character U+001B, not text"),
    ],
)
def test_a_bad_record_does_not_hide_the_others(path: Path, bad: str, why: str) -> None:
    first, second, *others = records(path, f"{GAME}\n{bad}\n{WITHDRAWN}\n")
    assert [first, *others] == [GAME, WITHDRAWN]
    assert second.startswith("line 2: that isn't a game: ")
    assert why in second
    assert records(path, f"{bad}\n{GAME}\n")[1:] == [GAME]


def test_one_record_may_be_broken_into_lines(path: Path) -> None:
    assert records(path, GAME.replace(" ", "\n")) == [GAME]
    assert records(path, f"\n\n{GAME.replace(' h1', chr(10))}") == [GAME.replace(" h1", "")]


@each(
    "source, why",
    [
        ("nowhere.txt", r"there is no file nowhere\.txt\Z"),
        ("dots h0 h1", "there is no file dots h0 h1; as a record it would need bars: "),
        (".", r"can't read \."),
        ("\0", "can't read"),
    ],
)
def test_what_cant_be_read_is_told(source: str, why: str) -> None:
    with pytest.raises(UnreadableRecord, match=why):
        read_games(source)


@each("text", ["noughts | Ada | 4", "chess | Ada, Bob | e4"])
def test_what_is_no_record_is_told(text: str) -> None:
    [game] = read_games(text)
    with pytest.raises(UnreadableRecord, match=r"\Athat isn't a game: "):
        game.record()


@pytest.mark.parametrize("content", [b"", b"\xef\xbb\xbf", b"\x1a", b"; a comment"])
def test_a_file_without_games_says_so(path: Path, content: bytes) -> None:
    with pytest.raises(UnreadableRecord, match="there is no game in "):
        records(path, content)


def test_a_file_that_isnt_text_is_no_record(path: Path) -> None:
    [problem] = records(path, b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR|")
    assert problem == "line 1: that isn't a game: line 3 has the control character U+0000, not text"
