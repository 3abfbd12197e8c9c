"""
Groups of rows of PostgreSQL, by adbc-driver-postgresql with DuckDB. Its argument is the connection string. Writes a line with its name, then
answers each line of standard input, `{"fetch": SQL, "group": SQL over the table `fetched`}`, with the milliseconds from the connection to the
last row, and the rows.
"""

import json
import sys
import time

import adbc_driver_postgresql
import adbc_driver_postgresql.dbapi
import duckdb


def main():
    name = f"adbc-driver-postgresql {adbc_driver_postgresql.__version__} with DuckDB {duckdb.__version__}"
    print(json.dumps({"name": name}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        start = time.perf_counter()
        with adbc_driver_postgresql.dbapi.connect(sys.argv[1]) as connection, connection.cursor() as cursor:
            cursor.execute(request["fetch"])
            fetched = cursor.fetch_record_batch()
            with duckdb.connect(config={"threads": 2}) as engine:
                engine.register("fetched", fetched)
                rows = engine.execute(request["group"]).fetchall()
        print(json.dumps({"ms": (time.perf_counter() - start) * 1e3, "rows": rows}), flush=True)


main()
