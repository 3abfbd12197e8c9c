"""Writes test/fixtures/csv: small files by several writers, and beside each the rows that were written.

Run with a Python that has pyarrow, duckdb, polars and pandas. The expected rows are an Arrow IPC stream,
`<name>.expected.arrow.gz`, in the types that the service infers; an empty text is a null.
"""

import datetime as dt
import gzip
import pathlib

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv as pc

HERE = pathlib.Path(__file__).parent.parent / "test" / "fixtures" / "csv"
FLOATS = [0.0, -0.0, 0.1, 1e300, 5e-324, -1.7976931348623157e308, 123456789.123456789, 1e16, 1e-7, float("inf"), float("nan")]
TEXTS = ["plain", "grün, 日本", 'a "quoted" word', "two\nlines", "carriage\r\nreturn", "  spaces ", '"', ",", "n/a", "1", "x" * 200]


def with_nulls(values, every):
    return [None if i % every == every - 1 else v for i, v in enumerate(values)]


def table(rows, unit="us", nan=True):
    """One column of every type that is inferred, with nulls. `unit`: what the writer's fractions come to."""
    r = range(rows)
    start = dt.datetime(1999, 12, 31, 23, 59, 58, 123000)
    floats = FLOATS if nan else FLOATS[:-1]
    return pa.table(
        {
            "id": pa.array([(i * 72340172838076673) % 2**64 - 2**63 for i in r], pa.int64()),
            "value": pa.array(with_nulls([floats[i % len(floats)] for i in r], 7), pa.float64()),
            "flag": pa.array(with_nulls([i % 3 == 0 for i in r], 5), pa.bool_()),
            "day": pa.array(with_nulls([dt.date(1900, 2, 28) + dt.timedelta(i * 37) for i in r], 6), pa.date32()),
            "time": pa.array([start + dt.timedelta(days=i, milliseconds=i) for i in r], pa.timestamp(unit)),
            "text": pa.array(with_nulls([TEXTS[i % len(TEXTS)] for i in r], 4), pa.string()),
            "A b,c\"d": pa.array([i % 100 for i in r], pa.int64()),
        }
    )


def expect(name, expected):
    """An empty text cannot be told from a null."""
    stream = pa.BufferOutputStream()
    with pa.ipc.new_stream(stream, expected.schema) as writer:
        writer.write_table(expected)
    # No time in the header: the same rows give the same bytes.
    (HERE / f"{name}.expected.arrow.gz").write_bytes(gzip.compress(stream.getvalue().to_pybytes(), mtime=0))


def path(name):
    return HERE / f"{name}.csv"


HERE.mkdir(parents=True, exist_ok=True)
rows = 300

written = table(rows)
pc.write_csv(written, path("pyarrow"))
expect("pyarrow", written)

pc.write_csv(written.drop_columns(["text", 'A b,c"d']), path("pyarrow-unquoted"), pc.WriteOptions(quoting_style="none", quoting_header="none"))
expect("pyarrow-unquoted", written.drop_columns(["text", 'A b,c"d']))

written = table(rows, nan=False)
written.to_pandas(types_mapper=pd.ArrowDtype).to_csv(path("pandas"), index=False)
expect("pandas", written.set_column(4, "time", written["time"].cast("timestamp[us]")))

frame = pd.DataFrame({"a": [1, 2, 3], "b": ["x", None, "z"]})
frame.to_csv(path("pandas-index-crlf"), lineterminator="\r\n", encoding="utf-8-sig")
expect("pandas-index-crlf", pa.table({"": pa.array([0, 1, 2], pa.int64()), "a": frame["a"], "b": pa.array(["x", None, "z"])}))

pd.DataFrame({"only": [1, None, 3, None]}, dtype="Int64").to_csv(path("pandas-one-column"), index=False)
expect("pandas-one-column", pa.table({"only": pa.array([1, None, 3, None], pa.int64())}))

written = table(rows, "ms")
duckdb.sql("COPY (FROM written) TO '%s' (HEADER)" % path("duckdb"))
expect("duckdb", written)

written = table(rows, "ms")
pl.from_arrow(written).write_csv(path("polars"))
expect("polars", written)

written = table(rows).slice(0, 0)
pl.from_arrow(written).write_csv(path("header-only"))
expect("header-only", pa.table({name: pa.nulls(0) for name in written.column_names}))

seconds = pa.table(
    {
        "s": pa.array([dt.datetime(2020, 1, 1), dt.datetime(2020, 1, 2, 3, 4, 5)], pa.timestamp("s")),
        "ns": pa.array([1, 1640995198123456789], pa.timestamp("ns")),
        "mixed": pa.array([1.0, 2.5], pa.float64()),
        "text": pa.array(["1", "x"]),
        "none": pa.nulls(2),
    }
)
path("inference").write_text(
    "s,ns,mixed,text,none\n2020-01-01,1970-01-01T00:00:00.000000001Z,1,1,\n"
    '2020-01-02 03:04:05,2022-01-01T01:59:58.123456789+02:00,"2.5",x,""'
)
expect("inference", seconds)
