"""Writes test/fixtures/structures.json: what fixtures of arrays hold, as netCDF4, h5py and zarr list it.

Run with a Python that has netCDF4 1.7.5, h5py and zarr 3. Attributes that the service does not list are left out: those by which HDF5
and xarray store dimensions, and values that are neither text nor numbers.
"""

import json
import math
import pathlib

import h5py
import netCDF4
import numpy as np
import zarr

FIXTURES = pathlib.Path(__file__).parent.parent / "test" / "fixtures"

HIDDEN = {"CLASS", "DIMENSION_LIST", "DIMENSION_LABELS", "NAME", "REFERENCE_LIST", "_NCProperties"}
HIDDEN |= {"_Netcdf4Coordinates", "_Netcdf4Dimid", "_nc3_strict", "_ARRAY_DIMENSIONS"}


def plain(value):
    """A value of an attribute as JSON has it. None: it is not listed."""
    if isinstance(value, h5py.Empty):
        return "" if value.dtype.kind in "SO" else []
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, (str, bool)):
        return value
    if isinstance(value, (np.ndarray, list, tuple)):
        # One value, whatever its shape, is that value.
        values = [plain(each) for each in np.asarray(value, dtype=getattr(value, "dtype", object)).reshape(-1)]
        return values[0] if len(values) == 1 else values
    if isinstance(value, (np.floating, float)):
        number = float(str(value))
        return number if math.isfinite(number) else {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}[str(number)]
    return int(value) if isinstance(value, (np.integer, int)) else None


def finite(value):
    """A value of JSON, in which numbers that JSON does not have are texts."""
    if isinstance(value, dict):
        return {name: finite(each) for name, each in value.items()}
    if isinstance(value, list):
        return [finite(each) for each in value]
    return plain(value) if isinstance(value, float) else value


def attributes(pairs):
    found = {name: plain(value) for name, value in pairs if name not in HIDDEN}
    return {name: value for name, value in found.items() if value is not None}


def netcdf(path):
    groups, dimensions, variables = {}, [], {}

    def walk(group):
        at = group.path
        groups[at] = attributes((name, group.getncattr(name)) for name in group.ncattrs())
        for name, each in group.dimensions.items():
            dimensions.append([at, name, each.size, each.isunlimited()])
        for name, each in group.variables.items():
            chunks = each.chunking() if group.data_model.startswith("NETCDF4") else None
            filters = each.filters() or {}
            used = [filter for filter in ("shuffle", "fletcher32") if filters.get(filter)]
            variables[f"{at.rstrip('/')}/{name}"] = {
                "dimensions": list(each.dimensions),
                "shape": list(each.shape),
                "chunks": chunks if isinstance(chunks, list) else None,
                "filters": sorted(used + (["deflate"] if filters.get("zlib") else [])),
                "attributes": attributes((name, each.getncattr(name)) for name in each.ncattrs()),
            }
        for each in group.groups.values():
            walk(each)

    with netCDF4.Dataset(path) as dataset:
        dataset.set_auto_mask(False)
        walk(dataset)
    return {"groups": groups, "dimensions": sorted(dimensions), "variables": variables}


def hdf5(path):
    groups, variables = {"/": {}}, {}
    with h5py.File(path) as file:
        groups["/"] = attributes(file.attrs.items())

        def add(name, each):
            if isinstance(each, h5py.Group):
                groups[f"/{name}"] = attributes(each.attrs.items())
            elif isinstance(each, h5py.Dataset):
                plist = each.id.get_create_plist()
                variables[f"/{name}"] = {
                    "shape": list(each.shape),
                    "chunks": list(each.chunks) if each.chunks else None,
                    "filters": [plist.get_filter(index)[0] for index in range(plist.get_nfilters())],
                    "attributes": attributes(each.attrs.items()),
                }

        file.visititems(add)
    return {"groups": groups, "variables": variables}


def zarr_store(path):
    groups, variables = {}, {}

    def walk(group, at):
        groups[at] = {k: finite(v) for k, v in group.attrs.items() if k not in HIDDEN}
        for name, each in group.members(max_depth=0):
            own = f"{at.rstrip('/')}/{name}"
            if isinstance(each, zarr.Group):
                walk(each, own)
            else:
                variables[own] = {
                    "shape": list(each.shape),
                    "chunks": list(each.chunks),
                    "attributes": {k: finite(v) for k, v in each.attrs.items() if k not in HIDDEN},
                }

    walk(zarr.open_group(path, mode="r"), "/")
    return {"groups": groups, "variables": variables}


NETCDF3 = ["axes-cdf1", "axes-cdf2", "records-cdf5", "kinds-cdf1", "packing-cdf1", "names-cdf1"]
NETCDF4 = ["groups-and-types", "two-unlimited", "records-nc4", "profiles-deflate", "field-chunked", "kinds-nc4"]
NETCDF4 += ["packing-nc4", "grid-nc4c", "profiles-fletcher", "axes-nc4"]
HDF5 = ["groups", "packed", "attributes-v200", "filter-shuffle-deflate-fletcher32", "filter-bzip2", "many-links"]
HDF5 += ["filter-szip-ec", "layouts-v200", "phony"]
ZARR = ["plain", "groups", "groups-consolidated", "shards", "v2-groups", "v2-codecs", "xarray-v3", "xarray-v2"]

found = {}
for folder, names, end, read in (
    ("netcdf", NETCDF3, "nc", netcdf),
    ("netcdf4", NETCDF4, "nc", netcdf),
    ("hdf5", HDF5, "h5", hdf5),
    ("zarr", ZARR, "zarr", zarr_store),
):
    for name in names:
        path = f"{folder}/{name}.{end}"
        if not (FIXTURES / path).exists():
            print("missing", path)
            continue
        try:
            found[path] = read(FIXTURES / path)
        except Exception as error:
            print(path, repr(error)[:300])
lines = [f"{json.dumps(path)}: {json.dumps(each, ensure_ascii=False, allow_nan=False)}" for path, each in found.items()]
(FIXTURES / "structures.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")
