"""Writes test/fixtures/zarr: small stores of several libraries, and beside each the rows that it has.

Run with a Python that has zarr 3.1.6, xarray 2026.9, netCDF4 and pyarrow. Two others are named by ZARR2_PYTHON (zarr 2.18.7 with
numcodecs 0.15) and TENSORSTORE_PYTHON (tensorstore 0.1.86): they write the stores of scripts/zarr_2_stores.py and
scripts/tensorstore_stores.py. `<name>.expected.arrow.gz` is an Arrow IPC stream, with text as Utf8 and no dictionaries. A store
with several leaf groups has rows for each: `<name>@<group>.expected.arrow.gz`, with `+` for `/`. Stores that are refused have no
rows: `refused-<why>.zarr`. The same libraries give the same bytes, but gzip notes the time.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import warnings

import netCDF4
import numpy as np
import xarray as xr
import zarr
from zarr.codecs import BloscCodec, BytesCodec, Crc32cCodec, GzipCodec, ShardingCodec, TransposeCodec, ZstdCodec
from zarr.codecs import numcodecs as more

from array_rows import write_rows
from zarr_rows import is_node, read_zarr

HERE = pathlib.Path(__file__).parent
STORES = HERE.parent / "test" / "fixtures" / "zarr"

warnings.filterwarnings("ignore", module="zarr")

LITTLE = BytesCodec(endian="little")


def numbers(shape, type_="f4"):
    values = np.arange(np.prod(shape)).reshape(shape)
    return (values * 37 % 1009 - (300 if np.dtype(type_).kind != "u" else 0)).astype(type_)


def smooth(shape, type_="f4"):
    return (np.arange(np.prod(shape)).reshape(shape) // 50).astype(type_)


def create(name, **sizes):
    """A group of version 3 with a coordinate for each dimension: 0, 0.5, 1, …"""
    group = zarr.create_group(STORES / f"{name}.zarr", zarr_format=3)
    for axis, size in sizes.items():
        group.create_array(axis, data=np.arange(size) / 2, dimension_names=[axis])
    return group


def add(group, name, values, names=("y", "x"), **options):
    options = {"chunks": values.shape, "compressors": None, **options}
    made = group.create_array(name, shape=values.shape, dtype=values.dtype, dimension_names=names, **options)
    made[...] = values
    return made


def expect(name, *groups, dimensions=None):
    path = STORES / f"{name}.zarr"
    for group in groups or [""]:
        suffix = f"@{group.replace('/', '+')}" if group else ""
        suffix += f"@{','.join(dimensions)}" if dimensions else ""
        write_rows(STORES / f"{name}{suffix}.expected.arrow.gz", read_zarr(path, group, dimensions))


# Version 3, by zarr-python 3


def plain():
    """Bytes without compression, of both orders of bytes, and zstd."""
    group = create("plain", y=5, x=4)
    group.attrs["title"] = "plain arrays"
    add(group, "little", numbers((5, 4)), chunks=(3, 3))
    add(group, "big", numbers((5, 4), "i4"), chunks=(3, 3), serializer=BytesCodec(endian="big"))
    made = add(group, "zstd", numbers((5, 4), "f8"), chunks=(3, 3), compressors=ZstdCodec(level=3))
    made.attrs.update({"units": "degree_Celsius", "valid_min": -3})
    expect("plain")


def codecs():
    shape, chunks = (40, 30), (24, 30)
    group = create("codecs", y=40, x=30)
    for name, type_, options in [
        ("zstd", "f4", {"compressors": ZstdCodec(level=1)}),
        ("zstd_checksum", "i8", {"compressors": ZstdCodec(level=9, checksum=True)}),
        ("gzip", "f4", {"compressors": GzipCodec(level=5)}),
        ("crc32c", "i2", {"compressors": Crc32cCodec()}),
        ("zstd_crc32c", "f8", {"compressors": [ZstdCodec(), Crc32cCodec()]}),
        ("crc32c_zstd", "u4", {"compressors": [Crc32cCodec(), ZstdCodec()]}),
        ("big_gzip", "f8", {"serializer": BytesCodec(endian="big"), "compressors": GzipCodec()}),
        ("transposed", "f4", {"filters": TransposeCodec(order=(1, 0)), "compressors": ZstdCodec()}),
        ("transposed_twice", "i4", {"filters": [TransposeCodec(order=(1, 0)), TransposeCodec(order=(1, 0))]}),
    ]:
        add(group, name, smooth(shape, type_), chunks=chunks, **options)
    noise = np.random.default_rng(3).integers(-30000, 30000, shape)
    add(group, "noise", noise.astype("i4"), chunks=chunks, compressors=ZstdCodec())
    expect("codecs")


def blosc():
    shape, chunks = (40, 30), (24, 30)
    group = create("blosc", y=40, x=30)
    for codec in ["lz4", "lz4hc", "blosclz", "zlib", "zstd"]:
        for shuffle, type_ in [("shuffle", "f4"), ("bitshuffle", "i2"), ("noshuffle", "f8")]:
            add(group, f"{codec}_{shuffle}", smooth(shape, type_), chunks=chunks, compressors=BloscCodec(cname=codec, clevel=5, shuffle=shuffle))
    noise = np.random.default_rng(3).integers(-30000, 30000, shape)
    add(group, "noise", noise.astype("i4"), chunks=chunks, compressors=BloscCodec())
    expect("blosc")


def rare():
    """Codecs that zarr-python takes from numcodecs."""
    shape, chunks = (40, 30), (24, 30)
    group = create("rare", y=40, x=30)
    for name, type_, options in [
        ("zlib", "f4", {"compressors": more.Zlib(level=4)}),
        ("numcodecs_zstd", "f4", {"compressors": more.Zstd(level=4)}),
        ("numcodecs_gzip", "f4", {"compressors": more.GZip(level=4)}),
        ("numcodecs_blosc", "f4", {"compressors": more.Blosc(cname="zstd", clevel=4)}),
        ("lz4", "i4", {"compressors": more.LZ4()}),
        ("shuffle_zlib", "f8", {"compressors": [more.Shuffle(elementsize=8), more.Zlib()]}),
        ("delta", "i4", {"filters": more.Delta(dtype="<i4"), "compressors": more.Zstd()}),
        ("fixedscaleoffset", "f8", {"filters": more.FixedScaleOffset(offset=5, scale=4, dtype="<f8", astype="<i2")}),
        ("bitround", "f4", {"filters": more.BitRound(keepbits=10), "compressors": more.Zlib()}),
    ]:
        add(group, name, smooth(shape, type_), chunks=chunks, **options)
    expect("rare")


def refused():
    for name, options in {
        "bz2": {"compressors": more.BZ2()},
        "lzma": {"compressors": more.LZMA()},
        "adler32": {"compressors": more.Adler32()},
        "packbits": {"filters": more.PackBits()},
    }.items():
        group = create(f"refused-{name}", x=4)
        add(group, "v", np.array([True, False, True, True]) if name == "packbits" else numbers((4,)), ("x",), **options)


def shards():
    """Indexes at the end and at the start, with and without a checksum; shards and inner chunks that were never written."""
    group = create("shards", y=10, x=9)

    def sharded(name, values, wrote=np.s_[:], inner=(2, 3), compressors=None, filters=(), index=None, location="end", fill=None):
        codec = ShardingCodec(
            chunk_shape=inner,
            codecs=[*filters, LITTLE, *(compressors or [])],
            index_codecs=index or [LITTLE, Crc32cCodec()],
            index_location=location,
        )
        options = {"chunks": (6, 6), "compressors": None, "serializer": codec, "fill_value": fill}
        made = group.create_array(name, shape=values.shape, dtype=values.dtype, dimension_names=["y", "x"], **options)
        made[wrote] = values[wrote]
        return made

    sharded("end", numbers((10, 9), "i4"))
    sharded("start", numbers((10, 9), "i4"), location="start")
    sharded("zstd", numbers((10, 9), "f8"), compressors=[ZstdCodec()])
    sharded("zstd_start", numbers((10, 9), "f8"), compressors=[ZstdCodec(), Crc32cCodec()], location="start")
    sharded("blosc", numbers((10, 9), "i2"), compressors=[BloscCodec(cname="lz4")])
    sharded("index_without_checksum", numbers((10, 9), "f4"), index=[LITTLE])
    sharded("big_index", numbers((10, 9), "f4"), index=[BytesCodec(endian="big"), Crc32cCodec()])
    sharded("some", numbers((10, 9), "f4"), wrote=np.s_[3:7, 2:8], fill=-7)
    sharded("none", numbers((10, 9), "i8"), wrote=np.s_[0:0, 0:0], fill=12345678901)
    sharded("transposed", numbers((10, 9), "i4"), filters=[TransposeCodec(order=(1, 0))])
    sharded("nested", numbers((10, 9), "i4"), inner=(6, 3))
    expect("shards")


def nested_shards():
    group = create("nested-shards", y=12, x=8)
    inner = ShardingCodec(chunk_shape=(2, 2), codecs=[LITTLE, ZstdCodec()], index_location="start")
    outer = ShardingCodec(chunk_shape=(4, 4), codecs=[inner], index_location="end")
    add(group, "v", numbers((12, 8), "i4"), chunks=(8, 8), serializer=outer)
    expect("nested-shards")


def fills():
    """Chunks that were never written have the fill value. Null is what the attribute _FillValue says."""
    group = create("fills", y=4, x=6)

    def some(name, type_, fill, null=None, **attributes):
        options = {"chunks": (2, 3), "compressors": None}
        made = group.create_array(name, shape=(4, 6), dtype=type_, fill_value=fill, dimension_names=["y", "x"], **options)
        made[0:2, 0:3] = numbers((2, 3), type_)
        if null is not None:
            made.attrs["_FillValue"] = null
        made.attrs.update(attributes)

    some("zero", "f4", 0)
    some("nan", "f4", np.nan)
    some("infinity", "f8", np.inf)
    some("minus_infinity", "f4", -np.inf)
    some("minus_zero", "f8", -0.0)
    some("value", "f4", -999)
    some("null_base64", "f8", -999, "AAAAAAA4j8A=")
    some("null_nan", "f4", np.nan, "AAAAAAAA+H8=")
    some("null_integer", "i2", -300, -300)
    some("null_elsewhere", "i4", 5, -300)
    some("null_of_no_integer", "i4", 5, -300.5)
    some("large", "i8", 2**62 + 1)
    some("unsigned", "u8", 2**64 - 1)
    some("null_large", "i8", -(2**62) - 1, -(2**62) - 1)
    some("missing_value", "i2", -300, missing_value=-300)
    some("packed", "i2", -32768, -32768, scale_factor=0.01, add_offset=273.15)
    group.create_array("none", shape=(4, 6), chunks=(2, 3), dtype="i4", fill_value=42, dimension_names=["y", "x"])
    for name, type_, fill, stored in [("hex_nan", "f4", "0x7fc00000", np.nan), ("hex_number", "f8", "0xc08f380000000000", -999)]:
        some(name, type_, stored)
        document = STORES / "fills.zarr" / name / "zarr.json"
        found = json.loads(document.read_text())
        document.write_text(json.dumps({**found, "fill_value": fill}, indent=2))
    expect("fills")

    # xarray reads no number as the null of floats.
    group = create("null-numbers", y=4, x=6)
    some("null", "f4", -999, -999)
    some("null_fraction", "f4", 0, -290.0, comment="in the list of values")
    some("null_of_wider", "f4", 0.1, 0.1)
    expect("null-numbers")


def types():
    group = create("types", n=6)
    for type_ in ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8"]:
        values = np.array([0, 1, 2, 100, 127, 5]).astype(type_)
        if np.dtype(type_).kind != "f":
            values[4:] = [np.iinfo(type_).min, np.iinfo(type_).max]
        add(group, type_, values, ("n",), chunks=(4,))
        add(group, f"{type_}_big", values, ("n",), chunks=(4,), serializer=BytesCodec(endian="big"))
    add(group, "bool", np.array([True, False, False, True, True, False]), ("n",), chunks=(4,))
    words = ["", "a", "grün", "日本", "a longer text", "😀"]
    add(group, "fixed_text", np.array(words), ("n",), chunks=(4,), fill_value="")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        options = {"chunks": (4,), "dimension_names": ["n"], "compressors": None}
        made = group.create_array("text", shape=(6,), dtype=str, fill_value="?", **options)
        made[...] = np.array(words, object)
        made = group.create_array("text_zstd", shape=(6,), dtype=str, **{**options, "compressors": ZstdCodec()})
        made[:4] = np.array(words[:4], object)
        made = group.create_array("bytes", shape=(6,), dtype="variable_length_bytes", **options)
        made[...] = np.array([each.encode("utf16") for each in words], object)
        for unit in ["ns", "us", "ms", "s", "m", "h", "D", "W"]:
            values = np.array(["1970-01-01", "2020-02-29", "NaT", "1900-01-01", "2200-12-31", "2000-01-06"], f"M8[{unit}]")
            add(group, f"time_{unit}", values, ("n",), chunks=(4,), fill_value=np.datetime64("NaT", unit))
        add(group, "complex", np.arange(6) * 1j, ("n",)).attrs["comment"] = "its type is not read"
    group.create_array("scalar", shape=(), dtype="i4", compressors=None)[...] = 42
    expect("types")


def names():
    """Dimensions without names are called by their place."""
    group = zarr.create_group(STORES / "names.zarr", zarr_format=3)
    add(group, "unnamed", numbers((3, 4)), None)
    add(group, "also_unnamed", numbers((3,)), None)
    add(group, "some", numbers((3, 4)), ("dim_0", None))
    add(group, "none", numbers((3, 4)), (None, None))
    expect("names")
    group = zarr.create_group(STORES / "odd-names.zarr", zarr_format=3)
    add(group, "grün ☃", numbers((3,)), ("grün ☃",))
    add(group, "a.b", numbers((3, 2)), ("grün ☃", "%2f..%2f"))
    add(group, "c", numbers((3, 2)), ("grün ☃", "%2f..%2f"))
    expect("odd-names")


def keys():
    group = create("keys", y=5, x=4)
    for name, encoding, separator in [("slash", "default", "/"), ("dot", "default", "."), ("v2_dot", "v2", "."), ("v2_slash", "v2", "/")]:
        options = {"chunk_key_encoding": {"name": encoding, "configuration": {"separator": separator}}}
        add(group, name, numbers((5, 4), "i2"), chunks=(3, 3), **options)
        group.create_array(f"scalar_{name}", shape=(), dtype="i4", **options)[...] = 7
    expect("keys")


def empty():
    """A shape with a zero has no rows."""
    group = zarr.create_group(STORES / "empty.zarr", zarr_format=3)
    group.create_array("v", shape=(0, 3), chunks=(2, 3), dtype="f4", dimension_names=["t", "x"])
    group.create_array("x", data=np.arange(3), dimension_names=["x"])
    expect("empty")
    group = zarr.create_group(STORES / "scalars.zarr", zarr_format=3)
    group.attrs["title"] = "one row"
    group.create_array("a", shape=(), dtype="f8")[...] = 1.5
    group.create_array("b", shape=(), dtype="i8")
    expect("scalars")
    group = zarr.create_group(STORES / "no-arrays.zarr", zarr_format=3)
    group.attrs["title"] = "no arrays"
    expect("no-arrays")
    zarr.create_array(STORES / "one-array.zarr", data=numbers((3, 4)), dimension_names=["y", "x"])
    expect("one-array")


def attributes():
    """Numbers that JSON has not, or that no 64-bit float holds."""
    group = create("attributes", x=3)
    made = add(group, "v", numbers((3,)), ("x",))
    attributes = {
        "nan": np.nan,
        "infinity": np.inf,
        "minus_infinity": -np.inf,
        "large": 2**62 + 1,
        "beyond": 2**70,
        "tiny": 5e-324,
        "whole": 3,
        "yes": True,
        "no": False,
        "text": 'grün ☃ \u0000 " \\ \n',
        "empty": "",
        "nothing": None,
        "list": [1, np.nan, "a"],
        "object": {"a": {"b": [np.inf]}},
        "": "no name",
        "a.b": "a dot",
    }
    group.attrs.update(attributes)
    made.attrs.update(attributes)
    expect("attributes")


def groups():
    """Leaf groups, one below another one. Arrays beside groups are not read."""
    for name in ["groups", "groups-consolidated"]:
        root = zarr.create_group(STORES / f"{name}.zarr", zarr_format=3)
        root.attrs["title"] = "not that of a leaf group"
        add(root, "beside", numbers((3,)), ("x",))
        for path, size in [("a", 3), ("b/c", 2), ("b/d", 4)]:
            group = root.create_group(path)
            group.attrs["title"] = path
            add(group, "x", np.arange(size) / 2, ("x",))
            add(group, "v", numbers((size,)) + len(path), ("x",))
            if path == "b/d":
                add(group, "only_here", numbers((size,), "i2"), ("x",))
        if name == "groups-consolidated":
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                zarr.consolidate_metadata(root.store)
        expect(name, "a", "b/c", "b/d")


# By xarray


def dataset():
    time = np.array(["2000-01-01T00", "2000-01-01T06", "2000-01-02T00"], "M8[ns]")
    lat, lon = np.array([10.0, 20.0, 30.0]), np.array([-170.0, -60.0, 60.0, 170.0])
    temperature = numbers((3, 3, 4)) / 10
    temperature[1, :, 2] = np.nan
    salinity = np.round(35 + numbers((3, 3, 4)) / 1000, 2)
    salinity[0, 0, 0] = np.nan
    made = xr.Dataset(
        {
            "temperature": (("time", "lat", "lon"), temperature.astype("f4"), {"standard_name": "sea_water_temperature", "units": "degree_Celsius"}),
            "salinity": (("time", "lat", "lon"), salinity, {"standard_name": "sea_water_salinity"}),
            "mask": (("lat", "lon"), numbers((3, 4)) > 0),
            "station": (("lat",), np.array(["a", "bb", "grün"])),
            "code": (("lat",), np.array([b"a", b"bb", b"ccc"])),
            "depth": ((), np.float32(5), {"standard_name": "depth"}),
        },
        {"time": time, "lat": lat, "lon": lon},
        {"title": "a grid", "Conventions": "CF-1.8"},
    )
    made["temperature"].encoding = {"_FillValue": np.float32(-999)}
    made["salinity"].encoding = {"dtype": "i2", "_FillValue": np.int16(-32768), "scale_factor": 0.01, "add_offset": 20.0}
    for each in ("temperature", "salinity"):
        made[each].encoding["chunks"] = (2, 2, 3)
    made["time"].encoding = {"units": "hours since 1990-01-01", "dtype": "f8"}
    return made


def by_xarray():
    for version in (2, 3):
        for is_consolidated in (True, False):
            name = f"xarray-v{version}{'' if is_consolidated else '-not-consolidated'}"
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                dataset().to_zarr(STORES / f"{name}.zarr", zarr_format=version, consolidated=is_consolidated)
            expect(name)


def by_netcdf():
    """NCZarr. A pure Zarr store has the notes of xarray, and others those of the library, of which older ones had other names."""
    for name, mode in [("nczarr-xarray", "zarr,file"), ("nczarr", "nczarr,file"), ("nczarr-4.9", "nczarr,file"), ("nczarr-4.8", "nczarr,file")]:
        with netCDF4.Dataset(f"file://{STORES / name}.zarr#mode={mode}", "w") as file:
            file.title = "by the library of NetCDF"
            file.createDimension("lat", 3)
            file.createDimension("lon", 4)
            for axis, size in [("lat", 3), ("lon", 4)]:
                file.createVariable(axis, "f8", (axis,))[:] = np.arange(size) * 10
            made = file.createVariable("v", "f4", ("lat", "lon"), fill_value=np.float32(-999), chunksizes=(2, 2))
            made.units = "m"
            made[:] = np.where(numbers((3, 4)) == -300, -999, numbers((3, 4)))
            file.createVariable("n", "i4", ("lat", "lon"))[:] = numbers((3, 4), "i4")
        if name != "nczarr-xarray":
            for folder in sorted((STORES / f"{name}.zarr").glob("*/")):
                with_notes_of(name, folder)
        expect(name)


def with_notes_of(name, folder):
    """Leaves the notes of xarray out, and writes those of the library as its older releases did."""
    attributes = json.loads((folder / ".zattrs").read_text())
    del attributes["_ARRAY_DIMENSIONS"]
    references = attributes["_nczarr_array"]["dimension_references"]
    if name == "nczarr-4.9":
        attributes["_nczarr_array"] = {"dimrefs": references, "storage": "chunked"}
    elif name == "nczarr-4.8":
        del attributes["_nczarr_array"]
        document = json.loads((folder / ".zarray").read_text())
        notes = {"_NCZARR_ARRAY": {"dimrefs": references, "storage": "chunked"}}
        (folder / ".zarray").write_text(json.dumps({**document, **notes}))
    (folder / ".zattrs").write_text(json.dumps(attributes))


def by_others():
    for variable, script in [("ZARR2_PYTHON", "zarr_2_stores.py"), ("TENSORSTORE_PYTHON", "tensorstore_stores.py")]:
        python = os.environ[variable]
        names = subprocess.run([python, HERE / script, STORES], check=True, capture_output=True, text=True).stdout.split()
        for name in names:
            if not name.startswith("refused-") and name != "v2-json":
                expect(name, *leaf_groups(STORES / f"{name}.zarr"))
    # zarr-python 3 does not read texts that are JSON.
    shutil.copy(STORES / "v2-text.expected.arrow.gz", STORES / "v2-json.expected.arrow.gz")


def leaf_groups(folder, key=""):
    """Those below a folder, if they are several; else none."""
    below = [each for each in sorted((folder / key).iterdir()) if each.is_dir() and is_node(each, "group")]
    return [leaf for each in below for path in [str(each.relative_to(folder))] for leaf in leaf_groups(folder, path) or [path]]


def main():
    STORES.mkdir(parents=True, exist_ok=True)
    for old in STORES.iterdir():
        shutil.rmtree(old) if old.is_dir() else old.unlink()
    makers = [plain, codecs, blosc, rare, refused, shards, nested_shards, fills, types, names, keys, empty, attributes, groups]
    for make in [*makers, by_xarray, by_netcdf, by_others]:
        make()


main()
