"""Rewrites Parquet files as pyarrow writes them, with a page index: rewrite.py OUTPUT-FOLDER FILE..."""

import os
import sys

import pyarrow.parquet as pq

folder, files = sys.argv[1], sys.argv[2:]
os.makedirs(folder)
for file in files:
    pq.write_table(
        pq.read_table(file),
        os.path.join(folder, os.path.basename(file)),
        compression="zstd",
        compression_level=3,
        row_group_size=100_000,
        data_page_size=1 << 20,
        write_page_index=True,
    )
