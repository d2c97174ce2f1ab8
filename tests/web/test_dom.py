"""Views as elements on a page: what is changed when they are shown anew, and what stays."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page
from tests.web.module_page import module_page

pytestmark = pytest.mark.asyncio(loop_scope="session")

SCRIPT = """import { h, render } from '/dom.js';
window.h = h;
window.events = [];
window.show = (...views) => render(document.querySelector('main'), views, (event) => {
  window.events.push(event);
});
window.find = (selector) => document.querySelector(`main ${selector}`);
"""


@pytest_asyncio.fixture(loop_scope="session")
async def page(browser: Browser) -> AsyncIterator[Page]:
    """A page on which `show` shows views, and `find` finds their elements."""
    async with module_page(browser, SCRIPT) as shown:
        yield shown.page
        assert shown.errors == []


async def run(page: Page, script: str) -> list[object]:
    """Run a script of `show`, `h` and `find`; return its values."""
    values: list[object] = await page.evaluate(f"() => {{ {script} }}")
    return values


async def test_elements_stay_while_their_text_and_attributes_change(page: Page) -> None:
    assert await run(
        page,
        """show(h('p.a', { title: 'one', hidden: true }, 'x', h('b', {}, 'y')));
        const before = find('p');
        show(h('p', { lang: 'de' }, 'z', h('b', {}, 7), null, false, [['w']]));
        return [before === find('p'), find('').innerHTML];""",
    ) == [True, '<p lang="de">z<b>7</b>w</p>']


async def test_the_focus_and_typed_text_stay_when_what_is_around_them_changes(page: Page) -> None:
    assert await run(
        page,
        """const field = () => h('input', { key: 'field', value: 'Ada' });
        show(h('p', { key: 'old' }), field());
        find('input').focus();
        find('input').value = 'Bob';
        show(h('p', { key: 'new' }), h('i'), field());
        const typed = find('input').value;
        show(h('input', { key: 'field', value: 'Cem' }));
        return [document.activeElement === find('input'), typed, find('input').value];""",
    ) == [True, "Bob", "Cem"]


async def test_a_box_is_checked_and_unchecked_as_its_description_changes(page: Page) -> None:
    assert await run(
        page,
        """const box = (checked) => show(h('input', { type: 'checkbox', checked }));
        const seen = [];
        for (const checked of [true, false, true]) {
          box(checked);
          seen.push(find('input').checked);
        }
        find('input').checked = false;
        box(true);
        return [...seen, find('input').checked];""",
    ) == [True, False, True, False]


async def test_the_option_that_is_described_is_chosen(page: Page) -> None:
    assert await run(
        page,
        """const choice = (chosen) => show(h('select', {}, ...['a', 'b', 'c'].map((value) =>
          h('option', { value, selected: value === chosen }, value))));
        return ['b', 'c', 'a'].map((chosen) => {
          choice(chosen);
          return find('select').value;
        });""",
    ) == ["b", "c", "a"]


async def test_elements_with_keys_are_found_again_in_another_order(page: Page) -> None:
    assert await run(
        page,
        """const list = (...keys) => show(h('ul', {}, ...keys.map((key) => h('li', { key }, key))));
        list('a', 'b', 'c');
        const [a, b, c] = find('ul').children;
        list('c', 'd', 'a');
        const now = [...find('ul').children];
        return [now[0] === c, now[2] === a, b.isConnected, find('ul').textContent];""",
    ) == [True, True, False, "cda"]


async def test_a_button_with_another_text_is_another_button(page: Page) -> None:
    assert await run(
        page,
        """show(h('button', {}, 'Agree'));
        const before = find('button');
        show(h('button', { class: 'primary' }, 'Agree'));
        const same = before === find('button');
        show(h('button', {}, 'Leave'));
        return [same, before === find('button'), before.isConnected];""",
    ) == [True, False, False]


async def test_events_are_those_of_the_newest_description(page: Page) -> None:
    assert await run(
        page,
        """const click = (onclick) => {
          show(h('button', { onclick }, 'x'));
          find('button').click();
        };
        click({ type: 'one' });
        click(({ type }) => ({ type }));
        click(() => null);
        click(null);
        click({ type: 'two' });
        show(h('form', { onsubmit: { type: 'sent' } }, h('button', {}, 'x')));
        find('button').click();
        return events.map(({ type }) => type);""",
    ) == ["one", "click", "two", "sent"]


async def test_children_of_a_foreign_element_are_left_alone(page: Page) -> None:
    assert await run(
        page,
        """const view = (title) => show(h('div', { foreign: true, title }));
        view('one');
        find('div').append('board');
        view('two');
        return [find('div').textContent, find('div').title];""",
    ) == ["board", "two"]


async def test_a_description_that_stays_is_not_looked_at_again(page: Page) -> None:
    assert await run(
        page,
        """const line = h('p', {}, 'x');
        show(line);
        const seen = new MutationObserver(() => {});
        seen.observe(find(''), { attributes: true, childList: true, subtree: true });
        show(line, h('p', {}, 'y'));
        return seen.takeRecords().map(({ addedNodes }) => addedNodes.length);""",
    ) == [1]
