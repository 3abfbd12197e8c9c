"""
Writes the files of the benchmark on collections, of some 800 rows each: small_files.py parquet|csv COUNT SEED FOLDER. Needs pyarrow and numpy.

A file has a profile: `pressure`, `temperature` and `salinity` by level, and its place and its platform in each row. Numbers come from the
seed: both formats have the same rows.
"""

import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet


def table(index, random):
    levels = int(random.integers(650, 950))
    latitude, longitude = random.uniform((-70, -180), (70, 180))
    return pa.table(
        {
            "pressure": np.arange(levels, dtype="f4") * 2,
            "temperature": random.normal(10, 5, levels).astype("f4"),
            "salinity": random.normal(35, 1, levels).astype("f4"),
            "latitude": np.full(levels, latitude),
            "longitude": np.full(levels, longitude),
            "platform": pa.array([f"P{index % 97}"] * levels),
        }
    )


def main(kind, count, seed, folder):
    Path(folder).mkdir()
    random = np.random.default_rng(int(seed))
    write = pa.parquet.write_table if kind == "parquet" else pa.csv.write_csv
    for index in range(int(count)):
        write(table(index, random), f"{folder}/profile-{index:05}.{kind}")


main(*sys.argv[1:])
