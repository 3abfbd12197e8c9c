"""Writes files of intervals, nanoseconds with a zone, times of day and durations to test/fixtures/parquet and test/fixtures/arrow,
by several writers, and beside each the rows that are expected of it.

Run with a Python that has pyarrow, duckdb, pandas and polars. The files are the same in every run, but for the versions of their writers.
"""

import datetime as dt
import gzip
import pathlib

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

FIXTURES = pathlib.Path(__file__).parent.parent / "test" / "fixtures"
PARQUET = FIXTURES / "parquet"
INTERVAL = pa.month_day_nano_interval()

# Nanoseconds since 1970: the first and the last that 64 bits hold, around 1970, and around changes of the clock in Paris.
NANOSECONDS = [
    -(2**63) + 1, -1, 0, 1, 999, 1_000, -1_000, -1_001, -999_999_999, 2**63 - 1, None,
    1_585_443_599_999_999_999, 1_585_443_600_000_000_000, 1_603_587_600_000_000_001, 1_603_584_000_000_000_001,
    -2_208_988_800_000_000_001, 1_704_067_200_123_456_789, 1_709_164_800_000_000_999,
]
DAY = 86_400 * 10**9
ROWS = 60


def expect(path, table):
    with gzip.GzipFile(path.with_suffix(".expected.arrow.gz"), "wb", mtime=0) as file:
        with pa.ipc.new_stream(file, table.schema) as out:
            out.write_table(table)


def nanoseconds(row):
    """Of a row: those above, and then some days apart."""
    if row < len(NANOSECONDS):
        return NANOSECONDS[row]
    return 1_704_067_200_000_000_000 + (row - len(NANOSECONDS)) * (DAY + 3_600_000_000_001)


def intervals():
    """INTERVAL of Parquet has months, days and milliseconds without a sign. Only DuckDB writes it."""
    query = """
        SELECT i AS n, CASE WHEN i % 7 = 3 THEN NULL ELSE
          INTERVAL (i % 5) MONTH + INTERVAL ((i * 3) % 40) DAY + INTERVAL (i * 1234567) MILLISECOND END AS span,
          [INTERVAL (i) MONTH, NULL, INTERVAL (i) DAY] AS spans, {'a': INTERVAL (i) SECOND} AS s,
          CASE WHEN i % 3 = 0 THEN NULL ELSE {'a': INTERVAL (i) HOUR} END AS maybe, MAP {i: INTERVAL (i) MINUTE} AS m
        FROM range(40) t(i) ORDER BY i
    """
    path = PARQUET / "duckdb-intervals.parquet"
    duckdb.sql(f"COPY ({query}) TO '{path}' (FORMAT parquet, COMPRESSION zstd)")
    rows = range(40)
    second = 10**9
    expected = {
        "n": pa.array(rows, pa.int64()),
        "span": pa.array(
            [None if i % 7 == 3 else (i % 5, i * 3 % 40, i * 1_234_567 * 10**6) for i in rows], INTERVAL),
        "spans": pa.array([[(i, 0, 0), None, (0, i, 0)] for i in rows], pa.list_(INTERVAL)),
        "s": pa.array([{"a": (0, 0, i * second)} for i in rows], pa.struct({"a": INTERVAL})),
        "maybe": pa.array(
            [None if i % 3 == 0 else {"a": (0, i // 24, i % 24 * 3600 * second)} for i in rows], pa.struct({"a": INTERVAL})),
        "m": pa.array([[(i, (0, 0, i * 60 * second))] for i in rows], pa.map_(pa.int64(), INTERVAL)),
    }
    # The names of lists and maps inside are those of the file.
    schema = pq.read_schema(path)
    fields = []
    for field in schema:
        type = expected[field.name].type
        if pa.types.is_list(field.type):
            type = pa.list_(pa.field(field.type.value_field.name, INTERVAL))
        fields.append(pa.field(field.name, type, field.nullable))
    columns = [expected[f.name].cast(f.type) for f in fields]
    expect(path, pa.Table.from_arrays(columns, schema=pa.schema(fields)))


def spans():
    """Times of day and durations."""
    rows = range(ROWS)
    of_day = [None if i % 9 == 4 else (i * 7919 * 10**9 + i) % DAY for i in rows]
    lengths = [None if i % 8 == 5 else (i - 30) * (DAY + 1) for i in rows]
    return {
        "time": pa.array(of_day, pa.time64("ns")),
        "time_us": pa.array([None if t is None else t // 1000 for t in of_day], pa.time64("us")),
        "span": pa.array(lengths, pa.duration("ns")),
        "span_us": pa.array([None if d is None else d // 1000 for d in lengths], pa.duration("us")),
        "span_ms": pa.array([None if d is None else d // 10**6 for d in lengths], pa.duration("ms")),
        "span_s": pa.array([None if d is None else d // 10**9 for d in lengths], pa.duration("s")),
    }


def by_pyarrow():
    rows = range(ROWS)
    times = [nanoseconds(i) for i in rows]
    table = pa.table({
        "n": pa.array(rows, pa.int32()),
        "t": pa.array(times, pa.timestamp("ns", "UTC")),
        "paris": pa.array(times, pa.timestamp("ns", "Europe/Paris")),
        "offset": pa.array(times, pa.timestamp("ns", "+05:30")),
        "local": pa.array(times, pa.timestamp("ns")),
        "micros": pa.array([None if t is None else t // 1000 for t in times], pa.timestamp("us", "UTC")),
        **spans(),
    })
    path = PARQUET / "nanoseconds.parquet"
    pq.write_table(table, path, row_group_size=20, compression="zstd")
    expect(path, table)
    path = FIXTURES / "arrow" / "nanoseconds.arrow"
    months = pa.array([None if i % 6 == 2 else (i - 30, 30 - i, (i - 20) * 10**9 + i) for i in rows], INTERVAL)
    with_months = table.append_column("months", months)
    with pa.ipc.new_file(path, with_months.schema) as out:
        for batch in with_months.to_batches(max_chunksize=20):
            out.write_batch(batch)
    expect(path, with_months)


def by_pandas():
    times = pd.to_datetime([nanoseconds(i) for i in range(ROWS)], utc=True).as_unit("ns")
    frame = pd.DataFrame({
        "n": range(ROWS),
        "t": times,
        "paris": times.tz_convert("Europe/Paris"),
        "span": pd.to_timedelta([(i - 30) * (DAY + 1) for i in range(ROWS)], unit="ns"),
    })
    path = PARQUET / "pandas-nanoseconds.parquet"
    frame.to_parquet(path, engine="pyarrow", row_group_size=20)
    read = pq.ParquetFile(path).read()
    expect(path, pa.Table.from_arrays(read.columns, schema=pa.schema(list(read.schema))))


def by_polars():
    times = pl.Series([nanoseconds(i) for i in range(ROWS)], dtype=pl.Int64).cast(pl.Datetime("ns"))
    frame = pl.DataFrame({
        "n": range(ROWS),
        "t": times.dt.replace_time_zone("UTC"),
        "paris": times.dt.replace_time_zone("UTC").dt.convert_time_zone("Europe/Paris"),
        "time": pl.Series([(i * 7919 * 10**9 + i) % DAY for i in range(ROWS)], dtype=pl.Int64).cast(pl.Time),
        "span": pl.Series([(i - 30) * (DAY + 1) for i in range(ROWS)], dtype=pl.Int64).cast(pl.Duration("ns")),
    })
    path = PARQUET / "polars-nanoseconds.parquet"
    frame.write_parquet(path, compression="zstd", row_group_size=20)
    read = pq.ParquetFile(path).read()
    expect(path, pa.Table.from_arrays(read.columns, schema=pa.schema(list(read.schema))))


def as_spark():
    """As Spark writes times unless it is told otherwise: INT96, without an Arrow schema; and as it does when it is: microseconds in UTC."""
    rows = [i for i in range(ROWS) if nanoseconds(i) is None or abs(nanoseconds(i)) < 2**62]
    times = [nanoseconds(i) for i in rows]
    ids = pa.array(rows, pa.int32())
    local = pa.array(times, pa.timestamp("ns"))
    path = PARQUET / "spark-int96.parquet"
    table = pa.table({"n": ids, "t": local})
    pq.write_table(table, path, row_group_size=20, use_deprecated_int96_timestamps=True, store_schema=False)
    expect(path, table)
    path = PARQUET / "spark-micros.parquet"
    micros = pa.array([None if t is None else t // 1000 for t in times], pa.timestamp("us", "UTC"))
    table = pa.table({"n": ids, "t": micros})
    pq.write_table(table, path, row_group_size=20, store_schema=False)
    expect(path, table)


for make in [intervals, by_pyarrow, by_pandas, by_polars, as_spark]:
    make()
