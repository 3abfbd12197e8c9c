"""
Writes stores of Zarr v3 for the benchmark: zarr_arrays.py plain|sharded FILE FOLDER, zarr_arrays.py other-CODEC FILE FOLDER,
zarr_arrays.py million FOLDER. Needs zarr, and netCDF4 for those that are made of a file.

plain: `sst` of a NetCDF file, in the same chunks, which zstd compresses.
sharded: the same chunks in shards of 10 x 360 x 720.
other-CODEC: `value` of a NetCDF file, in chunks of 3 x 108 x 288, compressed by zstd, gzip, or blosc (shuffled and LZ4).
million: `v(time = 10000, lat = 100, lon = 100)` in a million chunks of 400 bytes, each an object. They are links to few files: only
their names count.
"""

import os
import sys
from itertools import product

import numpy as np
import zarr
from zarr.codecs import BloscCodec, GzipCodec, ZstdCodec

LINKS = 60_000
"""Fewer than ext4 allows for a file."""


def create(folder, times, latitudes, longitudes):
    group = zarr.create_group(folder)
    for name, values, attributes in (
        ("time", np.arange(times, dtype="f8"), {"units": "days since 2024-01-01"}),
        ("lat", latitudes, {}),
        ("lon", longitudes, {}),
    ):
        array = group.create_array(
            name, shape=values.shape, chunks=values.shape, dtype=values.dtype, compressors=None, dimension_names=(name,)
        )
        array[:] = values
        array.attrs.update(attributes)
    return group


def temperatures(file, folder, shards):
    copied(file, folder, "sst", None, shards, ZstdCodec())


def copied(file, folder, name, chunks, shards, codec):
    import netCDF4

    with netCDF4.Dataset(file) as dataset:
        dataset.set_auto_maskandscale(False)
        stored = dataset[name]
        group = create(folder, stored.shape[0], dataset["lat"][:], dataset["lon"][:])
        array = group.create_array(
            name,
            shape=stored.shape,
            chunks=chunks or tuple(stored.chunking()),
            shards=shards,
            dtype="f4",
            fill_value=float("nan"),
            compressors=codec,
            dimension_names=stored.dimensions,
        )
        step = 30 if chunks else 10
        for day in range(0, stored.shape[0], step):
            array[day : day + step] = stored[day : day + step]
    zarr.consolidate_metadata(folder)


def million(folder):
    latitudes, longitudes = np.linspace(-89.1, 89.1, 100), np.linspace(-178.2, 178.2, 100)
    group = create(folder, 10_000, latitudes, longitudes)
    group.create_array(
        "v",
        shape=(10_000, 100, 100),
        chunks=(1, 10, 10),
        dtype="f4",
        fill_value=0,
        compressors=None,
        chunk_key_encoding={"name": "default", "separator": "."},
        dimension_names=("time", "lat", "lon"),
    )
    zarr.consolidate_metadata(folder)
    chunk = np.ones(100, "<f4").tobytes()
    for index, key in enumerate(product(range(10_000), range(10), range(10))):
        path = f"{folder}/v/c.{key[0]}.{key[1]}.{key[2]}"
        if index % LINKS == 0:
            linked = path
            with open(path, "wb") as file:
                file.write(chunk)
        else:
            os.link(linked, path)


OTHER = {
    "other-zstd": ZstdCodec(),
    "other-gzip": GzipCodec(level=5),
    "other-blosc": BloscCodec(cname="lz4", shuffle="shuffle", typesize=4),
}

kind, *paths = sys.argv[1:]
if kind == "million":
    million(*paths)
elif kind in OTHER:
    copied(*paths, "value", (3, 108, 288), None, OTHER[kind])
else:
    temperatures(*paths, {"plain": None, "sharded": (10, 360, 720)}[kind])
