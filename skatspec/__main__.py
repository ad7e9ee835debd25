"""`python -m skatspec` is the command `skatspec`."""

from skatspec.cli import main

if __name__ == "__main__":
    main(prog_name="skatspec")
