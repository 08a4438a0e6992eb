"""`python -m pelagos.cli`."""

from pelagos.cli import main

if __name__ == "__main__":
    main()
