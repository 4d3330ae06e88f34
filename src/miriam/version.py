"""The version of the package: what a model directory names as its maker."""

__version__ = "0.1.0"
