"""Writes test/fixtures/hdf5/soft-links-*.h5, and beside them what h5py finds at each of their links.

Run by hand: python scripts/make-hdf5-link-fixtures.py
"""

import json
from pathlib import Path

import h5py
import numpy

FOLDER = Path(__file__).parent.parent / "test" / "fixtures" / "hdf5"

PATHS = {
    "absolute": "/inner/values",
    "relative": "inner/values",
    "here": "./inner/./values",
    "doubled": "//inner//values/",
    "group": "/inner",
    "through": "group/back/inner/values",
    "root": "/",
    "nowhere": "/inner/nothing",
    "no-group": "/inner/values/more",
    "parent": "/inner/../inner/values",
    "itself": "itself",
    "circle-a": "/circle-b",
    "circle-b": "circle-a",
}


def write(name, libver, many):
    expected = {}
    with h5py.File(FOLDER / f"{name}.h5", "w", libver=libver) as file:
        inner = file.create_group("inner")
        inner["values"] = numpy.arange(3, dtype="i4")
        inner["back"] = h5py.SoftLink("/")
        inner["sibling"] = h5py.SoftLink("values")
        for link, path in PATHS.items():
            file[link] = h5py.SoftLink(path)
        # The library follows 16 of them.
        file["chain-00"] = h5py.SoftLink("inner/values")
        for each in range(1, 18):
            file[f"chain-{each:02}"] = h5py.SoftLink(f"chain-{each - 1:02}")
        file["external"] = h5py.ExternalLink("other.h5", "/values") if libver == "latest" else h5py.SoftLink("gone")
        for each in range(many):
            file[f"many-{each:03}"] = h5py.SoftLink("/inner/values")
    with h5py.File(FOLDER / f"{name}.h5") as file:
        for group in ("", "inner/"):
            for link in file["/" + group]:
                try:
                    found = file["/" + group + link]
                    if isinstance(found, h5py.Dataset):
                        expected[group + link] = list(found.shape)
                except (KeyError, OSError, RuntimeError):  # nowhere, another file, too many
                    pass
    (FOLDER / f"{name}.expected.json").write_text(json.dumps(expected, indent=1, sort_keys=True) + "\n")


write("soft-links-symbol-table", "earliest", 0)
write("soft-links-messages", "latest", 0)
write("soft-links-dense", "latest", 60)
