"""Games as the messages of a server tell them."""

from boxroom_lab.agents.messages import ActionMessage, StartMessage
from boxroom_lab.agents.received_game import ReceivedGame


def test_a_finished_game_asks_for_no_line() -> None:
    game = ReceivedGame(StartMessage(1, 0.5, (1, 1), "g"))
    for orientation, location in (("h", (0, 0)), ("h", (1, 0)), ("v", (0, 0)), ("v", (0, 1))):
        game.apply(ActionMessage(location, orientation, "g"))  # type: ignore[arg-type]
    assert game.position.is_over
    assert not game.is_asked(1)
