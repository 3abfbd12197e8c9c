"""
Means in a polygon by shapely: polygon_peer.py FILE. Writes a line with the name of the library, then answers each line of standard input, a
polygon in WKT, with the milliseconds until the mean was there, the number of values, and their mean. Points and values are arrays in
memory, and the polygon is prepared before.
"""

import json
import sys
import time

import numpy as np
import pyarrow.parquet as parquet
import shapely


def main(path):
    table = parquet.read_table(path, columns=["longitude", "latitude", "temperature"])
    x, y, values = (np.ascontiguousarray(table[name].to_numpy()) for name in table.column_names)
    print(json.dumps({"name": f"shapely {shapely.__version__}"}), flush=True)
    for line in sys.stdin:
        polygon = shapely.from_wkt(json.loads(line)["wkt"])
        shapely.prepare(polygon)
        start = time.perf_counter()
        inside = values[shapely.contains_xy(polygon, x, y)]
        mean = float(np.mean(inside, dtype="f8"))
        ms = (time.perf_counter() - start) * 1e3
        print(json.dumps({"ms": ms, "count": inside.size, "mean": mean}), flush=True)


main(*sys.argv[1:])
