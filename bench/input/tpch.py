"""Writes the table lineitem of TPC-H, scale factor 1, as a Parquet file: python tpch.py PATH"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

path = Path(sys.argv[1])
with tempfile.TemporaryDirectory(dir=path.parent) as folder:
    generator = Path(sys.executable).parent / "tpchgen-cli"
    subprocess.run(
        [generator, "parquet", "-s", "1", "--tables", "lineitem", "--output-dir", folder],
        check=True,
        capture_output=True,
    )
    shutil.move(Path(folder) / "lineitem.parquet", path)
