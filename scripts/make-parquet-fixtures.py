"""Writes test/fixtures/parquet: small files by several writers, and beside each what pyarrow reads from it.

Run with a Python that has pyarrow, duckdb, polars and fastparquet. The expected rows are an Arrow IPC stream,
`<name>.expected.arrow.gz`, in the plain types that the service gives (text as Utf8, no dictionaries).
"""

import datetime as dt
import decimal
import gzip
import pathlib
import random
import struct
import sys

import duckdb
import fastparquet
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pyarrow.parquet.encryption as pe

from fixture_tables import flat_table, nested_table, plain, with_nulls

HERE = pathlib.Path(__file__).parent.parent / "test" / "fixtures" / "parquet"
random.seed(42)
np.random.seed(42)


def expect(name, table=None):
    """Writes what pyarrow reads from the file, or `table` where pyarrow reads it otherwise than we want."""
    if table is None:
        table = pq.ParquetFile(HERE / f"{name}.parquet").read()
    fields = [pa.field(f.name, plain(f.type), f.nullable) for f in table.schema]
    columns = [c.cast(f.type) if c.type != f.type else c for c, f in zip(table.columns, fields)]
    table = pa.Table.from_arrays([c.combine_chunks() for c in columns], schema=pa.schema(fields))
    with gzip.GzipFile(HERE / f"{name}.expected.arrow.gz", "wb", mtime=0) as file:
        with pa.ipc.new_stream(file, table.schema) as out:
            out.write_table(table)


def write(name, table, **options):
    options.setdefault("compression", "zstd")
    pq.write_table(table, HERE / f"{name}.parquet", **options)
    expect(name)


def many_texts(rows=1500):
    """Text and binary that writers keep in dictionaries, plain, or begin with one and go on with the other."""
    words = ["", "argo", "a text beyond twelve bytes", "Ærø", "日本", "ctd"]
    return pa.table({
        "few": [None if i % 11 == 3 else words[i * i % 6] for i in range(rows)],
        "one": ["argo"] * rows,
        "runs": [None if i // 40 % 3 == 1 else words[i // 100 % 6] for i in range(rows)],
        "grows": [None if i % 7 == 0 else f"station {i // 3}" for i in range(rows)],
        "all": [f"{i * 7919 % rows} {'wörter ' * (i % 5)}" for i in range(rows)],
        "bytes": pa.array([None if i % 5 == 0 else bytes([i % 3, 255]) * (i % 4) for i in range(rows)], pa.binary()),
        "none": pa.nulls(rows, pa.string()),
    })


def by_pyarrow():
    flat, required, nested = flat_table(120), flat_table(40, nullable=False), nested_table(120)
    write("flat-none", flat, compression="none")
    for codec in ["snappy", "gzip", "brotli", "zstd", "lz4"]:
        write(f"flat-v1-{codec}", flat.select(["i32", "f64", "text", "bool"]), compression=codec)
        write(f"flat-v2-{codec}", flat.select(["i32", "f64", "text", "bool"]), compression=codec, data_page_version="2.0")
    write("flat-v2", flat, data_page_version="2.0")
    write("flat-required", required, use_dictionary=False, write_page_checksum=True)
    write("flat-no-hint", flat.drop_columns(["duration"]), store_schema=False)
    write("flat-no-statistics", flat.select(["i64", "text"]), write_statistics=False)
    write("nested-v1", nested, compression="snappy")
    write("nested-v2", nested, data_page_version="2.0")
    write("nested-no-hint", nested, store_schema=False)
    pages = {"data_page_size": 64, "write_batch_size": 8, "row_group_size": 200}
    long = flat_table(500).select(["i64", "f32", "text", "bool", "dec_38", "ts_ns"])
    deep = nested_table(500).select(["list", "texts", "structs", "deep", "map", "id"])
    for version in ["1.0", "2.0"]:
        name = f"v{version[0]}"
        write(f"pages-{name}", long, data_page_version=version, write_page_checksum=True, **pages)
        write(f"pages-{name}-index", long, data_page_version=version, write_page_index=True, **pages)
        write(f"pages-nested-{name}", deep, data_page_version=version, write_page_checksum=True, **pages)
        write(f"pages-nested-{name}-index", deep, data_page_version=version, write_page_index=True, **pages)
    write("pages-nested-v1-snappy", deep, compression="snappy", **pages)
    write("pages-required", flat_table(600, False).select(["i64", "text", "bool", "fixed"]), use_dictionary=False, **pages)
    noise = pa.table({"n": np.random.randint(0, 2**63, 12000), "m": np.random.randint(0, 2**63, 12000)})
    write("pages-of-noise-index", noise, compression="none", use_dictionary=False, data_page_size=8192, write_page_index=True)
    texts = pa.table({"text": [f"station {i * 7919 % 1000}" for i in range(1500)], "n": range(1500)})
    write("dictionary-then-plain", texts, dictionary_pagesize_limit=2000, data_page_size=2000, write_batch_size=100)
    pages = {"row_group_size": 700, "data_page_size": 300, "write_batch_size": 50, "dictionary_pagesize_limit": 1500}
    write("texts-v1", many_texts(), write_page_index=True, **pages)
    write("texts-v2", many_texts(), data_page_version="2.0", **pages)
    numbers = flat_table(300).select(["i32", "i64", "f32", "f64", "text", "bool", "fixed", "dec_38"])
    encodings = {
        "i32": "DELTA_BINARY_PACKED",
        "i64": "DELTA_BINARY_PACKED",
        "f32": "BYTE_STREAM_SPLIT",
        "f64": "BYTE_STREAM_SPLIT",
        "text": "DELTA_BYTE_ARRAY",
        "bool": "RLE",
        "fixed": "BYTE_STREAM_SPLIT",
        "dec_38": "DELTA_BYTE_ARRAY",
    }
    write("encodings", numbers, use_dictionary=False, column_encoding=encodings, data_page_version="2.0")
    lengths = flat.select(["text", "binary"])
    write("delta-lengths", lengths, use_dictionary=False, column_encoding="DELTA_LENGTH_BYTE_ARRAY")
    moments = pa.table({"t": pa.array(with_nulls([i * 10**12 for i in range(50)]), pa.timestamp("ns"))})
    write("int96", moments, use_deprecated_int96_timestamps=True)
    write("int96-no-hint", moments, use_deprecated_int96_timestamps=True, store_schema=False)
    # Beyond the years that nanoseconds reach; pyarrow reads all INT96 as nanoseconds, which then wrap.
    far = pa.table({"t": pa.array([-62135596800000000, None, 0, 253402300799999999], pa.timestamp("us"))})
    pq.write_table(far, HERE / "int96-far.parquet", use_deprecated_int96_timestamps=True)
    expect("int96-far", far)
    nested_int96()
    odd = pa.table({
        "null": pa.nulls(30),
        "all_null": pa.nulls(30, pa.string()),
        "dictionary": pa.array(with_nulls(["a", "b", "c"] * 10)).dictionary_encode(),
        "large_text": pa.array(["x", None, "yz"] * 10, pa.large_string()),
        "text_view": pa.array(["x", None, "a text beyond twelve bytes"] * 10, pa.string_view()),
        "binary_view": pa.array([b"x", None, b"\x00" * 20] * 10, pa.binary_view()),
        "large_binary": pa.array([b"x", None, b""] * 10, pa.large_binary()),
        "date64": pa.array(range(0, 30 * 86400000, 86400000), pa.date64()),
        "ts_s": pa.array(range(30), pa.timestamp("s")),
        "time_s": pa.array(range(30), pa.time32("s")),
        "dec_32": pa.array([decimal.Decimal(i) / 10 for i in range(30)], pa.decimal32(5, 1)),
        "dec_64": pa.array([decimal.Decimal(-i) / 10 for i in range(30)], pa.decimal64(12, 1)),
        "uuid": pa.array([bytes([i] * 16) for i in range(30)], pa.uuid()),
        "json": pa.array(['{"a": 1}'] * 30, pa.json_()),
    })
    pq.write_table(odd, HERE / "odd-types.parquet", compression="zstd")
    read = pq.ParquetFile(HERE / "odd-types.parquet").read()
    storage = [c.cast(c.type.storage_type) if isinstance(c.type, pa.BaseExtensionType) else c for c in read.columns]
    # pyarrow gives date64 back as date32, though the file's Arrow schema says otherwise.
    storage = [c.cast(pa.date64()) if c.type == pa.date32() else c for c in storage]
    expect("odd-types", pa.table(dict(zip(read.column_names, storage))))
    names = ["", " ", "a.b", '"quoted"', "日本", "__proto__", "constructor", "A", "a", "x" * 300]
    write("names", pa.Table.from_arrays([pa.array([i, None]) for i in range(len(names))], names=names))
    write("empty", flat_table(0))
    write("nested-empty", nested_table(0))
    write("no-columns", pa.table({"a": [1, 2]}).select([]))
    schema = pa.schema([("a", pa.int64()), ("s", pa.string())])
    with pq.ParquetWriter(HERE / "empty-groups.parquet", schema, compression="zstd") as out:
        for part in [{"a": [], "s": []}, {"a": [1, 2], "s": ["x", None]}, {"a": [], "s": []}]:
            out.write_table(pa.table(part, schema=schema))
    expect("empty-groups")
    floats = {"nan": [float("nan")] * 4, "some_nan": [float("nan"), 1.0, -1.0, None], "zeros": [0.0, 0.0, 0.0, 0.0]}
    write("statistics-floats", pa.table(floats))
    encrypted(flat.select(["i32", "text"]))


def nested_int96():
    """INT96 in lists and structs, with and without the Arrow schema, and beyond the years that nanoseconds reach.

    The files named `refused-…` have no expected rows: they are for being refused.
    """

    def nested(unit, moments):
        t = pa.timestamp(unit)
        required = pa.struct([pa.field("t", t, nullable=False), pa.field("n", pa.int64())])
        few = [None if i % 4 == 1 else [moments[i % 7], None][: i % 3] for i in range(40)]
        return pa.table({
            "id": range(40),
            "list": pa.array(few, pa.list_(t)),
            "pair": pa.array([None if i % 3 == 1 else [moments[i % 7]] * 2 for i in range(40)], pa.list_(t, 2)),
            "struct": pa.array([None if i % 5 == 2 else {"t": moments[i % 7], "n": i} for i in range(40)], required),
            "map": pa.array([[(f"k{k}", moments[(i + k) % 7]) for k in range(i % 3)] for i in range(40)], pa.map_(pa.string(), t)),
        })

    # The least and the greatest that nanoseconds reach are among them.
    near = nested("ns", [0, 1, -1, -(2**63), 2**63 - 1, 10**18 + 1, -86400 * 10**9 - 1])
    far = nested("us", [0, 253402300799999999, -62135596800000000, 1, -1, 32503680000000000, 0])
    far_ns = nested("us", [0, 1, 32503680000000000, -1, 2, 3, 4])
    options = {"use_deprecated_int96_timestamps": True, "compression": "zstd"}
    for name, table, store_schema in [
        ("int96-nested", near, True),
        ("int96-nested-no-hint", near, False),
        ("int96-nested-far", far, True),
        ("refused-int96-nested", far_ns, False),
        ("refused-int96", pa.table({"t": far["struct"].combine_chunks().flatten()[0], "id": range(40)}), False),
    ]:
        pq.write_table(table, HERE / f"{name}.parquet", store_schema=store_schema, **options)
        if not name.startswith("refused"):
            expect(name, table if store_schema else None)


class Kms(pe.KmsClient):
    """Wraps no key: the files are for being refused."""

    def __init__(self, _):
        super().__init__()

    def wrap_key(self, key, _):
        return key.hex()

    def unwrap_key(self, key, _):
        return bytes.fromhex(key)


def encrypted(table):
    factory = pe.CryptoFactory(Kms)
    for name, plain_footer in [("encrypted-footer", False), ("encrypted-column", True)]:
        config = pe.EncryptionConfiguration(
            footer_key="f", column_keys={"c": ["text"]}, plaintext_footer=plain_footer, double_wrapping=False
        )
        properties = factory.file_encryption_properties(pe.KmsConnectionConfig(), config)
        pq.write_table(table, HERE / f"{name}.parquet", encryption_properties=properties)


def by_duckdb():
    query = """
        SELECT i::TINYINT AS i8, i::UBIGINT AS u64, i * 1.5 AS f64, (i * 0.25)::DECIMAL(7, 2) AS dec,
          (i * 1e10)::DECIMAL(38, 4) AS dec38, 'text ' || i AS text, DATE '2020-01-01' + i::INT AS date,
          TIME '01:02:03.000004' AS time, TIMESTAMP '2020-01-01 00:00:00.000001' + INTERVAL (i) HOUR AS ts,
          (TIMESTAMP '2020-01-01' + INTERVAL (i) HOUR)::TIMESTAMP_NS AS ts_ns,
          TIMESTAMPTZ '2020-01-01 00:00:00+00' + INTERVAL (i) HOUR AS tstz,
          i % 2 = 0 AS bool, ('\\x00' || chr((65 + i % 26)::INT))::BLOB AS blob,
          ['argo', 'ctd'][1 + i % 2]::ENUM ('argo', 'ctd') AS platform,
          [i, NULL, i + 1] AS list, {'a': i, 'b': [i::VARCHAR]} AS struct, MAP {'k' || i: i} AS map,
          CASE WHEN i % 5 = 0 THEN NULL ELSE i END AS nullable,
          INTERVAL (i) MONTH + INTERVAL (i * 2) DAY + INTERVAL (i * 3) SECOND AS span
        FROM range(100) t(i)
    """
    for version in ["V1", "V2"]:
        name = f"duckdb-{version.lower()}"
        path = HERE / f"{name}.parquet"
        duckdb.sql(f"COPY ({query}) TO '{path}' (FORMAT parquet, COMPRESSION zstd, PARQUET_VERSION {version})")
        expect(name, with_intervals(pq.ParquetFile(path).read(), "span"))
    texts = many_texts()
    for version in ["V1", "V2"]:
        name = f"duckdb-texts-{version.lower()}"
        options = f"FORMAT parquet, COMPRESSION zstd, PARQUET_VERSION {version}, ROW_GROUP_SIZE 2048"
        duckdb.sql(f"COPY (FROM texts UNION ALL FROM texts) TO '{HERE / name}.parquet' ({options})")
        expect(name)
    variants()
    uuid = "SELECT ('00000000-0000-0000-0000-0000000000' || (10 + i))::UUID AS uuid FROM range(20) t(i)"
    duckdb.sql(f"COPY ({uuid}) TO '{HERE / 'duckdb-uuid.parquet'}' (FORMAT parquet)")
    read = pq.ParquetFile(HERE / "duckdb-uuid.parquet").read()
    expect("duckdb-uuid", pa.table({"uuid": [c.bytes for c in read["uuid"].to_pylist()]}, pa.schema([("uuid", pa.binary(16))])))


def with_intervals(table, name):
    """pyarrow reads an INTERVAL as the 12 bytes that it is stored in."""
    parts = [struct.unpack("<III", each.as_py()) for each in table[name]]
    type = pa.month_day_nano_interval()
    values = pa.array([(months, days, milliseconds * 10**6) for months, days, milliseconds in parts], type)
    return table.set_column(table.schema.get_field_index(name), pa.field(name, type), values)


def variants():
    """Columns of VARIANT, shredded as DuckDB sees fit and as it is told. pyarrow reads them as the structs they are stored as."""
    mixed = """
        CASE i % 6 WHEN 0 THEN i::VARIANT WHEN 1 THEN ('t' || i)::VARIANT WHEN 2 THEN {'a': i, 'b': 'x' || i}::VARIANT
          WHEN 3 THEN [i, i + 1]::VARIANT WHEN 4 THEN {'a': 'no number', 'c': DATE '2020-01-01'}::VARIANT ELSE NULL END
    """
    query = f"SELECT i AS id, {mixed} AS guessed, {mixed} AS objects, {mixed} AS numbers, {mixed} AS lists FROM range(60) t(i)"
    shredding = "{'objects': 'STRUCT(a BIGINT, d STRUCT(e VARCHAR))', 'numbers': 'BIGINT', 'lists': 'BIGINT[]'}"
    path = HERE / "duckdb-variant.parquet"
    duckdb.sql(f"COPY ({query}) TO '{path}' (FORMAT parquet, COMPRESSION zstd, SHREDDING {shredding})")
    expect("duckdb-variant")


def by_polars():
    frame = pl.DataFrame({
        "text": [None if i % 6 == 1 else f"t{i % 9}" for i in range(200)],
        "category": pl.Series([["a", "b", "c"][i % 3] for i in range(200)], dtype=pl.Categorical),
        "list": [[i, None] * (i % 3) for i in range(200)],
        "when": pl.Series([dt.datetime(2020, 1, 1) + dt.timedelta(i) for i in range(200)], dtype=pl.Datetime("ns")),
        "f": np.random.rand(200),
        "span": pl.Series([dt.timedelta(seconds=i) for i in range(200)], dtype=pl.Duration("ms")),
        "struct": [{"a": i, "b": str(i)} for i in range(200)],
    })
    frame.write_parquet(HERE / "polars.parquet", compression="zstd", row_group_size=80, data_page_size=256)
    expect("polars")


def by_fastparquet():
    frame = pd.DataFrame({
        "i": np.arange(100),
        "f": np.where(np.arange(100) % 7 == 0, np.nan, np.arange(100) / 3),
        "text": [f"s{i % 5}" for i in range(100)],
        "when": pd.date_range("2020-01-01", periods=100, freq="h"),
        "category": pd.Categorical([["x", "y"][i % 2] for i in range(100)]),
        "maybe": pd.array([None if i % 4 == 0 else i for i in range(100)], dtype="Int32"),
        "bool": [i % 2 == 0 for i in range(100)],
    })
    fastparquet.write(str(HERE / "fastparquet.parquet"), frame, compression="GZIP", row_group_offsets=[0, 60])
    expect("fastparquet")


HERE.mkdir(parents=True, exist_ok=True)
for old in HERE.glob("*.*"):
    old.unlink()
for make in [by_pyarrow, by_duckdb, by_polars, by_fastparquet]:
    try:
        make()
    except Exception as error:
        print(make.__name__, type(error).__name__, error, file=sys.stderr)
        raise
print(sum(path.stat().st_size for path in HERE.iterdir()), "bytes")
