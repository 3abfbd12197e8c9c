"""Writes test/fixtures/netcdf/argo/digests.json: a digest of each variable of real Argo files, as xarray decodes it.

Run with a Python that has netCDF4 1.7.5, xarray and pyarrow, and a folder of Argo files. Each variable is taken by itself, so that
those are compared too that are no columns of the rows that a file has by default. A test compares them with what is read of the
files that are committed or, if HALOCLINE_ARGO names that folder, of all of them.
"""

import hashlib
import json
import pathlib
import struct
import sys

import netCDF4
import numpy as np
import pyarrow as pa

from array_rows import decoded, text_dimensions

OUT = pathlib.Path(__file__).parent.parent / "test" / "fixtures" / "netcdf" / "argo" / "digests.json"


def digest(values):
    """Of a byte that says whether there is a value, and the value: text that ends with NUL, or 8 bytes."""
    hash_ = hashlib.sha256()
    kind = values.type
    plain = values.cast(pa.int64()) if pa.types.is_timestamp(kind) else values
    for value in plain.to_pylist():
        if value is None:
            hash_.update(b"\0")
        elif isinstance(value, str):
            hash_.update(b"\1" + value.encode() + b"\0")
        elif isinstance(value, float):
            hash_.update(b"\1" + struct.pack("<d", value))
        else:
            hash_.update(b"\1" + struct.pack("<Q", value % (1 << plain.type.bit_width)))
    return hash_.hexdigest()[:32]


def variables(path):
    with netCDF4.Dataset(path) as file:
        file.set_auto_maskandscale(False)
        file.set_auto_chartostring(False)
        for name, variable in sorted(file.variables.items()):
            attributes = {each: variable.getncattr(each) for each in variable.ncattrs()}
            stored = np.asarray(variable[...])
            array = decoded(name, dict(zip(variable.dimensions, stored.shape)), stored, attributes, path, text_dimensions(file))
            yield name, {"dimensions": list(array.dimensions), "rows": len(array.values), "digest": digest(array.values)}


if __name__ == "__main__":
    files = sorted(pathlib.Path(sys.argv[1]).glob("*.nc"))
    lines = [
        f'  "{path.name}": {{\n' + ",\n".join(f"    {json.dumps(name)}: {json.dumps(each)}" for name, each in variables(path)) + "\n  }"
        for path in files
    ]
    OUT.write_text("{\n" + ",\n".join(lines) + "\n}\n")
