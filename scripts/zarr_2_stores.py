"""Writes stores of Zarr version 2 into a folder, and prints their names. Run with zarr 2.18.7 , numcodecs 0.15 and crc32c."""

import pathlib
import sys

import numcodecs
import numcodecs.checksum32
import numpy as np
import zarr

STORES = pathlib.Path(sys.argv[1])


def numbers(shape, type_="f4"):
    values = np.arange(np.prod(shape)).reshape(shape)
    return (values * 37 % 1009 - (300 if np.dtype(type_).kind != "u" else 0)).astype(type_)


def smooth(shape, type_="f4"):
    return (np.arange(np.prod(shape)).reshape(shape) // 50).astype(type_)


def create(name, **sizes):
    """A group with a coordinate for each dimension: 0, 0.5, 1, …"""
    print(name)
    group = zarr.open_group(str(STORES / f"{name}.zarr"), mode="w")
    for axis, size in sizes.items():
        add(group, axis, np.arange(size) / 2, (axis,))
    return group


def add(group, name, values, names=("y", "x"), **options):
    options = {"chunks": values.shape, "compressor": None, "fill_value": None, **options}
    made = group.create_dataset(name, shape=values.shape, dtype=values.dtype, **options)
    if names:
        made.attrs["_ARRAY_DIMENSIONS"] = list(names)
    made[...] = values
    return made


def codecs():
    shape, chunks = (40, 30), (24, 30)
    group = create("v2-codecs", y=40, x=30)
    for name, type_, options in [
        ("none", "<f4", {}),
        ("big", ">f4", {}),
        ("zstd", "<f4", {"compressor": numcodecs.Zstd(level=1)}),
        ("gzip", "<f4", {"compressor": numcodecs.GZip(level=5)}),
        ("zlib", ">f8", {"compressor": numcodecs.Zlib(level=5)}),
        ("lz4", "<i4", {"compressor": numcodecs.LZ4()}),
        ("blosc", "<f4", {"compressor": numcodecs.Blosc(cname="lz4", shuffle=numcodecs.Blosc.SHUFFLE)}),
        ("blosc_bitshuffle", "<i2", {"compressor": numcodecs.Blosc(cname="zstd", shuffle=numcodecs.Blosc.BITSHUFFLE)}),
        ("shuffle_zlib", "<f8", {"filters": [numcodecs.Shuffle(8)], "compressor": numcodecs.Zlib()}),
        ("delta", "<i4", {"filters": [numcodecs.Delta("<i4")], "compressor": numcodecs.Zstd()}),
        ("delta_narrow", "<i8", {"filters": [numcodecs.Delta("<i8", astype="<i2")], "compressor": numcodecs.Zstd()}),
        ("fixedscaleoffset", "<f8", {"filters": [numcodecs.FixedScaleOffset(offset=5, scale=4, dtype="<f8", astype="<i2")]}),
        ("bitround", "<f4", {"filters": [numcodecs.BitRound(keepbits=10)], "compressor": numcodecs.Zlib()}),
        ("crc32c", "<i4", {"filters": [numcodecs.checksum32.CRC32C()], "compressor": numcodecs.Zlib()}),
        ("fortran", "<f4", {"order": "F", "compressor": numcodecs.Zstd()}),
        ("fortran_big", ">i4", {"order": "F"}),
        ("fortran_delta", "<i4", {"order": "F", "filters": [numcodecs.Delta("<i4")], "compressor": numcodecs.Zstd()}),
    ]:
        add(group, name, smooth(shape, type_), chunks=chunks, **options)


def refused():
    for name, options in {"bz2": {"compressor": numcodecs.BZ2()}, "lzma": {"compressor": numcodecs.LZMA()}}.items():
        add(create(f"refused-v2-{name}", x=4), "v", numbers((4,)), ("x",), **options)


def types():
    group = create("v2-types", n=6)
    for type_ in ["|i1", "|u1", "<i2", ">i2", "<u2", "<i4", ">u4", "<i8", ">i8", "<u8", "<f2", ">f2", "<f4", ">f4", "<f8", ">f8"]:
        values = np.array([0, 1, 2, 100, 127, 5]).astype(type_)
        if np.dtype(type_).kind != "f":
            values[4:] = [np.iinfo(type_).min, np.iinfo(type_).max]
        add(group, type_.replace("<", "little_").replace(">", "big_").replace("|", ""), values, ("n",), chunks=(4,))
    add(group, "bool", np.array([True, False, False, True, True, False]), ("n",), chunks=(4,))
    words = ["", "a", "grün", "日本", "a longer text", "😀"]
    add(group, "fixed_text", np.array(words), ("n",), chunks=(4,))
    add(group, "fixed_text_big", np.array(words).astype(">U16"), ("n",), chunks=(4,))
    add(group, "fixed_bytes", np.array([b"", b"a", b"bb", b"ccc", b"dddd", b"e"]), ("n",), chunks=(4,))
    add(group, "text", np.array(words, object), ("n",), chunks=(4,), object_codec=numcodecs.VLenUTF8())
    add(group, "bytes", np.array([each.encode("utf16") for each in words], object), ("n",), chunks=(4,), object_codec=numcodecs.VLenBytes())
    for unit in ["ns", "s", "D"]:
        values = np.array(["1970-01-01", "2020-02-29", "NaT", "1900-01-01", "2200-12-31", "2000-01-06"], f"M8[{unit}]")
        add(group, f"time_{unit}", values, ("n",), chunks=(4,))
    for name, codec in [("v2-text", numcodecs.VLenUTF8()), ("v2-json", numcodecs.JSON())]:
        add(create(name, n=6), "text", np.array(words, object), ("n",), chunks=(4,), object_codec=codec)
    group.create_dataset("scalar", data=np.int32(42), shape=(), dtype="i4", compressor=None).attrs["_ARRAY_DIMENSIONS"] = []


def fills():
    """The fill value is null where there are dimensions of xarray, and a value elsewhere."""
    for name, names in [("v2-fills", ("y", "x")), ("v2-fills-without-dimensions", None)]:
        group = create(name, **({"y": 4, "x": 6} if names else {}))
        for each, type_, fill in [
            ("zero", "<f4", 0),
            ("nan", "<f4", np.nan),
            ("infinity", "<f8", np.inf),
            ("number", ">f4", -999),
            ("integer", "<i2", -300),
            ("large", "<i8", 2**62 + 1),
            ("nothing", "<i4", None),
        ]:
            made = group.create_dataset(each, shape=(4, 6), chunks=(2, 3), dtype=type_, fill_value=fill, compressor=None, write_empty_chunks=True)
            if names:
                made.attrs["_ARRAY_DIMENSIONS"] = list(names)
            made[0:2, 0:3] = numbers((2, 3), type_)
        made = group.create_dataset("attribute", shape=(4, 6), chunks=(2, 3), dtype="<i2", fill_value=None, compressor=None)
        made.attrs.update({"_FillValue": -300, **({"_ARRAY_DIMENSIONS": list(names)} if names else {})})
        made[...] = numbers((4, 6), "i2")


def layouts():
    """Keys with both separators, shapes with a zero, metadata that are consolidated, groups, and a store that is an array."""
    group = create("v2-keys", y=5, x=4)
    for name, separator in [("dot", "."), ("slash", "/")]:
        add(group, name, numbers((5, 4), "<i2"), chunks=(3, 3), dimension_separator=separator)

    group = create("v2-empty", x=3)
    made = group.create_dataset("v", shape=(0, 3), chunks=(2, 3), dtype="f4")
    made.attrs["_ARRAY_DIMENSIONS"] = ["t", "x"]

    print("v2-one-array")
    zarr.open_array(str(STORES / "v2-one-array.zarr"), mode="w", shape=(3, 4), chunks=(2, 4), dtype="<f4", fill_value=None)[...] = numbers((3, 4))

    for name in ["v2-groups", "v2-groups-consolidated"]:
        root = create(name)
        root.attrs["title"] = "not that of a leaf group"
        add(root, "beside", numbers((3,)), ("x",))
        for path, size in [("a", 3), ("b/c", 2)]:
            group = root.create_group(path)
            group.attrs.update({"title": path, "nan": np.nan, "infinity": -np.inf})
            add(group, "x", np.arange(size) / 2, ("x",))
            add(group, "v", numbers((size,)) + len(path), ("x",))
        if name.endswith("consolidated"):
            zarr.consolidate_metadata(root.store)


for make in [codecs, refused, types, fills, layouts]:
    make()
