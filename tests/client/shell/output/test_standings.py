"""The table of a room's games as text: after a game, on request, and in a file."""

import json

from msgspec.structs import replace
from tests.cases import each

from boxroom_client.shell.output.standings import (
    standings_in_short,
    standings_json,
    standings_table,
)
from boxroom_client.text_width import text_width
from boxroom_engine.room.room import Room, Settings
from boxroom_engine.standings import Standing

ADA, BEN = Standing("Ada", 6, 3, 7, {"dots": 31}), Standing("Ben", 6, 2, 5, {"dots": 23})


def a_room(*rows: Standing) -> Room:
    return replace(Room("attic"), table=rows, players=("Ada", "Ben"))


@each(
    "rows, told",
    [
        ((), ()),
        ((Standing("Ada", 1, 1, 2), Standing("Ben", 1)), ()),
        ((BEN, ADA), ("So far: Ada 3 : 2 Ben, and 1 draw.",)),
        ((replace(ADA, games=5), replace(BEN, games=5)), ("So far: Ada 3 : 2 Ben.",)),
        ((Standing("Cleo", 1, points=4), BEN, ADA), ("Points so far: Ada 7, Ben 5 and Cleo 4.",)),
        (
            tuple(Standing(name, 1, points=2) for name in "FEDCBA"),
            ("Points so far: A 2, B 2, C 2, D 2, E 2 and F 2.",),
        ),
        (
            tuple(Standing(name, 1, points=2) for name in "GFEDCBA"),
            ("Points so far: A 2, B 2, C 2, D 2, E 2 and 2 more.",),
        ),
    ],
)
def test_after_a_game_a_line_tells_the_table(
    rows: tuple[Standing, ...], told: tuple[str, ...]
) -> None:
    assert standings_in_short(a_room(*rows)) == told


def test_the_table_has_a_column_for_what_each_game_counts() -> None:
    cleo = Standing("Cleo", 2, 1, 2, {"stonehenge": 5, "noughts": 1})
    head, *lines, how = standings_table(a_room(BEN, cleo, ADA))
    assert head.split() == ["player", "games", "won", "boxes", "ley-lines", "points"]
    assert [line.split() for line in lines] == [
        ["Ada", "6", "3", "31", "0", "7"],
        ["Ben", "6", "2", "23", "0", "5"],
        ["Cleo", "2", "1", "0", "5", "2"],
    ]
    assert "2 points" in how


def test_its_columns_stay_in_line_for_any_name() -> None:
    *table, _ = standings_table(a_room(Standing("漢字", 10), Standing("नमस्ते", 9), ADA))
    assert len({text_width(line) for line in table}) == 1


def test_before_the_first_game_it_says_so() -> None:
    assert [*standings_table(a_room())] == ["No game has ended here yet."]


def test_in_a_series_a_line_tells_the_games_won_in_it() -> None:
    def told(*rows: Standing) -> tuple[str, ...]:
        room = replace(a_room(ADA, BEN), settings=Settings(best_of=5), series=rows)
        return standings_in_short(room)

    ada, ben = Standing("Ada", 2, 1, 2), Standing("Ben", 2, 1, 4)
    assert told(Standing("Ben", 1), Standing("Ada", 1, 1)) == ("Best of 5: Ada 1 : 0 Ben.",)
    assert told(replace(ada, wins=2), ben, Standing("Cleo", 2)) == (
        "Best of 5, games won: Ada 2, Ben 1 and Cleo 0.",
    )


def test_the_table_counts_series_where_one_was_won() -> None:
    room = replace(a_room(replace(ADA, series=1), BEN), series=(ADA, BEN))
    head, ada, ben, _, series = standings_table(room)
    assert head.split()[-2:] == ["series", "points"]
    assert [ada.split()[-2], ben.split()[-2]] == ["1", "0"]
    assert series.endswith("Ada 3 : 2 Ben, and 1 draw.")


def test_json_has_all_of_it() -> None:
    written = json.loads(standings_json(a_room(BEN, ADA)))
    assert (written["format"], written["room"]) == ("boxroom-table-1", "attic")
    assert [row["name"] for row in written["table"]] == ["Ada", "Ben"]
    read = {key: written["table"][0][key] for key in ("games", "wins", "points", "scores")}
    assert read == {"games": 6, "wins": 3, "points": 7, "scores": {"dots": 31}}
