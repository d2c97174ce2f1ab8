"""The solver of Dots and Boxes in C++, a library with a plain C interface, and its loading.

The sources are here, `kernel.cpp` first, and `library` loads what a compiler made of them. When and
by which compiler they are built is up to `boxroom_common.kernel`. Only `games.dots.solve.solver`
and that package import this one. See docs/adr/0008-kernel.md.
"""
