"""Robots, as files or functions: loading them, asking them for moves, seating them in a room.

The board and rules that a robot sees are in `boxroom_engine.robots`; opponents that speak the
protocol for agents are in `agents`. The commands in `cli`, `notebook` and `agents` import this one.
"""
