"""
Means of a column of ODV spreadsheets, by pandas. Writes a line with its name, then answers each line of standard input, `{"path": FILE, "mean":
TITLE, "by": TITLE, "from": NUMBER, "is_carried": true}`, with the milliseconds until the mean was there, the number of values, and their mean:
those of the rows whose column `by` is at least a number. `is_carried`: that column is metadata, which only the first row of a station has.
"""

import json
import sys
import time

import pandas as pd


def comments(path):
    with open(path, "rb") as file:
        return next(number for number, line in enumerate(file) if not line.startswith(b"//"))


def main():
    print(json.dumps({"name": f"pandas {pd.__version__}"}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        mean, by = request["mean"], request["by"]
        start = time.perf_counter()
        path = request["path"]
        table = pd.read_csv(path, sep="\t", skiprows=comments(path), usecols=[mean, by])
        column = table[by].ffill() if request["is_carried"] else table[by]
        values = table[mean][column >= request["from"]]
        count, value = int(values.count()), float(values.mean())
        ms = (time.perf_counter() - start) * 1e3
        print(json.dumps({"ms": ms, "count": count, "mean": value}), flush=True)


main()
