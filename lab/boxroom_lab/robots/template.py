"""The file that `boxroom robot new` writes: a working robot, for its author to improve."""

_TEMPLATE = '''\
"""A robot for Dots and Boxes: it takes a box where there is one, and else any line.

    boxroom arena {file} greedy random      how strong is it?
    boxroom robot {file} --server ADDRESS   play with it against people
"""

import random

from boxroom.robots import Board, Line, get_all_lines, getnewboxes


def robot(board: Board) -> list[Line]:
    """Return all lines of one turn: after each that completes a box comes another one.

    A line (i, j, r, s) goes from the dot (i, j) to (r, s), one step to the right or upwards;
    (0, 0) is at the bottom left. board.lines are drawn already; board.red_boxes are the boxes of
    the player who began, board.blue_boxes those of the other, by their bottom left dot.
    """
    drawn = list(board.lines)
    free = [line for line in get_all_lines(board.size) if line not in drawn]
    turn = []
    while free:
        taking = [line for line in free if getnewboxes(drawn, line)]
        line = random.choice(taking or free)  # here you can do better
        turn.append(line)
        drawn.append(line)
        free.remove(line)
        if not taking:
            break
    return turn
'''


def robot_template(file: str) -> str:
    """Return the source of a new robot that is to be written to `file`."""
    return _TEMPLATE.format(file=file)
