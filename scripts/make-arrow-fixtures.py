"""Writes test/fixtures/arrow: small files and streams by several writers, and beside each what pyarrow reads from it.

Run with a Python that has pyarrow and polars. The expected rows are an Arrow IPC stream, `<name>.expected.arrow.gz`, in
the plain types that the service gives (text as Utf8, no dictionaries).
"""

import datetime as dt
import decimal
import gzip
import pathlib
import sys

import polars as pl
import pyarrow as pa

from fixture_tables import flat_table, nested_table, plain, with_nulls

HERE = pathlib.Path(__file__).parent.parent / "test" / "fixtures" / "arrow"


def array(values, type_, every=7):
    return pa.array(with_nulls(list(values), every), type_)


def odd_table(rows):
    """The types that Parquet has not, and the encodings of text."""
    r = range(rows)
    texts = ["", "a", "grün", "日本", "a text that no view holds inline", "x" * 40]
    text = [texts[i % 6] for i in r]
    binary = [t.encode() for t in text]
    point = pa.struct([pa.field("view", pa.string_view()), pa.field("flag", pa.bool_())])
    return pa.table({
        "nothing": pa.nulls(rows),
        "dec_32": array((decimal.Decimal(i - 60) / 100 for i in r), pa.decimal32(9, 2)),
        "dec_64": array((decimal.Decimal(i * 10**12 - 5) / 1000 for i in r), pa.decimal64(18, 3)),
        "date_64": array((i * 86_400_000 for i in r), pa.date64()),
        "time_s": array(r, pa.time32("s")),
        "ts_s": array(r, pa.timestamp("s", "+02:00")),
        "dur_s": array(r, pa.duration("s")),
        "dur_ms": array(r, pa.duration("ms")),
        "dur_ns": array(r, pa.duration("ns")),
        "interval": array(((i, i - 3, i * 10**9) for i in r), pa.month_day_nano_interval()),
        "large_text": array(text, pa.large_string()),
        "large_binary": array(binary, pa.large_binary()),
        "text_view": array(text, pa.string_view()),
        "binary_view": array(binary, pa.binary_view()),
        "views": array(([t, None, t + "!" * 20][: i % 4] for i, t in enumerate(text)), pa.list_(pa.string_view())),
        "points": array(({"view": t, "flag": i % 3 == 0} for i, t in enumerate(text)), point),
        "triples": array(([t, t, None] for t in text), pa.list_(pa.large_string(), 3)),
        "required": pa.array(text),
        "all_null": pa.array([None] * rows, pa.string()),
    })


def dictionary_table(rows):
    r = range(rows)
    text = [["red", "grün", "", "a longer name of a colour"][i * i % 4] for i in r]
    nested = pa.dictionary(pa.int8(), pa.string())
    values = pa.array(["a", None, "c"])
    structs = pa.array([{"x": 1, "y": "one"}, {"x": 2, "y": None}, None])
    lists = pa.ListArray.from_arrays(
        pa.array([min(2 * i, rows) for i in range(rows // 2 + 1)], pa.int32()),
        pa.array(text).dictionary_encode(),
    )
    return pa.table({
        "i8": array(text, pa.dictionary(pa.int8(), pa.string())),
        "u16": array(text, pa.dictionary(pa.uint16(), pa.string(), ordered=True)),
        "u64": array(text, pa.dictionary(pa.uint64(), pa.large_string())),
        "numbers": array((i % 5 * 1.5 for i in r), pa.dictionary(pa.int32(), pa.float64())),
        "null_values": pa.DictionaryArray.from_arrays(array((i % 3 for i in r), pa.int32()), values),
        "structs": pa.DictionaryArray.from_arrays(array((i % 3 for i in r), pa.int64()), structs),
        "all_null": pa.array([None] * rows, nested),
        "lists": pa.concat_arrays([lists, pa.array([None] * (rows - len(lists)), lists.type)]),
        "inner": pa.StructArray.from_arrays([pa.array(text).dictionary_encode()], ["colour"]),
    })


def with_metadata(table):
    fields = [f.with_metadata({"units": f.name}) for f in table.schema]
    return table.cast(pa.schema(fields, metadata={"title": "fixtures"}))


def expect(name, tables):
    """Writes what the tables hold, one after the other, in plain types."""
    schema = pa.schema([pa.field(f.name, plain(f.type), f.nullable) for f in tables[0].schema])
    with gzip.GzipFile(HERE / f"{name}.expected.arrow.gz", "wb", mtime=0) as file:
        with pa.ipc.new_stream(file, schema) as out:
            for table in tables:
                columns = [convert(c.combine_chunks(), f.type) for c, f in zip(table.columns, schema)]
                out.write_table(pa.Table.from_arrays(columns, schema=schema) if columns else table)


def convert(column, type_):
    if column.type == type_:
        return column
    # Casts lack many pairs of these types.
    through_python = pa.types.is_dictionary(column.type) or pa.types.is_nested(type_)
    return pa.array(column.to_pylist(), type_) if through_python else column.cast(type_)


def write(name, batches, kind, schema=None, expected=None, **options):
    """Batches as tables; a file or a stream."""
    schema = schema or batches[0].schema
    new = {"file": pa.ipc.new_file, "stream": pa.ipc.new_stream}[kind]
    with new(HERE / f"{name}.arrow", schema, options=pa.ipc.IpcWriteOptions(**options)) as out:
        for table in batches:
            for batch in table.combine_chunks().to_batches() or [pa.RecordBatch.from_pylist([], schema)]:
                out.write_batch(batch)
    expect(name, expected or batches)


def parts(table, *sizes):
    """The table in batches of such sizes, as slices with offsets of their own."""
    result, at = [], 0
    for size in sizes:
        result.append(table.slice(at, size))
        at += size
    return result


def by_pyarrow():
    flat, nested, odd = flat_table(100), nested_table(100), odd_table(100)
    for name, table in [("flat", with_metadata(flat)), ("nested", nested), ("odd", odd)]:
        write(f"{name}-file", parts(table, 37, 0, 63), "file")
        write(f"{name}-stream-lz4", parts(table, 37, 63), "stream", compression="lz4")
        write(f"{name}-file-zstd", parts(table, 37, 63), "file", compression="zstd")
    small = flat.select(["i32", "text", "bool"])
    write("required", [flat_table(20, nullable=False)], "stream")
    write("many-batches", parts(small, *[1 + i % 3 for i in range(50)]), "file", compression="lz4")
    write("legacy", parts(nested, 50, 50), "stream", metadata_version=pa.ipc.MetadataVersion.V4, use_legacy_format=True)
    write("version-4", parts(nested, 50, 50), "file", metadata_version=pa.ipc.MetadataVersion.V4)
    write("empty-file", [], "file", schema=small.schema, expected=[small.slice(0, 0)])
    write("empty-stream", [], "stream", schema=small.schema, expected=[small.slice(0, 0)])
    # Long enough that some buffers stay uncompressed and some do not.
    write("mixed-lz4", [pa.table({"runs": [i // 500 for i in range(3000)], "noise": [i * 7919 % 3001 / 7 for i in range(3000)]})], "file", compression="lz4")

    table = dictionary_table(60)
    write("dictionaries-file", [table], "file")
    write("dictionaries-stream-zstd", parts(table, 20, 40), "stream", compression="zstd")
    colours = ["red", "grün", "", "blue", "a longer name of a colour"]
    type_ = pa.dictionary(pa.int8(), pa.string())
    grown = [pa.table({"colour": pa.DictionaryArray.from_arrays([k % n for k in range(8)], colours[:n]), "n": range(8)}) for n in (2, 3, 5)]
    for kind in ["file", "stream"]:
        write(f"deltas-{kind}", grown, kind, emit_dictionary_deltas=True)
    others = [pa.table({"colour": pa.array(each, type_), "n": range(2)}) for each in (["a", "b"], ["c", "a"], [None, "c"])]
    write("replaced-stream", others, "stream")

    rows = pa.RecordBatch.from_struct_array(pa.array([{}] * 5, pa.struct([])))
    with pa.ipc.new_file(HERE / "no-columns.arrow", rows.schema) as out:
        out.write_batch(rows)
    with gzip.GzipFile(HERE / "no-columns.expected.arrow.gz", "wb", mtime=0) as file:
        with pa.ipc.new_stream(file, rows.schema) as out:
            out.write_batch(rows)


def by_polars():
    frame = pl.DataFrame({
        "id": pl.Series(range(50), dtype=pl.UInt32),
        "text": [None if i % 5 == 1 else ["a", "grün", "a text that no view holds inline"][i % 3] for i in range(50)],
        "category": pl.Series([["x", "y", None][i % 3] for i in range(50)], dtype=pl.Categorical),
        "enum": pl.Series([["low", "high"][i % 2] for i in range(50)], dtype=pl.Enum(["low", "high"])),
        "list": [[i, None] if i % 4 else [] for i in range(50)],
        "point": [{"x": i / 2, "label": f"label of point {i}"} for i in range(50)],
        "time": [dt.datetime(2020, 1, 1) + dt.timedelta(hours=i) for i in range(50)],
        "flag": [None if i % 6 == 0 else i % 2 == 0 for i in range(50)],
    })
    for codec in ["uncompressed", "lz4", "zstd"]:
        frame.write_ipc(HERE / f"polars-{codec}.arrow", compression=codec)
        expect(f"polars-{codec}", [pa.ipc.open_file(HERE / f"polars-{codec}.arrow").read_all()])
    frame.write_ipc_stream(HERE / "polars-stream.arrow", compression="lz4", compat_level=pl.CompatLevel.oldest())
    expect("polars-stream", [pa.ipc.open_stream(HERE / "polars-stream.arrow").read_all()])


def refused():
    """Files that cannot be read, without expected rows."""
    def stream(name, table, **options):
        with pa.ipc.new_stream(HERE / f"refused-{name}.arrow", table.schema, options=pa.ipc.IpcWriteOptions(**options)) as out:
            out.write_table(table)

    stream("union", pa.table({"id": [1], "either": pa.UnionArray.from_sparse(pa.array([0], pa.int8()), [pa.array([1]), pa.array(["a"])])}))
    stream("run-end", pa.table({"id": [1], "runs": pa.RunEndEncodedArray.from_arrays(pa.array([1], pa.int32()), pa.array(["a"]))}))
    stream("list-view", pa.table({"id": [1], "lists": pa.array([[1]], pa.list_view(pa.int32()))}))


HERE.mkdir(parents=True, exist_ok=True)
by_pyarrow()
by_polars()
refused()
sys.stdout.write(f"{len(list(HERE.iterdir()))} files, {sum(f.stat().st_size for f in HERE.iterdir())} bytes\n")
