"""What a server can be told."""

from dataclasses import fields

from boxroom_server.options import Options


def test_every_option_says_what_it_is() -> None:
    for option in fields(Options):
        assert option.metadata["help"], option.name


def test_the_house_has_the_limits_and_the_bots_of_each_game() -> None:
    house = Options(seats=3, members=4, board=5, name_chars=6, chat_chars=7, grace_s=1.5).house()
    assert (house.seats, house.members, house.longest_game) == (3, 4, 5)
    assert (house.name_chars, house.chat_chars, house.grace_ms) == (6, 7, 1500)
    for bots in house.bots.values():
        assert house.stand_in in bots
