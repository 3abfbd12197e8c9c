"""Writes stores of both versions of Zarr into a folder, and prints their names. Run with tensorstore 0.1.86."""

import json
import pathlib
import sys

import numpy as np
import tensorstore as ts

STORES = pathlib.Path(sys.argv[1])
LITTLE = {"name": "bytes", "configuration": {"endian": "little"}}


def numbers(shape, type_="f4"):
    values = np.arange(np.prod(shape)).reshape(shape)
    return (values * 37 % 1009 - (300 if np.dtype(type_).kind != "u" else 0)).astype(type_)


def create(name, driver):
    """tensorstore writes arrays alone, so the group is written here."""
    print(name)
    folder = STORES / f"{name}.zarr"
    folder.mkdir()
    if driver == "zarr3":
        (folder / "zarr.json").write_text(json.dumps({"zarr_format": 3, "node_type": "group", "attributes": {}}))
    else:
        (folder / ".zgroup").write_text(json.dumps({"zarr_format": 2}))

    def add(array, values, **metadata):
        spec = {"driver": driver, "kvstore": {"driver": "file", "path": str(folder / array)}, "metadata": metadata, "create": True}
        spec["metadata"]["shape"] = list(values.shape)
        made = ts.open(spec).result()
        made.write(values).result()
        return made

    return add


def version_3():
    add = create("tensorstore", "zarr3")
    names = ["y", "x"]

    def chunks(*shape):
        return {"name": "regular", "configuration": {"chunk_shape": list(shape)}}

    common = {"data_type": "float32", "dimension_names": names, "chunk_grid": chunks(3, 3)}
    add("plain", numbers((5, 4)), **common, codecs=[LITTLE])
    add("zstd", numbers((5, 4)), **common, codecs=[LITTLE, {"name": "zstd", "configuration": {"level": 3}}])
    add("gzip", numbers((5, 4)), **common, codecs=[LITTLE, {"name": "gzip", "configuration": {"level": 3}}])
    blosc = {"cname": "lz4", "clevel": 5, "shuffle": "shuffle", "typesize": 4, "blocksize": 0}
    add("blosc", numbers((5, 4)), **common, codecs=[LITTLE, {"name": "blosc", "configuration": blosc}])
    add("crc32c", numbers((5, 4)), **common, codecs=[LITTLE, {"name": "crc32c"}])
    add("fortran", numbers((5, 4)), **common, codecs=[{"name": "transpose", "configuration": {"order": [1, 0]}}, LITTLE])
    for location in ["start", "end"]:
        sharding = {"chunk_shape": [3, 2], "codecs": [LITTLE, {"name": "zstd", "configuration": {"level": 1}}], "index_location": location}
        sharding["index_codecs"] = [LITTLE, {"name": "crc32c"}]
        sharded = {**common, "chunk_grid": chunks(6, 4), "codecs": [{"name": "sharding_indexed", "configuration": sharding}]}
        made = add(f"shards_{location}", numbers((5, 4)), **sharded)
        # Written a second time: the chunks lie in another order, or anew.
        made[1:2, 1:2].write(np.full((1, 1), 5, "f4")).result()
    add("y", np.arange(5) / 2, data_type="float64", dimension_names=["y"], chunk_grid=chunks(5), codecs=[LITTLE])
    add("x", np.arange(4) / 2, data_type="float64", dimension_names=["x"], chunk_grid=chunks(4), codecs=[LITTLE])
    add("flag", numbers((5, 4)) > 0, **{**common, "data_type": "bool"}, codecs=[LITTLE])


def version_2():
    add = create("tensorstore-v2", "zarr")
    for name, type_, options in [
        ("plain", "<f4", {"compressor": None}),
        ("big", ">i4", {"compressor": None}),
        ("zlib", "<f8", {"compressor": {"id": "zlib", "level": 5}}),
        ("zstd", "<f8", {"compressor": {"id": "zstd", "level": 5}}),
        ("blosc", "<i2", {"compressor": {"id": "blosc", "cname": "lz4", "clevel": 5, "shuffle": -1, "blocksize": 0}}),
        ("fortran", "<f4", {"compressor": None, "order": "F"}),
        ("slash", "<f4", {"compressor": None, "dimension_separator": "/"}),
    ]:
        add(name, numbers((5, 4), type_), dtype=type_, chunks=[3, 3], **options)


for make in [version_3, version_2]:
    make()
