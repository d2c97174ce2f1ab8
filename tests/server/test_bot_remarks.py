"""Remarks of bots on how they came to their moves: members hear them as notices."""

from tests.server.talk import Lobby, Message, Talk, lobby

ONE_LOOP = True


def remarks(talk: Talk) -> list[Message]:
    return [it for it in talk.heard if it.get("code") == "bot_remark"]


async def play_against(bot: str, place: Lobby, talk: Talk, *, cols: int) -> None:
    """Create a room and play the first two moves against `bot`, which answers both."""
    settings = {"seats": 2, "options": {"rows": 1, "cols": cols}}
    token = f"token of {talk.name}"
    await talk.do("create_room", token=token, room="attic", settings=settings)
    await talk.do("fill", bot=bot)
    await talk.do("start")
    for ply in (0, 2):
        state = place.room("attic").state
        assert state is not None
        move = state.game.format_move(state.legal_moves()[0])
        await talk.do("play", seat=0, move=move, ply=ply)
        await talk.event("played", seat=1)


async def test_a_search_that_cant_end_is_told_once_for_all_its_moves() -> None:
    async with lobby() as place:
        ada = await place.call("Ada")
        await play_against("recursive:time=0.1", place, ada, cols=20)
        (said,) = remarks(ada)
        assert said["phrase"]["key"] == "notice.bot_remark"
        assert said["message"] == (
            "recursive can't search to the end of the game in 0.1 s:"
            " until it can, it plays as greedy does"
        )


async def test_a_search_that_ends_is_no_remark() -> None:
    async with lobby() as place:
        ada = await place.call("Ada")
        await play_against("recursive", place, ada, cols=2)
        assert not remarks(ada)
