"""
Writes ODV spreadsheets and text of the same rows: odv.py FORM ROWS OTHERS FILE. A row has the metadata of its station, depth, temperature,
salinity, their flags, and OTHERS columns of data that are not asked for. Forms: `once`, the metadata in the first row of each station; `one`,
a single station so written; `whole`, a single station with its metadata in each row; `csv`, the rows of `once` between commas. `once.gz` and
the like are compressed. Needs pyarrow and numpy.
"""

import gzip
import sys
from contextlib import nullcontext

import numpy as np
import pyarrow as pa
import pyarrow.csv

# Rows of a station.
LEVELS = 200
PART = 600_000

METADATA = ["Cruise", "Station", "Type", "yyyy-mm-ddThh:mm:ss.sss", "Longitude [degrees_east]", "Latitude [degrees_north]"]
DATA = ["Depth [m]", "Temperature [degC]", "Salinity [PSU]"]
FLAGS = ["QV:SEADATANET:Temperature", "QV:SEADATANET:Salinity"]


def declarations(others):
    variables = [(title, "DOUBLE") for title in DATA + others] + [(title, "INDEXED_TEXT") for title in FLAGS]
    metadata = [(title, "DOUBLE" if "[" in title else "INDEXED_TEXT") for title in METADATA if "yyyy" not in title]
    lines = ["<Encoding>UTF-8</Encoding>"]
    lines += [f'<MetaVariable>label="{title}" value_type="{type_}"</MetaVariable>' for title, type_ in metadata]
    lines += [f'<DataVariable>label="{title}" value_type="{type_}"</DataVariable>' for title, type_ in variables]
    return "".join(f"//{line}\n" for line in lines)


def part(form, first, rows, others, random):
    """Rows `first` and following. A single station has the place of its first row in all of them."""
    index = np.arange(first, first + rows)
    station = np.zeros(rows, "i8") if form in ("one", "whole") else index // LEVELS
    begins = index == 0 if form in ("one", "whole") else index % LEVELS == 0
    has_metadata = np.ones(rows, bool) if form == "whole" else begins
    date = (np.datetime64("2020-01-01T06:00:00") + (station % 3000) * np.timedelta64(1, "D")).astype("M8[ms]")
    level = index % LEVELS
    metadata = [
        np.full(rows, "PS126", dtype=object),
        station.astype("U").astype(object),
        np.full(rows, "C", dtype=object),
        np.datetime_as_string(date, unit="ms").astype(object),
        (station * 7 % 360 - 180) + 0.25,
        (station * 3 % 160 - 80) + 0.5,
    ]
    data = [level * 2.0, random.normal(10, 5, rows).round(3), random.normal(35, 1, rows).round(3)]
    flags = [np.where(random.random(rows) < 0.02, "4", "1").astype(object) for _ in FLAGS]
    names = METADATA + DATA + FLAGS + others
    more = [random.normal(0, 1, rows).round(4) for _ in others]
    columns = [pa.array(values, mask=~has_metadata) for values in metadata]
    return pa.table(columns + [pa.array(values) for values in data + flags + more], names)


def main(form, rows, others, path):
    kind, _, compression = form.partition(".")
    random = np.random.default_rng(33)
    names = [f"Other {number} [1]" for number in range(int(others))]
    delimiter = "," if kind == "csv" else "\t"
    with open(path, "wb") as file, gzip.open(file, "wb", 1) if compression else nullcontext(file) as out:
        if kind != "csv":
            out.write(declarations(names).encode())
        out.write((delimiter.join(METADATA + DATA + FLAGS + names) + "\n").encode())
        options = pa.csv.WriteOptions(include_header=False, delimiter=delimiter, quoting_style="none")
        for first in range(0, int(rows), PART):
            pa.csv.write_csv(part(kind, first, min(PART, int(rows) - first), names, random), out, options)


main(*sys.argv[1:])
