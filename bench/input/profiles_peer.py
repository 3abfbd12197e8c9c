"""
Means over files of profiles by a loop over them: profiles_peer.py FOLDER. Writes a line with the name of the library, then answers each
line of standard input with the milliseconds of the loop, the number of levels, and the mean of `temp` over them. `{}` is all levels;
`{"pres": [1000, 1500]}` is those of which the pressure is at least and less than these; `{"latitude": …, "longitude": …}` is the levels
of the files in this region. Numbers are taken as they are stored, without masks, since no value is missing: that is faster.
"""

import json
import sys
import time
from pathlib import Path

import netCDF4


def levels(dataset, asked):
    for name in ("latitude", "longitude"):
        if name in asked:
            first, end = asked[name]
            if not first <= dataset[name][...] < end:
                return None
    temperature = dataset["temp"][:]
    if "pres" in asked:
        first, end = asked["pres"]
        pressure = dataset["pres"][:]
        return temperature[(pressure >= first) & (pressure < end)]
    return temperature


def mean_of(folder, asked):
    total, count = 0.0, 0
    for path in sorted(Path(folder).iterdir()):
        with netCDF4.Dataset(path) as dataset:
            dataset.set_auto_maskandscale(False)
            values = levels(dataset, asked)
            if values is not None:
                total += float(values.sum(dtype="f8"))
                count += values.size
    return count, total / count


def main(folder):
    print(json.dumps({"name": f"netCDF4 {netCDF4.__version__}"}), flush=True)
    for line in sys.stdin:
        start = time.perf_counter()
        count, mean = mean_of(folder, json.loads(line))
        print(json.dumps({"ms": (time.perf_counter() - start) * 1e3, "count": count, "mean": mean}), flush=True)


main(sys.argv[1])
