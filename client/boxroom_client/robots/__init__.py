"""Robots in files: loading them, asking them for moves in a process, and seating them in a room.

The board and rules that a robot sees are in `boxroom_engine.robots`; opponents that speak the
protocol for agents are in `agents`. The commands in `cli` and the package `agents` import this one.
"""
