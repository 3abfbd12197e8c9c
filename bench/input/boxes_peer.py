"""
Means of boxes of an array: boxes_peer.py h5py FILE, boxes_peer.py tensorstore FOLDER. Writes a line with the name of the library, then
answers each line of standard input, `[[0, 365], [0, 1], [0, 1]]`, the first index along each axis and that behind the last, with
the milliseconds until the mean was there, the number of elements, and their mean. The array is open before. Many days are read ten at
a time, which is faster than all at once. tensorstore has one thread for files and one for chunks, and keeps no chunk.
"""

import json
import sys
import time

import numpy as np

DAYS = 10


def h5py_reader(path):
    import h5py

    variable = h5py.File(path, "r")["sst"]
    return f"h5py {h5py.__version__}", lambda box: variable[box]


def tensorstore_reader(path):
    from importlib.metadata import version

    import tensorstore

    one_thread = {"file_io_concurrency": {"limit": 1}, "data_copy_concurrency": {"limit": 1}}
    place = {"driver": "zarr3", "kvstore": {"driver": "file", "path": f"{path}/sst"}}
    store = tensorstore.open(place, context=tensorstore.Context(one_thread), open=True).result()
    return f"tensorstore {version('tensorstore')}", lambda box: store[box].read().result()


def parts(first, last, others):
    """Ten days at a time, if all of them have many elements."""
    small = (last - first) * np.prod([end - begin for begin, end in others]) < 1e6
    step = last - first if small else DAYS
    return [(begin, min(last, begin + step)) for begin in range(first, last, step)]


def main(library, path):
    name, read = {"h5py": h5py_reader, "tensorstore": tensorstore_reader}[library](path)
    print(json.dumps({"name": name}), flush=True)
    for line in sys.stdin:
        (first, last), *others = json.loads(line)
        start = time.perf_counter()
        total, count = 0.0, 0
        for begin, end in parts(first, last, others):
            values = read((slice(begin, end), *(slice(*each) for each in others)))
            total += float(np.sum(values, dtype="f8"))
            count += values.size
        ms = (time.perf_counter() - start) * 1e3
        print(json.dumps({"ms": ms, "count": count, "mean": total / count}), flush=True)


main(*sys.argv[1:])
