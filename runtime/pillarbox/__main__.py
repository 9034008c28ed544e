"""`python -m pillarbox`: the command line. Depends on: cli.  Never on: anything else. Law: as `pillarbox`."""

from pillarbox.cli import main

if __name__ == "__main__":
    main()
