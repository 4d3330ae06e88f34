"""How the documentation is built: Markdown pages, and the API reference from the docstrings."""

import re
from collections.abc import Callable
from importlib.metadata import version as installed_version

from docutils.nodes import Element, SkipNode
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

project = "Miriam"
copyright = "the Miriam authors"
release = version = installed_version("miriam")
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.viewcode"]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = "Miriam"
autodoc_typehints = "description"
autodoc_member_order = "bysource"
html_math_renderer = "mathml"
CODE_OR_MARK = re.compile(r"`([^`]+)`|[|*]")
BAR = '<mo stretchy="false">&#x0007C;</mo>'


def plain_prose(*event: object) -> None:
    """Docstrings are plain: code in single backticks, and no other markup, as in |x| or a * b."""
    example, lines = False, event[-1]
    for number, line in enumerate(lines):
        example = line.lstrip().startswith(">>>") or (example and bool(line.strip()))
        if not example:
            lines[number] = CODE_OR_MARK.sub(
                lambda found: f"``{found[1]}``" if found[1] else f"\\{found[0]}", line
            )


def setup(app: Sphinx) -> None:
    """Formulas become MathML when the pages are built: browsers need no script and no network."""

    def mathml(display: str) -> Callable[[HTML5Translator, Element], None]:
        def visit(page: HTML5Translator, node: Element) -> None:
            formula = convert(node.astext(), display=display)
            # Bars are the ends of what is between them, not an operator with space around it.
            page.body.append(formula.replace(BAR, BAR.replace(">", ' lspace="0" rspace="0">', 1)))
            raise SkipNode

        return visit

    app.connect("autodoc-process-docstring", plain_prose)
    app.add_html_math_renderer("mathml", (mathml("inline"), None), (mathml("block"), None))
