"""What every full screen is made of."""

import pytest
from prompt_toolkit.output import ColorDepth

from boxroom_client.screen.terminal import colour_depth


@pytest.mark.parametrize("colours", ["truecolor", "24bit"])
def test_true_colours_are_used_where_the_terminal_has_them(colours: str) -> None:
    assert colour_depth({"COLORTERM": colours}) is ColorDepth.TRUE_COLOR


@pytest.mark.parametrize(
    "environ",
    [
        {},
        {"COLORTERM": "yes"},
        {"COLORTERM": "truecolor", "NO_COLOR": "1"},
        {"COLORTERM": "truecolor", "PROMPT_TOOLKIT_COLOR_DEPTH": "DEPTH_4_BIT"},
    ],
)
def test_else_it_is_left_to_prompt_toolkit(environ: dict[str, str]) -> None:
    assert colour_depth(environ) is None
