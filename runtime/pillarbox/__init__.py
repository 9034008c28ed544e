"""A store over SQLite whose every read can be live. Depends on: its own modules.  Never on: generated code."""
