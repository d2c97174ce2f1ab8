"""The page in a real browser, against the real server."""

import pytest
from playwright.async_api import Browser, Locator, Page, expect
from tests.client.cutting_proxy import cutting_proxy
from tests.web.axe import check_with_axe
from tests.web.browser import (
    DESKTOP,
    LIMIT_MS,
    PHONE,
    serving,
    visitor,
)
from tests.web.rooms import create_room, table

from boxroom_server.web.bundle import names
from boxroom_server.web.page_files import source_files

pytestmark = pytest.mark.asyncio(loop_scope="session")

expect.set_options(timeout=LIMIT_MS)


async def test_a_guest_is_two_taps_from_a_move(browser: Browser) -> None:
    async with (
        serving() as server,
        visitor(browser, server, viewport=DESKTOP, has_touch=False) as ada,
    ):
        await ada.come_in("Ada")
        code = await create_room(ada)
        async with visitor(browser, server, path=f"/#{code}") as guest:
            await guest.page.get_by_role("button", name=f"Join the room {code}").tap()
            await ada.wait_for("All seats are taken.")
            await ada.press("Start the game")
            await ada.play("h0")
            await guest.wait_for("Your turn")
            await guest.tap("v14")
            await ada.wait_for("plays v14.")


async def test_no_name_of_a_module_hides_one_of_the_browser(browser: Browser) -> None:
    """The modules are one script, in which they see all names of the others."""
    modules = [text.decode() for name, text in source_files().items() if name.endswith(".js")]
    given = [name for module in modules for name in names(module)]
    assert len(given) > 100
    async with serving() as server, visitor(browser, server) as ada:
        hidden = "names => names.filter((name) => name in window)"
        assert await ada.page.evaluate(hidden, given) == []


async def test_two_pages_play_to_the_end_and_again(browser: Browser) -> None:
    async with serving() as server, table(browser, server, 1, 1) as (ada, bob):
        for number, line in enumerate(("h0", "h1", "v0", "v1")):
            await (ada, bob)[number % 2].play(line)
        await ada.wait_for("Bob won; you have 0 of 1.")
        await bob.wait_for("You won by 1 box!")
        await ada.press("Rematch")
        await bob.wait_for("Want a rematch: Ada.")
        await bob.press("Rematch")
        await ada.wait_for("Bob is to move")


async def test_a_finger_slides_to_the_line_that_it_means(browser: Browser) -> None:
    async with serving() as server, table(browser, server) as (ada, bob):
        await ada.play("h0")
        await bob.wait_for("Your turn")
        await bob.touch(await bob.place_of("h2"), await bob.place_of("v4"))
        await ada.wait_for("Bob plays v4.")


async def test_a_touch_far_from_all_lines_plays_nothing(browser: Browser) -> None:
    async with serving() as server, table(browser, server) as (ada, bob):
        await ada.play("h0")
        await bob.wait_for("Your turn")
        await bob.touch(await bob.place_of("h2"), (5.0, 5.0))
        await bob.touch(await bob.place_of("h2"))
        await ada.wait_for("Bob plays h2.")


async def test_small_boxes_are_magnified_for_a_finger(browser: Browser) -> None:
    async with serving() as server, table(browser, server, 30, 30) as (ada, bob):
        await ada.play("h0")
        await bob.wait_for("Your turn")
        await bob.touch(await bob.place_of("h465"))
        lens = bob.page.locator(".lens")
        await expect(lens).to_be_visible()
        x, y = await bob.page.evaluate(
            """() => {
              const matrix = document.querySelector('.lens').getScreenCTM();
              const line = document.querySelector('[data-name="h465"]');
              const at = new DOMPoint((line.x1.baseVal.value + line.x2.baseVal.value) / 2,
                line.y1.baseVal.value).matrixTransform(matrix);
              return [at.x, at.y];
            }"""
        )
        await bob.touch((x, y))
        await expect(lens).not_to_be_visible()
        await ada.wait_for("Bob plays h465.")


KEYS_AROUND_A_BOX = {
    "h0": "ArrowDown",
    "v0": "ArrowRight",
    "v1": "ArrowDown",
    "h1": "ArrowUp",
}
"""On a board of one box, the key that leads from each line to another one."""

MY_TURN_OR_OVER = """
() => document.querySelector('.board.can-move') || boxroom.state.picture.phase === 'over'
"""


async def tab_to(page: Page, name: str) -> None:
    """Press Tab until the element of this name has the focus."""
    named = """() => {
      const { ariaLabel, labels, textContent } = document.activeElement;
      return ariaLabel || labels?.[0]?.textContent || textContent;
    }"""
    passed: list[str] = []
    while not passed or not passed[-1].startswith(name):
        await page.keyboard.press("Tab")
        passed.append(await page.evaluate(named))
        assert len(passed) < 40, passed


async def test_a_game_with_the_keyboard_alone(browser: Browser) -> None:
    async with serving() as server, visitor(browser, server) as ada:
        page, keyboard = ada.page, ada.page.keyboard
        await tab_to(page, "Your name")
        await keyboard.press("Control+A")
        await keyboard.type("Ada")
        await keyboard.press("Enter")
        await ada.wait_for("Nobody is playing right now.")
        await tab_to(page, "New room")
        await keyboard.press("Enter")
        await page.locator(".room-form").wait_for()
        for field in ("rows", "cols"):
            await tab_to(page, field)
            await keyboard.type("1")
        await tab_to(page, "Other seats")
        await keyboard.press("ArrowDown")  # the first level instead of people
        await tab_to(page, "Create the room")
        await keyboard.press("Enter")
        await page.locator(".board.can-move").wait_for()
        await tab_to(page, "h0")
        while await page.evaluate("boxroom.state.picture.phase === 'playing'"):
            line = await page.evaluate("document.activeElement.dataset.name")
            if await page.evaluate("line => boxroom.board.board.drawing.free.has(line)", line):
                await keyboard.press("Enter")
                await page.wait_for_function(MY_TURN_OR_OVER)
            else:
                await keyboard.press(KEYS_AROUND_A_BOX[line])
        await ada.wait_for("won")
        await tab_to(page, "Rematch")
        await keyboard.press("Enter")
        await page.locator(".board.can-move").wait_for()
        await tab_to(page, "A message or a move")
        line = await page.evaluate("[...boxroom.board.board.drawing.free][0]")
        await keyboard.type(line.upper())
        await keyboard.press("Enter")
        await ada.wait_for(f"Ada plays {line}.")


async def test_a_move_that_is_typed_early_is_played_at_the_turn(browser: Browser) -> None:
    async with serving() as server, table(browser, server) as (ada, bob):
        field = bob.page.get_by_placeholder("A message or a move")
        status, kept = bob.page.locator(".status"), bob.page.locator(".line.hint")
        for move in ("H 3", "v1"):  # the second one replaces the first
            await field.fill(move)
            await field.press("Enter")
        await expect(status).to_have_text("Ada is to move, then you play v1")
        await expect(kept).to_have_attribute("data-name", "v1")
        await ada.play("h0")
        await ada.wait_for("Bob plays v1.")
        await expect(kept).to_have_count(0)
        for key in ("Escape", None):
            await field.fill("h5")
            await field.press("Enter")
            await expect(kept).to_have_attribute("data-name", "h5")
            await (field.press(key) if key else bob.press("Drop the move"))
            await expect(kept).to_have_count(0)
        await ada.play("h2")
        await expect(status).to_contain_text("Your turn")
        assert await bob.page.locator(".journal .chat").count() == 0


async def test_a_move_typed_early_that_was_drawn_meanwhile_is_refused_in_words(
    browser: Browser,
) -> None:
    async with serving() as server, table(browser, server) as (ada, bob):
        await bob.page.get_by_placeholder("A message or a move").fill("h0")
        await bob.page.keyboard.press("Enter")
        await bob.wait_for("then you play h0")
        await ada.play("h0")
        await bob.wait_for("h0 is already drawn")
        await bob.wait_for("Your turn")


async def test_what_looks_like_a_move_or_a_command_is_not_said(browser: Browser) -> None:
    async with serving() as server, table(browser, server) as (ada, bob):
        field = bob.page.get_by_placeholder("A message or a move")
        for line, problem in (
            ("ｈ３", "That looks like h3"),
            ("н3", "That looks like h3"),
            ("h\u200b3", "That looks like h3"),
            ("／resign", "buttons and no commands"),
            ("/resign", "buttons and no commands"),
        ):
            await field.fill(line)
            await field.press("Enter")
            await bob.wait_for(problem)
            await expect(field).to_have_value(line)
        await field.fill("НО: ノート")
        await field.press("Enter")
        await ada.wait_for("Bob: НО: ノート")
        await expect(ada.page.locator(".journal strong")).to_have_count(1)


async def test_texts_of_others_are_shown_as_they_are(browser: Browser) -> None:
    async with serving() as server, table(browser, server) as (ada, bob):
        text = "<img src=x onerror=alert(1)> & \u202e\u200b\x1b 🎲"
        await ada.page.get_by_placeholder("A message or a move").fill(text)
        await ada.page.keyboard.press("Enter")
        line = bob.page.locator(".journal .chat")
        shown = "<img src=x onerror=alert(1)> &  🎲"  # the server drops what can't be seen
        await expect(line).to_have_text(f"●\ufe0e Ada: {shown}")
        assert await bob.page.locator("img").count() == 0


async def test_a_private_room_asks_for_its_password(browser: Browser) -> None:
    async with serving() as server, visitor(browser, server) as ada:
        await ada.come_in("Ada")
        await ada.press("New room")
        await ada.page.locator("summary").click()
        await ada.page.get_by_label("Private, with a password").check()
        await ada.page.get_by_label("Password", exact=True).fill("sesame")
        await ada.press("Create the room")
        await ada.wait_for("1 seat is empty")
        code = await ada.page.evaluate("boxroom.state.picture.room")
        async with visitor(browser, server, path=f"/#{code}") as bob:
            await bob.come_in("Bob")
            field = bob.page.get_by_placeholder("Password")
            await field.fill("simsalabim")
            await bob.page.locator("form.card").get_by_role("button", name="Join").click()
            await bob.page.locator(".problem").wait_for()
            await field.fill("sesame")
            await bob.page.locator("form.card").get_by_role("button", name="Join").click()
            await ada.wait_for("Bob sits down in seat 2.")


async def test_spectators_talk_among_themselves(browser: Browser) -> None:
    async with serving() as server, table(browser, server, 1, 1) as (ada, bob):
        code = await ada.page.evaluate("boxroom.state.picture.room")
        async with visitor(browser, server) as cleo:
            await cleo.come_in("Cleo")
            await cleo.page.get_by_label(f"Watch the game in {code}").click()
            await cleo.wait_for("You are watching.")
            await cleo.page.locator(".composer select").select_option("spectators")
            await cleo.page.locator(".composer input").fill("psst")
            await cleo.page.locator(".composer input").press("Enter")
            await cleo.wait_for("psst")
            for number, line in enumerate(("h0", "h1", "v0", "v1")):
                await expect(bob.page.get_by_text("psst")).to_have_count(0)
                await (ada, bob)[number % 2].play(line)
            await bob.wait_for("During the game the spectators said:")
            await bob.wait_for("psst")


async def test_a_move_is_taken_back_by_consent(browser: Browser) -> None:
    async with serving() as server, table(browser, server) as (ada, bob):
        await ada.play("h0")
        await ada.press("Take back")
        await bob.wait_for("Ada asks to take moves back.")
        await bob.press("Decline")
        await ada.wait_for("Bob declines the takeback.")
        await bob.play("h1")
        await ada.play("h2")
        await ada.press("Take back")
        await bob.press("Agree")
        await bob.wait_for("Ada takes back h2, and is to move.")
        for guest in (ada, bob):
            await guest.page.locator('[data-name="h2"]:not(.drawn)').wait_for(state="attached")
        await ada.play("h3")
        await bob.wait_for("Ada plays h3.")


async def test_a_button_stays_what_it_is(browser: Browser) -> None:
    async with serving() as server, table(browser, server) as (ada, bob):
        await ada.play("h0")
        await bob.play("h1")
        await ada.page.get_by_role("button", name="Hint").wait_for()
        button = await ada.page.get_by_role("button", name="Take back").element_handle()
        await ada.play("h2")
        await ada.wait_for("Bob is to move")
        await expect(ada.page.get_by_role("button", name="Hint")).to_have_count(0)
        assert await button.text_content() == "Take back"


async def test_the_host_sends_out_and_lets_in_again(browser: Browser) -> None:
    async with serving() as server, table(browser, server) as (ada, bob):
        await ada.press("Players")
        await ada.press("Send out")
        await ada.page.get_by_role("dialog").get_by_role("button", name="Send out").click()
        await bob.wait_for("The host has sent you out of the room")
        await bob.press("Close")
        await bob.wait_for("I have a code")
        await ada.press("Players")
        await ada.press("Let in again")
        await ada.wait_for("The host lets Bob come in again.")
        await ada.page.keyboard.press("Escape")
        await bob.page.locator(".games-shown button").click()
        await ada.wait_for("Bob comes in.")


async def test_hints_clock_and_two_players_at_one_phone(browser: Browser) -> None:
    async with serving(bot_s=20.0) as server, visitor(browser, server) as ada:
        await ada.come_in("Ada")
        await ada.press("New room")
        await ada.page.locator("summary").click()
        await ada.page.locator('[name="clock"]').fill("60")
        await ada.press("Create the room")
        await ada.page.get_by_label("Another player at this device").fill("Ben")
        await ada.press("Sit here")
        await ada.wait_for("Ben sits down in seat 2, at the device of Ada.")
        await ada.press("Start the game")
        await ada.wait_for("Your turn, Ada")
        await ada.page.locator(".clock").wait_for()
        await ada.press("Hint")
        await ada.page.locator(".line.hint").wait_for(state="attached")
        await ada.play("h0")
        await ada.wait_for("Ben is next: pass it on")
        await ada.play("h1")
        await ada.wait_for("Ada is next: pass it on")


async def test_a_single_player_draws_all_lines(browser: Browser) -> None:
    async with serving() as server, visitor(browser, server) as ada:
        await ada.come_in("Ada")
        await ada.press("New room")
        await ada.page.locator('[name="seats"]').fill("1")
        await ada.page.locator('[name="rows"]').fill("1")
        await ada.page.locator('[name="cols"]').fill("1")
        await expect(ada.page.locator('[name="opponent"]')).to_have_count(0)
        await ada.press("Create the room")
        await ada.press("Start the game")
        for move in ("h0", "h1", "v0", "v1"):
            await ada.wait_for("Your turn")
            await ada.play(move)
        await ada.wait_for("Ada won with 1 box.")
        await expect(ada.page.get_by_role("button", name="Review")).to_have_count(0)


OTHER_GAMES = (
    ("noughts", "4"),
    ("stonehenge", "E"),
    ("subtract-square", "4"),
    ("draughts", "11-15"),
)


async def test_other_games_are_drawn_from_their_geometry(browser: Browser) -> None:
    async with serving() as server, visitor(browser, server) as ada:
        await ada.come_in("Ada")
        for game, move in OTHER_GAMES:
            await create_room(ada, game=game, opponent="random")
            await ada.wait_for("Your turn")
            field = ada.page.get_by_placeholder("A message or a move")
            await ada.page.locator(".painter-board").wait_for()
            await field.fill(move.lower())
            await field.press("Enter")
            await expect(ada.page.locator(".journal")).to_contain_text(f"Ada plays {move}.")
            await ada.page.get_by_role("button", name="Leave").click()
            await ada.page.get_by_role("dialog").get_by_role("button", name="Leave").click()
            await ada.wait_for("I have a code")


async def name(man: Locator) -> str:
    """Return the number of the square of a man."""
    label = await man.get_attribute("aria-label")
    assert label is not None
    return label.split(",")[0]


async def test_men_are_moved_on_the_page_by_two_clicks(browser: Browser) -> None:
    async with serving() as server, visitor(browser, server) as ada:
        await ada.come_in("Ada")
        await create_room(ada, game="draughts", opponent="random")
        await ada.wait_for("Your turn")
        movable = ada.page.locator('.owned[aria-disabled="false"]')
        assert [await name(man) for man in await movable.all()] == ["9", "10", "11", "12"]
        first, last = (ada.page.locator(f'[aria-label^="{n}, "]') for n in (1, 32))
        (lower, higher) = (await first.bounding_box(), await last.bounding_box())
        assert lower is not None
        assert higher is not None
        assert lower["y"] > higher["y"]  # Ada, who begins, has her men at the bottom
        await ada.page.locator('[aria-label^="11, "]').click()
        await expect(ada.page.locator(".chosen")).to_have_count(1)
        ends = ada.page.locator('.free[aria-disabled="false"]')
        assert [await name(end) for end in await ends.all()] == ["15", "16"]
        await ada.page.locator('[aria-label="15, free"]').click()
        await expect(ada.page.locator(".journal")).to_contain_text("Ada plays 11-15.")
        await expect(ada.page.locator('[aria-label="11, free"]')).to_have_count(1)


async def test_the_page_speaks_german(browser: Browser) -> None:
    async with serving() as server, visitor(browser, server, locale="de-AT") as ada:
        await ada.page.get_by_role("button", name="Hereinkommen").click()
        await ada.page.get_by_role("button", name="Einstellungen").click()
        await ada.page.locator('dialog [name="language"]').select_option("en")
        await ada.wait_for("Colours")
        await ada.page.reload()
        await ada.wait_for("I have a code")


async def test_every_view_is_accessible(browser: Browser) -> None:
    """Axe finds nothing in any view, in any theme."""
    async with serving() as server, visitor(browser, server, bypass_csp=True) as ada:
        await check_with_axe(ada.page)
        await ada.come_in("Ada of a long name")
        await ada.wait_for("Nobody is playing right now.")
        await check_with_axe(ada.page)
        await ada.press("New room")
        await ada.page.locator("summary").click()
        await check_with_axe(ada.page)
        await ada.press("Create the room")
        await ada.wait_for("1 seat is empty")
        await check_with_axe(ada.page)
        await ada.page.get_by_label("Seat a bot").select_option("random")
        await ada.press("Start the game")
        await ada.play("h0")
        await ada.page.locator(".board.can-move").wait_for()
        await check_with_axe(ada.page)
        for sheet in ("Players", "Invite", "Settings", "Give up"):
            await (ada.press_rare if sheet == "Give up" else ada.press)(sheet)
            await check_with_axe(ada.page)
            await ada.page.keyboard.press("Escape")
        await ada.press_rare("Give up")
        await ada.page.get_by_role("dialog").get_by_role("button", name="Give up").click()
        await ada.page.locator(".ending").wait_for()
        await check_with_axe(ada.page)
        await ada.page.locator(".stepper button").first.click()
        await check_with_axe(ada.page)


async def test_every_message_is_accessible(browser: Browser) -> None:
    """Axe finds nothing in the lists, refusals and banners that come from others, either."""
    async with (
        serving() as server,
        cutting_proxy(server.port) as proxy,
        table(browser, server, 1, 1, through=proxy.address.port, bypass_csp=True) as (ada, bob),
        visitor(browser, server, bypass_csp=True) as cem,
    ):
        await cem.come_in("Bob")
        await cem.wait_for("Bob belongs to somebody here")
        await check_with_axe(cem.page)
        await cem.come_in("Cem")
        await cem.page.locator(".games-shown li").wait_for()
        await check_with_axe(cem.page)
        await bob.page.get_by_placeholder("A message or a move").fill("/resign")
        await bob.press("Send")
        await bob.wait_for("buttons and no commands")
        await check_with_axe(bob.page)
        proxy.close()
        await bob.wait_for("No connection.")
        await check_with_axe(bob.page)
        proxy.open()
        for player, line in ((ada, "h0"), (bob, "h1"), (ada, "v0"), (bob, "v1")):
            await player.play(line)
        await bob.page.get_by_role("button", name="Rematch").wait_for()
        await check_with_axe(bob.page)
        second = await bob.context.new_page()
        await second.goto(bob.page.url)
        await bob.wait_for("You are playing in another tab")
        await check_with_axe(bob.page)
        bob.forgive_failures()


async def test_a_room_of_the_list_can_be_read_on_a_phone(browser: Browser) -> None:
    """The buttons, which are long in German, leave space to its name."""
    async with (
        serving() as server,
        visitor(browser, server, viewport=DESKTOP) as ada,
        visitor(browser, server, locale="de-AT") as bob,
    ):
        await ada.come_in("Ada")
        await create_room(ada)
        await bob.page.get_by_role("button", name="Hereinkommen").click()
        box = await bob.page.locator(".rooms li div").bounding_box()
        assert box is not None
        assert box["width"] >= PHONE["width"] / 2
