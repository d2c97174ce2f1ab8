"""The compiled search kernel: finding it on this machine, and building it at its first need.

::

    sources      the name that a library for these sources has
    places       the folders where it may be
    compilers    the C++ compilers of this machine
    ziglang      a compiler from the package index, for a machine without one
    building     the build: one at a time, checked, in one step
    failures     failed builds: cause, remedy, and the memory for them
    use          the kernel in this process's solvers, built before or in a thread
    supervision  child processes that end with their parent

Loading the library is up to `boxroom_engine.kernel`, using it to the solver of Dots and Boxes: of
ours this package imports only those. What runs a bot or a search imports it. See
docs/adr/0032-kernel-at-first-need.md.
"""
