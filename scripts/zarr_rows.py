"""The rows of Zarr stores as the service gives them, for the script that writes fixtures.

zarr-python decodes the elements, and xarray says which of them are null and what they mean.
"""

import base64
import json
import struct
import sys
import warnings

import numpy as np
import pyarrow as pa
import xarray as xr
import zarr

from array_rows import Array, constant, decoded, kept, rows_of

NUMBERS = "iuf"


def read_zarr(path, group="", dimensions=None):
    """The rows of a leaf group. The arrays of groups in it are not read. A store that is one array has rows as well."""
    folder = path / group
    is_array = is_node(folder, "array")
    names = [""] if is_array else sorted(each.name for each in folder.iterdir() if is_node(each, "array"))
    arrays = [] if is_array else [constant_of(f".{name}", value) for name, value in attributes_of(folder).items()]
    for name in names:
        arrays += read_array(folder / name, path.stem if is_array else name)
    arrays = sorted((each for each in arrays if each is not None), key=lambda array: array.name.encode())
    if not is_array:
        compare_with_xarray(folder, {array.name: array for array in arrays})
    if dimensions is not None:
        return rows_of([each for each in arrays if set(each.dimensions) <= set(dimensions)])
    return rows_of(kept(arrays))


def read_array(folder, name):
    """An array and its attributes."""
    stored = opened(folder)
    attributes = attributes_of(folder)
    yield from (constant_of(f"{name}.{each}", value) for each, value in attributes.items())
    values = stored[...]
    values = np.array(values, object) if isinstance(values, str) else np.asarray(values)
    if values.dtype.kind in NUMBERS:
        values = values.astype(values.dtype.newbyteorder("="))
    sizes = dict(zip(dimensions_of(folder, stored), stored.shape, strict=True))
    has_standard_name = "standard_name" in attributes
    flat = values.ravel()
    if values.dtype.kind in NUMBERS:
        yield decoded(name, sizes, values, meaning(folder, stored, attributes), folder)
    elif values.dtype.kind == "b":
        yield Array(name, sizes, pa.array(flat), has_standard_name)
    elif values.dtype.kind == "M":
        is_null = np.isnat(flat)
        yield Array(name, sizes, pa.array(flat.astype("M8[ns]"), pa.timestamp("ns"), mask=is_null), has_standard_name)
    elif values.dtype.kind in "TU" or (values.dtype.kind == "O" and isinstance(next(iter(flat), ""), str)):
        fill = meaning(folder, stored, attributes).get("_FillValue", "")
        texts = [str(each) for each in flat.tolist()]
        texts = [None if isinstance(fill, str) and fill.strip() != "" and text == fill else text for text in texts]
        yield Array(name, sizes, pa.array(texts, pa.string()), has_standard_name)
    elif values.dtype.kind == "S":
        yield Array(name, sizes, pa.array([each.decode() for each in flat.tolist()], pa.string()), has_standard_name)
    elif values.dtype.kind == "O":
        yield Array(name, sizes, pa.array([bytes(each) for each in flat.tolist()], pa.binary()), has_standard_name)
    # Others, such as complex numbers, are no columns.


def constant_of(name, value):
    """The column of an attribute: a number is a 64-bit float."""
    if isinstance(value, bool):
        return Array(name, {}, pa.array([value]))
    if isinstance(value, (int, float)):
        return Array(name, {}, pa.array([float(value)]))
    return constant(name, value) if isinstance(value, str) else None


def meaning(folder, stored, attributes):
    """The attributes as xarray understands them: the number that means null has the type of the array."""
    attributes = {name: value for name, value in attributes.items() if isinstance(value, (int, float, str))}
    type_ = stored.dtype
    if stored.metadata.zarr_format == 2 and "_ARRAY_DIMENSIONS" in attributes_of(folder) and stored.metadata.fill_value is not None:
        attributes["_FillValue"] = stored.metadata.fill_value
    fill = attributes.get("_FillValue")
    if isinstance(fill, str) and type_.kind in NUMBERS:
        # xarray writes a number into version 3 as the bytes of a 64-bit float.
        data = base64.b64decode(fill) if len(fill) == 12 else b""
        fill = struct.unpack("<d", data)[0] if len(data) == 8 and type_.kind == "f" else None
    for name, value in [("_FillValue", fill), ("missing_value", attributes.get("missing_value"))]:
        attributes.pop(name, None)
        if type_.kind in NUMBERS and not isinstance(value, (str, type(None))):
            attributes[name] = np.asarray(value).astype(type_.newbyteorder("="))[()]
        elif value is not None:
            attributes[name] = value
    return attributes


def dimensions_of(folder, stored):
    if stored.metadata.zarr_format == 3:
        names = stored.metadata.dimension_names
    else:
        names = attributes_of(folder).get("_ARRAY_DIMENSIONS") or nczarr_names(folder)
    names = names or [None] * stored.ndim
    return [f"dim_{axis}" if name is None else name for axis, name in enumerate(names)]


def nczarr_names(folder):
    """Those that the library of NetCDF notes down: paths of dimensions."""
    document = json.loads((folder / ".zarray").read_text())
    notes = attributes_of(folder).get("_nczarr_array") or document.get("_nczarr_array") or document.get("_NCZARR_ARRAY") or {}
    return [name.rsplit("/", 1)[-1] for name in notes.get("dimrefs") or notes.get("dimension_references") or []]


def is_number(type_):
    return pa.types.is_integer(type_) or pa.types.is_floating(type_)


def opened(folder):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return zarr.open_array(folder, mode="r")


def is_node(folder, kind):
    document = folder / "zarr.json"
    if document.exists():
        return json.loads(document.read_text())["node_type"] == kind
    return (folder / f".z{kind}").exists()


def attributes_of(folder):
    """As the documents have them. Python reads NaN and Infinity."""
    if (folder / "zarr.json").exists():
        return json.loads((folder / "zarr.json").read_text()).get("attributes", {})
    return json.loads((folder / ".zattrs").read_text()) if (folder / ".zattrs").exists() else {}


def compare_with_xarray(folder, arrays):
    """Where xarray opens the store, it must give the same numbers and the same nulls."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            opened = xr.open_dataset(folder, engine="zarr", consolidated=False, decode_times=False, decode_timedelta=False)
    except (KeyError, TypeError, ValueError) as error:
        print(f"{folder.name}: xarray does not open it: {type(error).__name__} {str(error)[:80]}", file=sys.stderr)
        return
    for name, variable in opened.variables.items():
        column = arrays.get(name)
        if column is None or not is_number(column.values.type):
            continue
        values = variable.values.ravel().astype(float)
        ours = column.values.to_numpy(zero_copy_only=False).astype(float)
        assert np.allclose(ours, values, rtol=1e-6, equal_nan=True), (folder, name, ours, values)
