"""`pillarbox`, and `python -m pillarbox`: the command line, from its first moment on.

Depends on: cli.  Never on: anything imported before somebody catches what interrupts it.
Law: as cli.
"""

import sys


def main() -> None:
    """Run the verb that the arguments of the process name, and exit."""
    try:
        from pillarbox import cli

        cli.main()
    except KeyboardInterrupt:
        sys.stderr.write("pillarbox: interrupted\n")
        sys.exit(130)  # as cli does, which is not there yet, or not any more


if __name__ == "__main__":
    main()
