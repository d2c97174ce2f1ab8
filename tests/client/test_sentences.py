"""The tables of languages, not the code of the client, have what players read."""

from pathlib import Path

from tests.sentences_in_code import check_sentences

CLIENT = Path(__file__).parents[2] / "client" / "boxroom_client"

FOR_PLAYERS = (
    *("screen", "shell", "linemode", "link", "servers", "profile"),
    *("cli/play.py", "cli/join.py", "cli/host.py", "cli/menu.py", "cli/history.py"),
    *("cli/saved_games.py", "cli/arguments/shells.py"),
)
"""Modules, and folders of modules, with the texts of people in rooms and on their way there."""

EXCUSED_CALLS = {
    "of command lines": "UsageError CommandParser add_argument add_parser add_argument_group"
    " add_room_flags Setting Option error_for",
    "of logs": "debug info warning error exception Formatter",
    "of mistakes in this program, or in a server": "AssertionError ProtocolError MessageError"
    " _out_of_sync OutOfSync",
    "of mistakes in files, themes and values that people write": "TomlError NoSuchToml ThemeError"
    " StyleMistake ValueError UnreadableRecord CertificateAuthorityError",
    "names of keys": "bind move",
}
"""Functions and errors whose texts are English, by the reason."""

EXCUSED_MODULES = {
    "cli/history.py": "of the commands below boxroom history, which are for lists and exports",
    "profile/history.py": "in SQL",
    "screen/keys/help_page.py": "of a page of the site",
    "screen/themes/theme.py": "about the roles of themes, for their authors",
    "shell/record_files.py": "about files that a command line names",
}
"""Modules with other texts, by their reason."""

EXCUSED_TEXTS = {
    "names of fields": {"opponent 0", "name 0", "bot 0", "algorithm of "},
    "keys of an English keyboard": {"0 to 9"},
    "a place in a file or on a command line": {"0, line 0", "flag 0"},
    "texts of other programs, which are looked for": {"Invalid value ", "Invalid enum value "},
}
"""Other texts, by their reason; 0 stands for values."""


def test_no_sentence_for_players_stands_in_code() -> None:
    check_sentences(
        CLIENT,
        FOR_PLAYERS,
        excused_calls=set(" ".join(EXCUSED_CALLS.values()).split()),
        excused_modules=EXCUSED_MODULES.keys(),
        excused_texts=EXCUSED_TEXTS.values(),
    )
