"""The Python reference: complete, and with an example of every function."""

from __future__ import annotations

import ast
import importlib
import inspect
import re

import pytest

from conftest import ROOT
from docs.test_docs import PAGES, blocks

AUTOMODULE = re.compile(r"automodule:: (\S+)")
REFERENCE = sorted((ROOT / "docs" / "api").glob("*.md"))
MODULES = [name for page in REFERENCE for name in AUTOMODULE.findall(page.read_text())]
NO_ROOMS = {"cli", "_core", "pipeline"}  # the front doors are pipeline's page


def public(module: str) -> dict[str, object]:
    """What the reference has of a module."""
    found = importlib.import_module(module)
    return {name: getattr(found, name) for name in getattr(found, "__all__", ())}


@pytest.mark.parametrize("module", MODULES)
def test_every_function_has_an_example(module: str) -> None:
    """`--doctest-modules` runs them."""
    without = [
        name
        for name, value in public(module).items()
        if inspect.isfunction(value) and ">>>" not in (value.__doc__ or "")
    ]
    assert not without, f"{module}: {without}"


@pytest.mark.parametrize("module", MODULES)
def test_a_module_says_what_is_public(module: str) -> None:
    assert public(module), f"{module} has no __all__"


def test_every_room_has_a_page() -> None:
    rooms = {path.parent.name for path in (ROOT / "src" / "miriam").glob("*/__init__.py")}
    assert rooms - NO_ROOMS <= {page.stem for page in REFERENCE}


def test_what_pages_import_is_in_the_reference() -> None:
    known = {(module, name) for module in MODULES for name in public(module)}
    imported = {
        (node.module, alias.name)
        for page in PAGES
        for language, text in blocks(page)
        if language == "python"
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("miriam")
        for alias in node.names
    }
    assert not imported - known
