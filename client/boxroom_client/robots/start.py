"""The robot that `boxroom robot new` writes, to be changed by its author."""

START = '''\
"""A robot for Dots and Boxes: it takes a box where there is one, and else any line.

    boxroom arena {file} greedy random      how strong is it?
    boxroom robot {file} --server ADDRESS   play with it against people
"""

import random

from boxroom_engine.robots import Board, Line, get_all_lines, getnewboxes


def robot(board: Board) -> list[Line]:
    """All lines of one turn: after each that completes a box comes another one.

    A line (i, j, r, s) goes from the dot (i, j) to (r, s), one step to the right or upwards;
    (0, 0) is at the bottom left. board.lines are drawn already; board.red_boxes and
    board.blue_boxes are the boxes of who began and of the other, by their bottom left dot.
    """
    drawn = list(board.lines)
    free = [line for line in get_all_lines(board.size) if line not in drawn]
    turn = []
    while free:
        taking = [line for line in free if getnewboxes(drawn, line)]
        line = random.choice(taking or free)  # here is where you can do better
        turn.append(line)
        drawn.append(line)
        free.remove(line)
        if not taking:
            break
    return turn
'''


def start(file: str) -> str:
    """The text of a robot that stands in `file`."""
    return START.format(file=file)
