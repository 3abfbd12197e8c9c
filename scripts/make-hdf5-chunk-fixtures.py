"""Writes test/fixtures/hdf5-chunks: small files whose datasets have all layouts, indexes of chunks and filters, and datasets.json.

Run with a Python that has h5py 3.16 and hdf5plugin 7.1. datasets.json says of each dataset what its header does not say to a reader
that knows no types, and the SHA-256 of all elements as h5py reads them: little-endian, in C order. Texts are hashed with a line end
behind each. LZF and virtual datasets write other bytes in each run.
"""

import ctypes
import hashlib
import json
import pathlib

import h5py
import hdf5plugin
import numpy as np

HERE = pathlib.Path(__file__).parent.parent / "test" / "fixtures" / "hdf5-chunks"


def values(shape, type_):
    count = int(np.prod(shape))
    if np.dtype(type_).kind == "S":
        return np.array([b"v%d" % (each % 23) for each in range(count)], type_).reshape(shape)
    return ((np.arange(count) * 37 % 1009) - (0 if np.dtype(type_).kind == "u" else 300)).astype(type_).reshape(shape)


def creation():
    """Properties of a dataset. Its file must not have the time at which it was made."""
    properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    properties.set_obj_track_times(False)
    return properties


def add(file, name, shape, type_="<f4", *, wrote=None, **options):
    """A dataset of which `wrote`, a slice, was written. Default: all of it."""
    dataset = file.create_dataset(name, shape, type_, **options)
    if wrote is not False:
        where = wrote or tuple(slice(None) for _ in shape)
        dataset[where] = values(shape, type_)[where]
    return dataset


def indexes(file):
    """All indexes of chunks, as far as the version of the file has them."""
    deflate = {"compression": "gzip", "compression_opts": 4, "shuffle": True}
    some = np.s_[3:9, 5:12]
    for name, filters in (("plain", {}), ("deflate", deflate)):
        add(file, f"single-{name}", (9, 11), chunks=(9, 11), **filters)
        add(file, f"fixed-{name}", (30, 23), chunks=(4, 5), **filters)
        add(file, f"fixed-some-{name}", (30, 23), chunks=(4, 5), wrote=some, fillvalue=-7.5, **filters)
        add(file, f"fixed-grows-{name}", (10, 13), chunks=(4, 5), maxshape=(40, 20), **filters)
        add(file, f"fixed-pages-{name}", (2500,), "<i2", chunks=(1,), wrote=np.s_[1000:1300], fillvalue=9, **filters)
        add(file, f"extensible-{name}", (30, 23), chunks=(4, 5), maxshape=(None, 23), **filters)
        add(file, f"extensible-inner-{name}", (3, 23, 7), chunks=(2, 5, 3), maxshape=(9, None, 7), **filters)
        add(file, f"extensible-pages-{name}", (9000,), "<i2", chunks=(1,), maxshape=(None,), wrote=np.s_[7000:7400], **filters)
        add(file, f"extensible-some-{name}", (400,), "<i4", chunks=(3,), maxshape=(None,), wrote=np.s_[100:290], fillvalue=3, **filters)
        add(file, f"btree2-{name}", (30, 23), chunks=(4, 5), maxshape=(None, None), **filters)
        add(file, f"btree2-deep-{name}", (40, 40), "<u1", chunks=(1, 1), maxshape=(None, None), wrote=np.s_[:, 3:33], fillvalue=200, **filters)
        add(file, f"unwritten-{name}", (9, 9), "<i8", chunks=(4, 4), wrote=False, fillvalue=-12345678901, **filters)
    early = creation()
    early.set_chunk((4, 5))
    early.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
    h5py.h5d.create(file.id, b"implicit", h5py.h5t.IEEE_F32LE, h5py.h5s.create_simple((30, 23)), early)
    file["implicit"][...] = values((30, 23), "<f4")


def layouts(file):
    compact = creation()
    compact.set_layout(h5py.h5d.COMPACT)
    h5py.h5d.create(file.id, b"compact", h5py.h5t.STD_I16BE, h5py.h5s.create_simple((7, 3)), compact)
    file["compact"][...] = values((7, 3), ">i2")
    add(file, "contiguous", (17, 13), ">f8")
    add(file, "contiguous-unwritten", (4, 4), ">i4", wrote=False, fillvalue=77)
    file["scalar"] = np.float64(2.5)
    add(file, "empty", (0, 4), chunks=(2, 2), maxshape=(None, 4))


def texts(file):
    add(file, "fixed-text", (12, 4), "S5", chunks=(5, 3), compression="gzip", shuffle=True)
    add(file, "fixed-text-contiguous", (12,), "S5")
    words = file.create_dataset("words", (40,), h5py.string_dtype(), chunks=(7,), compression="gzip", maxshape=(None,))
    words[3:31] = [f"wörd {each}" * (each % 5) for each in range(28)]
    words = file.create_dataset("words-contiguous", (5,), h5py.string_dtype())
    words[...] = ["a", "", "long " * 2000, "日本", "z"]
    compound = np.zeros((20,), [("a", "<i4"), ("b", ">f8"), ("s", "S3")])
    compound["a"], compound["b"], compound["s"] = values((20,), "<i4"), values((20,), ">f8"), b"xy"
    file.create_dataset("compound", data=compound, chunks=(6,), compression="gzip", shuffle=True)


def filters(file):
    shape, chunks = (50, 40), (17, 40)
    for type_ in ("<f4", ">i2", "<f8", "<u1"):
        label = np.dtype(type_).str[1:]

        def filtered(name, **options):
            add(file, f"{name}-{label}", shape, type_, chunks=chunks, **options)

        filtered("deflate", compression="gzip")
        filtered("shuffle", shuffle=True)
        filtered("shuffle-deflate-fletcher", compression="gzip", shuffle=True, fletcher32=True)
        filtered("fletcher", fletcher32=True)
        filtered("lzf", compression="lzf", shuffle=True)
        filtered("lz4", **hdf5plugin.LZ4(nbytes=600))
        filtered("zstd", shuffle=True, **hdf5plugin.Zstd())
        for codec in ("blosclz", "lz4", "lz4hc", "snappy", "zlib", "zstd"):
            for shuffle in (0, 1, 2):
                try:
                    filtered(f"blosc-{codec}-{shuffle}", **hdf5plugin.Blosc(cname=codec, clevel=5, shuffle=shuffle))
                except (ValueError, OSError) as error:
                    print(f"{codec}: {error}")
    noise = np.random.default_rng(1).integers(0, 2**32, (40, 40), "u4")
    for name, options in (("deflate", {"compression": "gzip"}), ("lz4", hdf5plugin.LZ4()), ("lzf", {"compression": "lzf"}), ("blosc", hdf5plugin.Blosc())):
        file.create_dataset(f"noise-{name}", data=noise, chunks=(20, 40), **options)
    edges = creation()
    edges.set_chunk((17, 30))
    edges.set_deflate(6)
    leave_out_at_edges(edges)
    h5py.h5d.create(file.id, b"edges-unfiltered", h5py.h5t.IEEE_F32LE, h5py.h5s.create_simple(shape), edges)
    file["edges-unfiltered"][...] = values(shape, "<f4")
    order = creation()
    order.set_chunk((17, 40))
    order.set_fletcher32()
    order.set_deflate(6)
    order.set_shuffle()
    h5py.h5d.create(file.id, b"fletcher-deflate-shuffle", h5py.h5t.IEEE_F32LE, h5py.h5s.create_simple(shape), order)
    file["fletcher-deflate-shuffle"][...] = values(shape, "<f4")
    add(file, "masked", shape, chunks=chunks, compression="gzip", shuffle=True)
    plain = values(shape, "<f4")[17:34].copy()
    file["masked"].id.write_direct_chunk((17, 0), plain.tobytes(), filter_mask=3)


def leave_out_at_edges(properties):
    """H5Pset_chunk_opts, which h5py does not have: chunks that reach beyond the shape pass no filters."""
    folder = pathlib.Path(h5py.__file__).parent.parent / "h5py.libs"
    library = ctypes.CDLL(str(next(folder.glob("libhdf5-*.so*"))))
    assert library.H5Pset_chunk_opts(ctypes.c_int64(properties.id), ctypes.c_uint(2)) >= 0


def refused(file):
    """Elements in other files, and filters that are not undone."""
    add(file, "external", (9,), "<i4", wrote=False, external=[("elsewhere.bin", 0, 36)])
    virtual = h5py.VirtualLayout((9,), "<i4")
    virtual[...] = h5py.VirtualSource("elsewhere.h5", "a", (9,))
    file.create_virtual_dataset("virtual", virtual)
    for name, options in (
        ("bitshuffle", hdf5plugin.Bitshuffle()),
        ("bzip2", hdf5plugin.BZip2()),
        ("blosc2", hdf5plugin.Blosc2()),
        ("scaleoffset", {"scaleoffset": 3}),
        ("fcidecomp", hdf5plugin.FciDecomp()),
    ):
        add(file, name, (40, 50), "<u2", chunks=(40, 50), **options)


FILES = {
    "indexes-earliest": (indexes, {"libver": "earliest"}),
    "indexes-v110": (indexes, {"libver": ("v110", "v110")}),
    "indexes-v200": (indexes, {"libver": ("v200", "v200")}),
    "indexes-user-block": (indexes, {"libver": ("v110", "v110"), "userblock_size": 1024}),
    "layouts-earliest": (layouts, {"libver": "earliest"}),
    "layouts-v110": (layouts, {"libver": ("v110", "v110")}),
    "texts-earliest": (texts, {"libver": "earliest"}),
    "texts-v110": (texts, {"libver": ("v110", "v110")}),
    "refused": (refused, {"libver": "v110"}),
    "filters": (filters, {"libver": "v110"}),
}


def described(dataset, is_read):
    type_ = dataset.dtype
    is_text = h5py.check_string_dtype(type_) is not None
    is_heap = is_text and type_.kind == "O"
    common = {
        "address": h5py.h5o.get_info(dataset.id).addr,
        "shape": dataset.shape,
        "maximumShape": dataset.maxshape,
        "elementBytes": dataset.id.get_type().get_size() if not is_heap else 16,
    }
    if not is_read:
        yield {**common, "name": dataset.name[1:], "offset": 0, **kind(type_)}
        return
    read = dataset[...] if dataset.shape else np.array(dataset[()])
    if type_.names is not None:
        for member in type_.names:
            inner, offset = type_.fields[member]
            yield {**common, "name": f"{dataset.name[1:]}/{member}", "offset": offset, **kind(inner), "sha256": digest(read[member])}
        return
    yield {**common, "name": dataset.name[1:], "offset": 0, **kind(type_), "sha256": digest(read)}


def kind(type_):
    is_text = h5py.check_string_dtype(type_) is not None
    text = None if not is_text else "heap" if type_.kind == "O" else "padded_with_zeros"
    bytes_ = 16 if text == "heap" else type_.itemsize
    return {"valueBytes": bytes_, "isBigEndian": type_.byteorder == ">", "text": text}


def digest(read):
    if read.dtype.kind in "OS":
        data = b"".join(each + b"\n" for each in np.ravel(read))
    else:
        data = np.ascontiguousarray(read.astype(read.dtype.newbyteorder("<"))).tobytes()
    return hashlib.sha256(data).hexdigest()


def main():
    HERE.mkdir(parents=True, exist_ok=True)
    for old in HERE.iterdir():
        old.unlink()
    found = {}
    for name, (make, options) in FILES.items():
        path = HERE / f"{name}.h5"
        with h5py.File(path, "w", **options) as file:
            make(file)
        with h5py.File(path) as file:
            found[name] = [each for dataset in file.values() for each in described(dataset, name != "refused")]
    (HERE / "datasets.json").write_text(json.dumps(found, indent=1) + "\n")


main()
