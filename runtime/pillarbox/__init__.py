"""A store over SQLite whose every read can be live.

Depends on: nothing; import what you need from its modules.  Never on: generated code.
Law: importing the package costs nothing, so that the command line answers at once.
"""
