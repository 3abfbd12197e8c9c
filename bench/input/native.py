"""
The DuckDB of this Python as a second native peer. Writes a line with its version, then answers each line of standard
input, `{"threads": 1, "sql": "…"}`, with the milliseconds until the whole result was there as columns, and the number of
its rows; or with the rows themselves, if `"values"` is true. Times with a zone are in UTC.
"""

import json
import sys
import time

import duckdb

try:
    import pyarrow  # noqa: F401

    def columns(relation):
        return relation.to_arrow_table().num_rows

except ImportError:

    def columns(relation):
        return len(next(iter(relation.fetchnumpy().values())))


connections = {}


def connection(threads):
    if threads not in connections:
        connections[threads] = duckdb.connect(":memory:", config={"threads": threads})
        connections[threads].execute("SET TimeZone = 'UTC'")
    return connections[threads]


print(json.dumps({"version": duckdb.__version__}), flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    on = connection(asked["threads"])
    if asked.get("values"):
        print(json.dumps(on.sql(asked["sql"]).fetchall()), flush=True)
        continue
    start = time.perf_counter()
    rows = columns(on.sql(asked["sql"]))
    print(json.dumps({"ms": (time.perf_counter() - start) * 1e3, "rows": rows}), flush=True)
