"""Robots in files: how they are read, asked in a process of their own, and seated in a room."""
