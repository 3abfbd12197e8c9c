"""Writes test/fixtures/hdf5/huge-*.h5.gz, shared-attributes.h5, names.h5 and base-*.h5, and beside them the attributes that h5py reads.

Run by hand: python scripts/make-hdf5-attribute-fixtures.py
"""

import ctypes
import gzip
import hashlib
import json
from pathlib import Path

import h5py
import numpy

FOLDER = Path(__file__).parent.parent / "test" / "fixtures" / "hdf5"

LIBRARY = ctypes.CDLL(str(next((Path(h5py.__file__).parent.parent / "h5py.libs").glob("libhdf5-*.so*"))))


def shown(value):
    """Small values as they are, others as the digest of their little-endian bytes."""
    array = numpy.asarray(value)
    if array.dtype.kind in "OSU":
        return value if isinstance(value, str) else [str(each) for each in array.ravel()]
    if array.size > 64:
        return "sha256 " + hashlib.sha256(array.tobytes()).hexdigest()
    return array.tolist()


def expect(name, most_bytes=1 << 20):
    """Attributes of more than 1 MiB are left out."""
    with h5py.File(FOLDER / f"{name}.h5") as file:
        found = {}
        file.visititems(
            lambda path, item: found.update(
                {
                    path: {key: shown(value) for key, value in item.attrs.items() if numpy.asarray(value).nbytes <= most_bytes}
                }
            )
        )
    (FOLDER / f"{name}.expected.json").write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")


def huge():
    """Attributes of more than 64 KiB are huge objects of a heap. What refers to them has a number, of which a B-tree has the place."""
    for name, count in (("huge-few", 2), ("huge-many", 40)):
        with h5py.File(FOLDER / f"{name}.h5", "w", libver="latest") as file:
            values = file.create_dataset("v", data=numpy.arange(3.0))
            for each in range(count):
                values.attrs[f"long-{each:02}"] = numpy.full(9000, each, "f8") if each % 2 else numpy.full(70_000, each, "i1")
            values.attrs["short"] = 7
            if count == 2:
                values.attrs["left out"] = numpy.zeros(1 << 18, "f8")
                values.attrs["far beyond"] = numpy.zeros(5 << 19, "f8")
        expect(name)
        # They are nearly all zeros.
        path = FOLDER / f"{name}.h5"
        (FOLDER / f"{name}.h5.gz").write_bytes(gzip.compress(path.read_bytes(), mtime=0))
        path.unlink()


def shared():
    """Attributes that a file keeps once for several objects, in indexes of datasets with many of them."""
    properties = h5py.h5p.create(h5py.h5p.FILE_CREATE)
    assert LIBRARY.H5Pset_shared_mesg_nindexes(ctypes.c_int64(properties.id), ctypes.c_uint(1)) >= 0
    # H5O_SHMESG_ATTR_FLAG is 1 << 12. Messages of 8 bytes and more are shared.
    one = [ctypes.c_uint(each) for each in (0, 1 << 12, 8)]
    assert LIBRARY.H5Pset_shared_mesg_index(ctypes.c_int64(properties.id), *one) >= 0
    access = h5py.h5p.create(h5py.h5p.FILE_ACCESS)
    access.set_libver_bounds(h5py.h5f.LIBVER_LATEST, h5py.h5f.LIBVER_LATEST)
    path = str(FOLDER / "shared-attributes.h5").encode()
    with h5py.File(h5py.h5f.create(path, h5py.h5f.ACC_TRUNC, properties, access)) as file:
        for name in ("few", "many", "same"):
            dataset = file.create_dataset(name, data=numpy.arange(3, dtype="i4"))
            for each in range(3 if name == "few" else 20):
                dataset.attrs[f"a{each}"] = numpy.arange(4) + each
                dataset.attrs[f"t{each}"] = f"text {each}"
    expect("shared-attributes")


def names():
    """Names that are not UTF-8."""
    for libver in ("earliest", "latest"):
        path = FOLDER / f"names-{libver}.h5"
        with h5py.File(path, "w", libver=libver) as file:
            values = h5py.h5d.create(file.id, b"caf\xe9", h5py.h5t.IEEE_F64LE, h5py.h5s.create_simple((3,)))
            values.write(h5py.h5s.ALL, h5py.h5s.ALL, numpy.arange(3.0))
            space = h5py.h5s.create(h5py.h5s.SCALAR)
            h5py.h5a.create(values, b"\xe9t\xe9", h5py.h5t.NATIVE_INT32, space).write(numpy.array(5, "i4"))
            file["plain"] = numpy.arange(2)


def base():
    """Files in front of which something was put, or taken away, without the superblock being told."""
    for libver in ("earliest", "latest"):
        path = FOLDER / f"base-{libver}.h5"
        with h5py.File(path, "w", libver=libver, userblock_size=1024) as file:
            file["v"] = numpy.arange(5)
            file["v"].attrs["unit"] = "m"
        whole = path.read_bytes()
        # The signature is at 1024, and the superblock says so. Without the first 512 bytes it is at 512.
        path.write_bytes(whole[512:])
        expect(f"base-{libver}")


for make in (huge, shared, names, base):
    make()
