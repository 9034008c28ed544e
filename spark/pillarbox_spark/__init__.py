"""What generated Spark modules lean on. Depends on: pillarbox.  Never on: generated code, codegen."""
