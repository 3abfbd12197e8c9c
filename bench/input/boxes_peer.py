"""
Means of boxes of an array: boxes_peer.py h5py FILE [NAME], boxes_peer.py tensorstore FOLDER [NAME]. Writes a line with the name of the
library, then answers each line of standard input, `[[0, 365], [0, 1], [0, 1]]`, the first index along each axis and that behind the last,
with the milliseconds until the mean was there, the number of elements, and their mean. A fourth member says what is computed instead:
"min", the least element; "computed", the mean of 1.8 times the element and 32; "groups", the mean of the sums of each index of the first axis. The array is open before. Many days are read ten at
a time, which is faster than all at once. tensorstore has one thread for files and one for chunks, and keeps no chunk.
"""

import json
import sys
import time

import numpy as np

DAYS = 10


def h5py_reader(path, name):
    import h5py

    variable = h5py.File(path, "r")[name]
    return f"h5py {h5py.__version__}", lambda box: variable[box]


def tensorstore_reader(path, name):
    from importlib.metadata import version

    import tensorstore

    one_thread = {"file_io_concurrency": {"limit": 1}, "data_copy_concurrency": {"limit": 1}}
    place = {"driver": "zarr3", "kvstore": {"driver": "file", "path": f"{path}/{name}"}}
    store = tensorstore.open(place, context=tensorstore.Context(one_thread), open=True).result()
    return f"tensorstore {version('tensorstore')}", lambda box: store[box].read().result()


def parts(first, last, others):
    """Ten days at a time, if all of them have many elements."""
    small = (last - first) * np.prod([end - begin for begin, end in others]) < 1e6
    step = last - first if small else DAYS
    return [(begin, min(last, begin + step)) for begin in range(first, last, step)]


def main(library, path, variable="sst"):
    name, read = {"h5py": h5py_reader, "tensorstore": tensorstore_reader}[library](path, variable)
    print(json.dumps({"name": name}), flush=True)
    for line in sys.stdin:
        (first, last), *others = json.loads(line)
        kind = others.pop() if isinstance(others[-1], str) else "mean"
        start = time.perf_counter()
        total, count, least, sums = 0.0, 0, np.inf, []
        for begin, end in parts(first, last, others):
            values = read((slice(begin, end), *(slice(*each) for each in others)))
            count += values.size
            if kind == "min":
                least = min(least, float(values.min()))
            elif kind == "groups":
                sums.extend(np.sum(values, axis=tuple(range(1, values.ndim)), dtype="f8"))
            elif kind == "computed":
                total += float(np.sum(values.astype("f8") * 1.8 + 32))
            else:
                total += float(np.sum(values, dtype="f8"))
        answer = {"min": least, "groups": float(np.mean(sums)) if sums else 0}.get(kind, total / count)
        ms = (time.perf_counter() - start) * 1e3
        print(json.dumps({"ms": ms, "count": count, "mean": answer}), flush=True)


main(*sys.argv[1:])
