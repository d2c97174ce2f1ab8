"""The compiled kernel: what isn't one isn't loaded, and a wrong call is an exception, no crash."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxroom_engine.games.dots.solve.solver import KernelSolver, kernel
from boxroom_engine.kernel.library import KernelError, Library
from boxroom_engine.stopping import StopToken

pytestmark = pytest.mark.skipif(kernel() is None, reason="there is no kernel")

any_int = st.one_of(st.integers(-3, 70), st.integers(), st.sampled_from([2**31, 2**63, 2**64]))


def soon() -> StopToken:
    return StopToken(lambda: 0.01)


@pytest.fixture(scope="module")
def library() -> Library:
    found = kernel()
    assert found is not None
    return found


def compiled(folder: Path, source: str) -> str:
    """Return the path of a library with this C source."""
    (folder / "other.c").write_text(source)
    command = ["cc", "-shared", "-fPIC", "-o", "other.so", "other.c"]
    subprocess.run(command, cwd=folder, check=True)
    return str(folder / "other.so")


def test_what_cant_be_loaded_is_no_kernel(tmp_path: Path) -> None:
    for content in (None, b"", b"\x7fELF"):
        path = tmp_path / "kernel.so"
        if content is not None:
            path.write_bytes(content)
        with pytest.raises(KernelError, match=r"kernel\.so can't be loaded"):
            Library(str(path))


def test_another_library_is_no_kernel(tmp_path: Path) -> None:
    with pytest.raises(KernelError, match=r"can't be loaded: .*kernel_abi"):
        Library(compiled(tmp_path, "int nothing(void) { return 0; }"))


def test_a_kernel_with_another_interface_is_refused(tmp_path: Path) -> None:
    source = 'int kernel_abi(void) { return 99; } const char *kernel_interface(void) { return ""; }'
    with pytest.raises(KernelError, match="has the interface 99 instead of 1"):
        Library(compiled(tmp_path, source))


def test_it_knows_its_compiler(library: Library) -> None:
    assert any(word in library.compiler.lower() for word in ("gcc", "g++", "c++", "clang", "zig"))


@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    [
        ("kernel_open", (0, 3, 0, None), "the place for the solver's number is missing"),
        ("kernel_close", (-1,), "there is no such solver"),
        ("kernel_table", (1 << 62, None, None), "the place for the size is missing"),
        ("kernel_solve", (0, None, 1, 0, 0, 9, 1.0, None, None, None), "the outcome is missing"),
        ("kernel_bounded", (0, None, 0, 9, 1.0, None, None), "the outcome is missing"),
        ("kernel_grow", (0, None, 2, None, 0, 9, 1, 1.0, None, None, None), "are missing"),
    ],
)
def test_what_is_missing_is_named(
    library: Library, function: str, arguments: tuple[object, ...], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        library.call(function, *arguments)


def test_a_solver_that_was_closed_is_none(library: Library) -> None:
    solver = KernelSolver(2, 2, 0, library)
    solver.close()
    for use in (
        lambda: solver.bounded(0, 0, 9),
        lambda: solver.table_bytes,
        solver.table_memory,
    ):
        with pytest.raises(ValueError, match="there is no such solver"):
            use()


def test_too_few_or_too_many_arguments_are_refused(library: Library) -> None:
    for arguments in ((), (1, 2)):
        with pytest.raises(ValueError, match="argument"):
            library.call("kernel_close", *arguments)


@given(rows=any_int, cols=any_int, table_bytes=st.one_of(st.integers(-1, 1 << 20), any_int))
def test_any_board_is_a_solver_or_an_error(rows: int, cols: int, table_bytes: int) -> None:
    try:
        solver = KernelSolver(rows, cols, table_bytes)
    except (ValueError, MemoryError):
        return
    assert rows >= 1
    assert cols >= 1
    assert solver.table_bytes <= max(table_bytes, 64)


@given(
    rows=st.integers(1, 6),
    cols=st.integers(1, 6),
    drawn=st.one_of(any_int, st.integers(0, (1 << 84) - 1)),
    goal=any_int,
    most_nodes=any_int,
)
def test_any_question_has_an_answer_or_is_an_error(
    rows: int, cols: int, drawn: int, goal: int, most_nodes: int
) -> None:
    solver, edges = KernelSolver(rows, cols, 1 << 12), 2 * rows * cols + rows + cols
    try:
        solved = solver.solve(drawn, first_goal=goal, most_nodes=most_nodes, stop=soon())
        bounds = solver.bounded(drawn, goal, most_nodes, soon())
    except ValueError:
        return
    assert -rows * cols <= solved.least <= solved.most <= rows * cols
    assert all(0 <= edge < edges and not drawn >> edge & 1 for edge in solved.best_moves)
    assert -rows * cols <= bounds.least <= bounds.most <= rows * cols


@given(
    drawn=st.integers(0, (1 << 24) - 1),
    scores=st.lists(st.one_of(st.integers(0, 9), any_int), max_size=6),
    declinable=st.one_of(st.sampled_from([0, 2, 4]), any_int),
    playouts=st.one_of(st.integers(0, 50), any_int),
    seed=any_int,
)
def test_any_playouts_have_branches_or_are_an_error(
    drawn: int,
    scores: list[int],
    declinable: int,
    playouts: int,
    seed: int,
) -> None:
    try:
        branches = KernelSolver(3, 3, 1 << 12).run_playouts(
            drawn, scores, declinable=declinable, playouts=playouts, seed=seed, stop=soon()
        )
    except (ValueError, OverflowError):
        return
    assert len(scores) >= 2
    assert all(len(branch.shares) == len(branch.boxes) == len(scores) for branch in branches)
    assert sum(branch.visits for branch in branches) <= playouts


def test_an_open_solver_doesnt_keep_a_process_from_ending(library: Library) -> None:
    """Nor does a search that runs in another thread."""
    code = f"""
import threading
from boxroom_engine.games.dots.solve.solver import KernelSolver
from boxroom_engine.stopping import StopToken
from boxroom_engine.kernel.library import Library
solver, stop = KernelSolver(5, 5, 1 << 20, Library({library.path!r})), StopToken()
threading.Thread(target=lambda: solver.solve(0, stop=stop), daemon=True).start()
while not stop.nodes: pass
"""
    assert subprocess.run([sys.executable, "-c", code], timeout=60, check=False).returncode == 0
