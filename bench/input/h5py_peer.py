"""
h5py as a peer: h5py_peer.py FILE. Writes a line with its version, then answers each line of standard input, such as
`{"way": "threads", "days": [[0, 45], [45, 91]]}`, with the milliseconds until all sums were there, and the sums of `sst` over the days.
`one` sums the ranges one after the other, `threads` and `processes` have a thread or a process for each of eight ranges. All have
opened the file before.
"""

import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import Pipe, Process

import h5py
import numpy as np

CLIENTS = 8


def opened(path):
    variable = h5py.File(path, "r")["sst"]

    def total(days):
        # Day by day, as the chunks lie, into memory that is used again: faster than reading many days at once.
        day = np.empty(variable.shape[1:], variable.dtype)
        first, end = days
        result = 0.0
        for index in range(first, end):
            variable.read_direct(day, np.s_[index])
            result += float(day.sum(dtype="f8"))
        return result

    return total


def serve(path, connection):
    total = opened(path)
    while (days := connection.recv()) is not None:
        connection.send(total(days))


def main(path):
    connections = []
    for _ in range(CLIENTS):
        connection, other = Pipe()
        Process(target=serve, args=(path, other), daemon=True).start()
        connections.append(connection)

    def by_processes(ranges):
        for connection, days in zip(connections, ranges, strict=True):
            connection.send(days)
        return [connection.recv() for connection in connections]

    total = opened(path)
    pool = ThreadPoolExecutor(CLIENTS)
    ways = {
        "one": lambda ranges: [total(days) for days in ranges],
        "threads": lambda ranges: list(pool.map(total, ranges)),
        "processes": by_processes,
    }
    print(json.dumps({"version": h5py.__version__}), flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        start = time.perf_counter()
        sums = ways[asked["way"]](asked["days"])
        print(json.dumps({"ms": (time.perf_counter() - start) * 1e3, "sums": sums}), flush=True)


main(sys.argv[1])
