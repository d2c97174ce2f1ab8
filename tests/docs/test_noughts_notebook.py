"""docs/examples/noughts.ipynb shows what its cells print, in a real kernel.

`BOXROOM_UPDATE_GOLDEN=1` writes the outputs anew.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat import NotebookNode

import boxroom_lab.lessons.noughts

NOTEBOOK = Path(__file__).parents[2] / "docs" / "examples" / "noughts.ipynb"
LIMIT_S = 300


def read() -> NotebookNode:
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    assert isinstance(notebook, NotebookNode)
    return notebook


def code_cells(notebook: NotebookNode) -> Iterator[NotebookNode]:
    return (cell for cell in notebook.cells if cell.cell_type == "code")


@pytest.fixture(scope="module")
def executed() -> NotebookNode:
    notebook = read()
    for cell in code_cells(notebook):
        cell.outputs, cell.execution_count = [], None
    client = NotebookClient(
        notebook, kernel_name="python3", timeout=LIMIT_S, record_timing=False, coalesce_streams=True
    )
    metadata = dict(notebook.metadata)  # without the version of the kernel
    client.execute()
    notebook.metadata = metadata
    return notebook


def test_every_cell_shows_what_it_prints(executed: NotebookNode) -> None:
    if os.environ.get("BOXROOM_UPDATE_GOLDEN") == "1":
        nbformat.write(executed, NOTEBOOK)
    for cell, shown in zip(code_cells(executed), code_cells(read()), strict=True):
        assert (cell.source, cell.outputs) == (shown.source, shown.outputs)


def test_it_names_every_function_of_the_worksheet() -> None:
    first, *_ = code_cells(read())
    public = {
        name
        for name, value in vars(boxroom_lab.lessons.noughts).items()
        if getattr(value, "__module__", "") == boxroom_lab.lessons.noughts.__name__
        and not name.startswith("_")
    }
    assert public
    assert all(f"    {name},\n" in first.source for name in public)
