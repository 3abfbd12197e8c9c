"""Writes test/fixtures/parquet/uuid.parquet and test/fixtures/arrow/uuid.arrow, and beside each the rows as 16 bytes.

Run with a Python that has pyarrow, version 21 or newer: older ones do not annotate UUIDs in Parquet. The rows ascend by `id` in row groups and
record batches of ten, so that statistics tell them apart. The ids are made from the numbers of the rows, and are the same in every run.
"""

import gzip
import pathlib
import uuid

import pyarrow as pa
import pyarrow.parquet as pq

FIXTURES = pathlib.Path(__file__).parent.parent / "test" / "fixtures"
ROWS = 40


def columns():
    ids = sorted(uuid.uuid5(uuid.NAMESPACE_URL, str(i)).bytes for i in range(ROWS))
    some = [None if i % 7 == 3 else id for i, id in enumerate(ids)]
    lists = pa.array([[id, None] if i % 3 else [] for i, id in enumerate(ids)], pa.list_(pa.binary(16)))
    return list(range(ROWS)), pa.array(some, pa.binary(16)), lists


def tables():
    """The rows with UUIDs, and the same rows as plain bytes."""
    n, ids, lists = columns()
    marked = pa.ExtensionArray.from_storage(pa.uuid(), ids)
    marked_lists = pa.ListArray.from_arrays(lists.offsets, pa.ExtensionArray.from_storage(pa.uuid(), lists.values))
    return pa.table({"n": n, "id": marked, "ids": marked_lists}), pa.table({"n": n, "id": ids, "ids": lists})


def expect(folder, plain):
    with gzip.GzipFile(FIXTURES / folder / "uuid.expected.arrow.gz", "wb", mtime=0) as file:
        with pa.ipc.new_stream(file, plain.schema) as out:
            out.write_table(plain)


marked, plain = tables()
pq.write_table(marked, FIXTURES / "parquet" / "uuid.parquet", row_group_size=10, compression="zstd", store_schema=False)
expect("parquet", plain)
with pa.ipc.new_file(FIXTURES / "arrow" / "uuid.arrow", marked.schema) as out:
    for batch in marked.to_batches(max_chunksize=10):
        out.write_batch(batch)
expect("arrow", plain)
