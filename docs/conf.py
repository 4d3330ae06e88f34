"""How the documentation is built: Markdown pages, and the API reference from the docstrings."""

from importlib.metadata import version as installed_version

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
