"""
Other programs that write files of the same rows: writers_peer.py copy|netcdf|grid|odv. Writes a line with the names of what it uses for
that, then answers each line of standard input, `{"do": "netcdf", "from": "rows.parquet", "to": "file.nc"}`, with the milliseconds from
opening the one file to closing the other. `do` is the name of a function below. `netcdf` and `odv` take columns as they are, and `grid`
takes all but the last column as dimensions. `copy` runs a statement `sql` of DuckDB.
"""

import json
import os
import sys
import time
import zipfile

import duckdb
import netCDF4
import numpy
import pandas
import pyarrow
import pyarrow.parquet

THREADS = 2

# Values of a chunk: netCDF4 takes far smaller ones if it is not told.
CHUNK = 131072

connection = duckdb.connect(":memory:", config={"threads": THREADS})
pyarrow.set_cpu_count(THREADS)


def copy(asked):
    connection.execute(asked["sql"])


def values_of(column):
    """Numbers, with NaN for null, or microseconds since 1970."""
    if pyarrow.types.is_timestamp(column.type):
        column = column.cast(pyarrow.timestamp("us")).cast(pyarrow.int64())
    return column.to_numpy()


def netcdf(asked):
    table = pyarrow.parquet.read_table(asked["from"], columns=asked["columns"])
    with netCDF4.Dataset(asked["to"], "w") as dataset:
        dataset.createDimension("obs", None)
        for name in table.column_names:
            values = values_of(table[name])
            variable = dataset.createVariable(name, values.dtype, ("obs",), chunksizes=(CHUNK,), fill_value=False)
            variable[:] = values


def grid(asked):
    table = pyarrow.parquet.read_table(asked["from"])
    *dimensions, last = table.column_names
    factored = [pandas.factorize(values_of(table[name]), sort=True) for name in dimensions]
    values = values_of(table[last])
    cells = numpy.full([len(distinct) for _, distinct in factored], numpy.nan, values.dtype)
    cells[tuple(codes for codes, _ in factored)] = values
    with netCDF4.Dataset(asked["to"], "w") as dataset:
        for name, (_, distinct) in zip(dimensions, factored):
            dataset.createDimension(name, len(distinct))
            dataset.createVariable(name, distinct.dtype, (name,))[:] = distinct
        dataset.createVariable(last, values.dtype, dimensions, fill_value=False)[:] = cells


def odv(asked):
    text = f"{asked['to']}.txt"
    order = ", ".join(asked["order"])
    connection.execute(
        f"COPY (SELECT * FROM '{asked['from']}' ORDER BY {order}) TO '{text}' (FORMAT csv, HEADER, DELIMITER '\t')"
    )
    with zipfile.ZipFile(asked["to"], "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(text, "profile.txt")
    os.unlink(text)


WRITERS = {"copy": copy, "netcdf": netcdf, "grid": grid, "odv": odv}

DUCKDB = f"DuckDB {duckdb.__version__} of PyPI"
NAMES = {
    "copy": f"COPY of {DUCKDB}",
    "netcdf": f"pyarrow {pyarrow.__version__} and netCDF4 {netCDF4.__version__}",
    "grid": f"pandas {pandas.__version__} and netCDF4 {netCDF4.__version__}",
    "odv": f"{DUCKDB} and zipfile",
}
print(json.dumps({"name": NAMES[sys.argv[1]]}), flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    start = time.perf_counter()
    WRITERS[asked["do"]](asked)
    print(json.dumps({"ms": (time.perf_counter() - start) * 1e3}), flush=True)
