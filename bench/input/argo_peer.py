"""
Means over files like those of Argo by a loop over them: argo_peer.py FOLDER. Writes a line with the name of the library, then answers each
line of standard input with the milliseconds of the loop, the number of levels, and the mean of TEMP over them. `{}` is all levels;
`{"PRES": [1000, 1500]}` is those of which the pressure is at least and less than these; `{"LATITUDE": …, "LONGITUDE": …}` is the levels of the
profiles in this region. Numbers are taken as they are stored, and those that are missing are left out: that is faster than masks.
"""

import json
import sys
import time
from pathlib import Path

import netCDF4
import numpy as np

FILL = 99999


def levels(dataset, asked):
    """The levels that pass, missing ones included."""
    passes = None
    for name in ("LATITUDE", "LONGITUDE"):
        if name in asked:
            first, end = asked[name]
            values = dataset[name][:]
            passing = (values >= first) & (values < end)
            passes = passing if passes is None else passes & passing
    if passes is not None and not passes.any():
        return np.empty(0, "f4")
    temperature = dataset["TEMP"][:]
    if passes is not None:
        return temperature[passes].ravel()
    if "PRES" in asked:
        first, end = asked["PRES"]
        pressure = dataset["PRES"][:]
        return temperature[(pressure >= first) & (pressure < end)]
    return temperature.ravel()


def mean_of(folder, asked):
    total, count, rows = 0.0, 0, 0
    for path in sorted(Path(folder).iterdir()):
        with netCDF4.Dataset(path) as dataset:
            dataset.set_auto_maskandscale(False)
            values = levels(dataset, asked)
            rows += values.size
            values = values[values != FILL]
            total += float(values.sum(dtype="f8"))
            count += values.size
    return rows, total / max(count, 1)


def main(folder):
    print(json.dumps({"name": f"netCDF4 {netCDF4.__version__}"}), flush=True)
    for line in sys.stdin:
        start = time.perf_counter()
        count, mean = mean_of(folder, json.loads(line))
        print(json.dumps({"ms": (time.perf_counter() - start) * 1e3, "count": count, "mean": mean}), flush=True)


main(sys.argv[1])
