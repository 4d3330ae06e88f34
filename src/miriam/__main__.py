"""`python -m miriam`, the same as `miriam`."""

from miriam.cli import main

main()
