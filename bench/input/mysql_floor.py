"""
Fetches rows of MariaDB by its client library (libmariadb), in the binary protocol, into its memory, and does nothing with them. Its argument
is the URL. Writes a line with its name, then answers each line of standard input, `{"fetch": SQL}`, with the milliseconds from the connection
to the last row, and the number of rows.
"""

import ctypes
import json
import sys
import time
from urllib.parse import urlsplit

LIBRARY = ctypes.CDLL("libmariadb.so.3")
for name in ("mysql_init", "mysql_real_connect", "mysql_stmt_init"):
    getattr(LIBRARY, name).restype = ctypes.c_void_p
LIBRARY.mysql_stmt_num_rows.restype = ctypes.c_ulonglong
LIBRARY.mysql_get_client_info.restype = ctypes.c_char_p


def fetch(statement):
    url = urlsplit(sys.argv[1])
    texts = [ctypes.c_char_p(text.encode()) for text in (url.hostname, url.username, url.password, url.path[1:])]
    connection = ctypes.c_void_p(LIBRARY.mysql_init(None))
    if not LIBRARY.mysql_real_connect(connection, *texts, ctypes.c_uint(url.port), None, ctypes.c_ulong(0)):
        raise RuntimeError("no connection")
    try:
        prepared = ctypes.c_void_p(LIBRARY.mysql_stmt_init(connection))
        text = statement.encode()
        if (
            LIBRARY.mysql_stmt_prepare(prepared, text, ctypes.c_ulong(len(text))) != 0
            or LIBRARY.mysql_stmt_execute(prepared) != 0
            or LIBRARY.mysql_stmt_store_result(prepared) != 0
        ):
            raise RuntimeError("the statement is refused")
        rows = LIBRARY.mysql_stmt_num_rows(prepared)
        LIBRARY.mysql_stmt_close(prepared)
        return rows
    finally:
        LIBRARY.mysql_close(connection)


def main():
    print(json.dumps({"name": f"libmariadb {LIBRARY.mysql_get_client_info().decode()}"}), flush=True)
    for line in sys.stdin:
        start = time.perf_counter()
        rows = fetch(json.loads(line)["fetch"])
        print(json.dumps({"ms": (time.perf_counter() - start) * 1e3, "rows": rows}), flush=True)


main()
