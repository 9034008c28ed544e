"""Plans: frozen dataclasses that say what each generated module prints; every decision is taken here.

Depends on: model, printing.  Never on: YAML, files, the runtime.
"""
