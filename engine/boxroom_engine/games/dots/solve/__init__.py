"""Searches of Dots and Boxes: exact play for two and for more, and playouts.

`solver` has the interface of a solver for two and the choice between the kernel in C++ and
`python_solver`; `max_n` is for three and more. What is known without search is in `theory`. Bots,
clients and benchmarks may import it.
"""
