"""Writes Parquet files once more in other encodings: rewrite.py KIND OUTPUT-FOLDER FILE..."""

import os
import sys

import pyarrow as pa
import pyarrow.parquet as pq

kind, folder, files = sys.argv[1], sys.argv[2], sys.argv[3:]


def encodings(schema):
    """DELTA for integers and text, BYTE_STREAM_SPLIT for floats."""
    chosen = {}
    for field in schema:
        if pa.types.is_floating(field.type):
            chosen[field.name] = "BYTE_STREAM_SPLIT"
        elif pa.types.is_string(field.type):
            chosen[field.name] = "DELTA_BYTE_ARRAY" if field.name == "text" else "DELTA_LENGTH_BYTE_ARRAY"
        elif pa.types.is_integer(field.type) or pa.types.is_temporal(field.type):
            chosen[field.name] = "DELTA_BINARY_PACKED"
    return chosen


OPTIONS = {
    "types-delta": lambda schema: {
        "compression": "gzip",
        "data_page_version": "2.0",
        "use_dictionary": False,
        "column_encoding": encodings(schema),
    },
    # Dictionaries that overflow into plain pages.
    "types-paged": lambda schema: {
        "compression": "lz4",
        "data_page_size": 4096,
        "dictionary_pagesize_limit": 16384,
        "write_page_index": True,
        "write_page_checksum": True,
    },
    "types-plain": lambda schema: {"compression": "brotli", "use_dictionary": False, "store_decimal_as_integer": True},
    "types-int96": lambda schema: {"compression": "none", "use_deprecated_int96_timestamps": True},
}

for file in files:
    table = pq.read_table(file)
    if kind == "types-int96":
        # DuckDB reads INT96 as microseconds.
        place = table.schema.get_field_index("ts_ns")
        table = table.set_column(place, "ts_ns", table["ts_ns"].cast(pa.timestamp("us"), safe=False))
    pq.write_table(
        table, os.path.join(folder, os.path.basename(file)), row_group_size=6_000, **OPTIONS[kind](table.schema)
    )
