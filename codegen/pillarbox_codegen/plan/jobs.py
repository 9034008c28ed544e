"""Plans `jobs/`: one module for each source, which runs it.

Depends on: model, names, frame.  Never on: how a job works.
"""

from __future__ import annotations

from pillarbox_codegen import model
from pillarbox_codegen.plan import names
from pillarbox_codegen.plan.frame import Frame


def outputs(schema: model.Schema, frame: Frame) -> dict[str, str]:
    """The package `jobs`, where the schema has sources, and operations that these could become."""
    if not schema.sources or not schema.operations:
        return {}
    imports = frame.imports(".jobs")
    imports.use("pillarbox_spark.needs", "check_installed")
    files = {
        "jobs/__init__.py": frame.module(
            doc=(
                f"What fills boxes of the schema {schema.name!r} from archives, a module for each source.\n\n"
                f"`python -m {frame.package}.jobs.SOURCE --help` tells how; `spark-submit` takes their files."
            ),
            imports=imports,
            template="jobs.py.j2",
        )
    }
    for source in schema.sources.values():
        files[f"jobs/{source.name}.py"] = _job(source, frame)
    return files


def _job(source: model.Source, frame: Frame) -> str:
    imports = frame.imports(f".jobs.{source.name}", {"JOB"})
    imports.use("typing", "Final")
    imports.use("pillarbox_spark.job", "Job")
    imports.use("pillarbox_spark.main", "main")
    imports.use(".box", "PACKAGE")
    imports.use_all(".operations", ["decode_operation", "encode_operation"])
    imports.use(".spark", "PARQUET")
    about = f"Fills boxes with what the source `{source.name}` reads."
    return frame.module(
        doc=f"{about}\n\n{source.doc}" if source.doc else about,
        imports=imports,
        template="job.py.j2",
        module=f"{frame.package}.jobs.{source.name}",
        source=imports.use(".sources", names.source_constant(source.name)),
    )
