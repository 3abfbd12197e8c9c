"""
Means of the pixels in boxes of GeoTIFF files, by rasterio with two threads. Writes a line with its name, then answers each line of standard
input, `{"path": FILE or FOLDER, "box": [west, south, east, north] or null}`, with the milliseconds until the mean was there, the number of
pixels, and their mean. Files are opened for each question. A box has the pixels whose centres are in it.
"""

import json
import sys
import time
from pathlib import Path

import numpy as np
import rasterio
from rasterio.windows import from_bounds

THREADS = 2


def window_of(file, box):
    """The pixels of a file in a box whose edges are edges of pixels. None: the file has none."""
    west, south, east, north = box
    left, bottom, right, top = file.bounds
    sides = max(west, left), max(south, bottom), min(east, right), min(north, top)
    if sides[0] >= sides[2] or sides[1] >= sides[3]:
        return None
    return from_bounds(*sides, file.transform).round_offsets().round_lengths()


def values_of(path, box):
    with rasterio.open(path, num_threads=THREADS) as file:
        window = None if box is None else window_of(file, box)
        return file.read(1) if box is None else None if window is None else file.read(1, window=window)


def main():
    print(json.dumps({"name": f"rasterio {rasterio.__version__}"}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        start = time.perf_counter()
        path = Path(request["path"])
        parts = [values_of(each, request["box"]) for each in (sorted(path.glob("*.tif")) if path.is_dir() else [path])]
        present = [part for part in parts if part is not None]
        count = sum(part.size for part in present)
        mean = sum(float(np.sum(part, dtype="f8")) for part in present) / count
        ms = (time.perf_counter() - start) * 1e3
        print(json.dumps({"ms": ms, "count": count, "mean": mean}), flush=True)


main()
