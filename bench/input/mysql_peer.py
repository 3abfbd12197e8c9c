"""
Groups of rows of MySQL or MariaDB, by connectorx with DuckDB. Its argument is the URL. Writes a line with its name, then answers each line of
standard input, `{"fetch": SQL, "group": SQL over the table `fetched`}`, with the milliseconds from the connection to the last row, and the rows.
"""

import json
import sys
import time

import connectorx
import duckdb
import pyarrow  # noqa: F401  connectorx needs it for its tables


def main():
    print(json.dumps({"name": f"connectorx {connectorx.__version__} with DuckDB {duckdb.__version__}"}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        start = time.perf_counter()
        fetched = connectorx.read_sql(sys.argv[1], request["fetch"], return_type="arrow", protocol="binary")
        with duckdb.connect(config={"threads": 2}) as engine:
            engine.register("fetched", fetched)
            rows = engine.execute(request["group"]).fetchall()
        print(json.dumps({"ms": (time.perf_counter() - start) * 1e3, "rows": rows}), flush=True)


main()
