"""Schema in, typed Python package out. Depends on: nothing of pillarbox.  Never on: generated code."""
