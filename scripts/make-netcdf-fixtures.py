"""Writes test/fixtures/netcdf: real and made files, and beside each the rows that are expected of it.

Run with a Python that has netCDF4, xarray, cftime and pyarrow; the argument is the folder of real Argo files. Values are those
that netCDF4 reads and xarray decodes. Which variables are rows of one grid is decided here a second time, by
docs/reference/netcdf.md. `times.json` has times in every calendar by xarray and cftime.
"""

import gzip
import json
import pathlib
import shutil
import sys
import warnings

import cftime
import netCDF4
import numpy as np
import pyarrow as pa
import xarray as xr

HERE = pathlib.Path(__file__).parent.parent / "test" / "fixtures" / "netcdf"
TEXT_DIMENSIONS = ("string", "strlen", "strnlen")
I64 = 2**63


# Rows.


def is_char(variable):
    return variable.dtype == "S1" or variable.dtype is str


def dimensions_of(variable):
    dimensions = list(variable.dimensions)
    if variable.dtype == "S1" and dimensions and dimensions[-1].lower().startswith(TEXT_DIMENSIONS):
        return dimensions[:-1]
    return dimensions


def kept(dataset, asked):
    """The names of the variables that are rows of one grid."""
    variables = {name: dimensions_of(dataset.variables[name]) for name in sorted(dataset.variables, key=str.encode)}
    within = lambda among: {name for name, own in variables.items() if set(own) <= set(among)}
    if asked is not None:
        return within(asked)
    widest = max(variables.values(), key=len, default=[])
    if within(widest) == set(variables):
        return set(variables)
    best = None
    for candidate in variables.values():
        if not candidate:
            continue
        rows = int(np.prod([dataset.dimensions[name].size for name in candidate]))
        arrays = [name for name in within(candidate) if variables[name]]
        named = sum(hasattr(dataset.variables[name], "standard_name") for name in arrays)
        exact = sum(variables[name] == candidate for name in arrays)
        key = (named, rows > 0, len(arrays), exact, rows)
        if best is None or key > best[0]:
            best = (key, candidate)
    return within(best[1])


def texts_of(variable, raw):
    if variable.dtype is str:
        return np.asarray(raw, dtype=object)
    if dimensions_of(variable) == list(variable.dimensions):
        # Single characters.
        return np.array([("" if each == b"\0" else each.decode("latin1")) for each in raw.ravel()], dtype=object).reshape(raw.shape)
    length = raw.shape[-1]
    joined = [
        b"".join(bytes(each) or b"\0" for each in text).rstrip(b"\0 \t\n\v\f\r").decode("utf8", "replace")
        for text in raw.reshape(-1, length)
    ]
    return np.array(joined, dtype=object).reshape(raw.shape[:-1])


def values_of(path, dataset, name):
    """The values of a variable, which of them are null, and their type."""
    variable = dataset.variables[name]
    raw = variable[...]
    raw = np.asarray(raw)
    if is_char(variable):
        texts = texts_of(variable, raw)
        return texts, np.zeros(texts.shape, bool), pa.string()
    attributes = {key: variable.getncattr(key) for key in variable.ncattrs()}
    unsigned = attributes.get("_Unsigned")
    if unsigned in ("true", "false") and raw.dtype.kind in "iu":
        raw = raw.view(raw.dtype.str.replace(raw.dtype.kind, "u" if unsigned == "true" else "i"))
    nulls = np.zeros(raw.shape, bool)
    for key in ("_FillValue", "missing_value"):
        fill = attributes.get(key)
        if fill is None or np.ndim(fill) > 0 or isinstance(fill, str):
            continue
        fill = np.asarray(fill).astype(raw.dtype)
        nulls |= (raw == fill) | (np.isnan(raw) if raw.dtype.kind == "f" and np.isnan(fill) else False)
    if "scale_factor" in attributes or "add_offset" in attributes:
        scale, offset = np.float64(attributes.get("scale_factor", 1)), np.float64(attributes.get("add_offset", 0))
        return raw.astype(np.float64) * scale + offset, nulls, pa.float64()
    units, calendar = attributes.get("units"), attributes.get("calendar", "standard")
    if isinstance(units, str) and " since " in units and calendar.lower() not in ("360_day", "all_leap", "366_day") and not units.lower().startswith(("month", "year")):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            times = xr.coding.times.decode_cf_datetime(np.where(nulls, 0, raw), units, calendar.lower())
        times = times.astype("datetime64[ns]")
        return times.astype(np.int64), nulls | np.isnat(times), pa.timestamp("ns")
    return raw, nulls, pa.from_numpy_dtype(raw.dtype.newbyteorder("="))


def constant(value, rows):
    if isinstance(value, bytes):
        value = value.decode("latin1")
    if isinstance(value, str):
        return pa.array([value] * rows, pa.string())
    value = np.asarray(value)
    return None if value.ndim > 0 and value.size != 1 else pa.array([value.reshape(-1)[0]] * rows, pa.from_numpy_dtype(value.dtype.newbyteorder("=")))


def expected(path, asked=None):
    """All rows in C order, column by column in the order of names."""
    dataset = netCDF4.Dataset(path)
    dataset.set_auto_maskandscale(False)
    dataset.set_auto_chartostring(False)
    names = sorted(kept(dataset, asked), key=str.encode)
    axes = {}
    shapes = {name: dimensions_of(dataset.variables[name]) for name in names}
    leader = max(reversed(names), key=lambda name: len(shapes[name]), default=None)
    for name in ([leader] if leader else []) + names:
        for dimension in shapes[name]:
            axes.setdefault(dimension, dataset.dimensions[dimension].size)
    shape = tuple(axes.values())
    rows = int(np.prod(shape))
    columns = {}
    for key in dataset.ncattrs():
        columns[f".{key}"] = constant(dataset.getncattr(key), rows)
    for variable in dataset.variables.values():
        for key in variable.ncattrs():
            columns[f"{variable.name}.{key}"] = constant(variable.getncattr(key), rows)
    for name in names:
        values, nulls, type_ = values_of(path, dataset, name)
        own = shapes[name]
        order = [dimension for dimension in axes if dimension in own]
        spread = lambda array: np.broadcast_to(
            np.transpose(array, [own.index(each) for each in order]).reshape([axes[each] if each in own else 1 for each in axes]), shape
        ).ravel()
        columns[name] = pa.array(spread(values), mask=spread(nulls)) if type_ != pa.timestamp("ns") else pa.array(spread(values), pa.int64(), mask=spread(nulls)).cast(type_)
        columns[name] = columns[name].cast(type_)
    present = {name: column for name, column in columns.items() if column is not None}
    return pa.table({name: present[name] for name in sorted(present, key=str.encode)})


def expect(path, asked=None):
    table = expected(path, asked)
    stream = pa.BufferOutputStream()
    with pa.ipc.new_stream(stream, table.schema) as writer:
        writer.write_table(table)
    suffix = "" if asked is None else "." + "-".join(asked)
    # No time in the header: the same rows give the same bytes.
    target = path.with_name(f"{path.stem}{suffix}.expected.arrow.gz")
    target.write_bytes(gzip.compress(stream.getvalue().to_pybytes(), mtime=0))
    print(path.name, suffix, table.num_rows, table.num_columns, target.stat().st_size)


# Made files.


def write_cf(path):
    """Every way in which attributes say what numbers mean."""
    with netCDF4.Dataset(path, "w", format="NETCDF3_CLASSIC") as file:
        file.title = "every way"
        file.version = np.int16(3)
        file.many = np.array([1, 2], "i4")
        file.createDimension("time", 4)
        file.createDimension("lat", 3)
        file.createDimension("lon", 2)
        file.createDimension("string5", 5)
        file.set_auto_maskandscale(False)

        def add(name, type_, dimensions, values, **attributes):
            fill = attributes.pop("_FillValue", None)
            variable = file.createVariable(name, type_, dimensions, fill_value=fill)
            variable.setncatts(attributes)
            variable[...] = np.asarray(values, type_)

        name = file.createVariable("name", "S1", ("lat", "string5"), fill_value=b" ")
        name[...] = np.array([[each[at : at + 1] for at in range(5)] for each in (b"ab   ", "\u00e9y\0\0".encode(), b"\xe9    ")], "S1")
        flag = file.createVariable("flag", "S1", ("lon",))
        flag[...] = np.array([b"1", b" "], "S1")
        kind = file.createVariable("kind", "S1", ("string5",))
        kind[...] = np.array(list("grid "), "S1")

        add("time", "f8", ("time",), [0, 0.5, 730.1, np.nan], units="days since 2000-01-01 12:00:00 +01:00", standard_name="time")
        add("lat", "f4", ("lat",), [50, 51.5, 53], units="degrees_north", standard_name="latitude")
        add("lon", "f8", ("lon",), [-1, 1], units="degrees_east", standard_name="longitude")
        cells = np.arange(24).reshape(4, 3, 2)
        add("packed", "i2", ("time", "lat", "lon"), cells - 5, scale_factor=np.float32(0.01), add_offset=np.float32(10), _FillValue=np.int16(-5), missing_value=np.int16(7), standard_name="sea_water_temperature")
        add("filled", "i4", ("time", "lat"), cells[:, :, 0], _FillValue=np.int32(4))
        add("nan_filled", "f4", ("lat", "lon"), [[1, np.nan], [3, 4], [np.nan, -0.0]], _FillValue=np.float32("nan"))
        add("not_filled", "f4", ("lat", "lon"), [[1, np.nan], [3, 4], [np.inf, -0.0]], valid_min=np.float32(2))
        add("unsigned", "i1", ("lat",), [-1, 0, 127], _Unsigned="true", _FillValue=np.int8(127))
        add("unsigned_packed", "i1", ("lat",), [-1, 0, 127], _Unsigned="true", scale_factor=0.5)
        add("several_missing", "i4", ("lat",), [1, 2, 3], missing_value=np.array([1, 2], "i4"))
        add("swapped", "f8", ("lon", "lat"), np.arange(6).reshape(2, 3))
        add("level", "f4", (), 2.5, units="m")
        add("when", "i4", ("time",), [0, 1, -1, 2147483647], units="seconds since 1970-01-01", _FillValue=np.int32(-1))
        add("months", "i4", ("time",), [0, 1, 2, 3], units="months since 2000-01-01")


# Times.


def times():
    """Units, a calendar, counts, and the nanoseconds since 1970 that each is. None: not in 64 bits."""
    cases = []
    floats = [0.0, 1.0, -1.0, 0.1, 0.5, 20000.1, 7305.123456789, 12345.999999999]
    ints = [0, 1, -1, 59, 365, 36524]
    standard = [
        ("days since 1950-01-01 00:00:00 UTC", "gregorian"),
        ("days since 2000-01-01", None),
        ("hours since 1900-01-01 00:00:0.0", "standard"),
        ("seconds since 1981-01-01", "Gregorian"),
        ("Seconds since 1970-01-01T00:00:00Z", "standard"),
        ("minutes since 2000-1-1 6:30", "proleptic_gregorian"),
        ("milliseconds since 1999-12-31 23:59:59.5", "standard"),
        ("microseconds since 1970-01-01", "standard"),
        ("nanoseconds since 1970-01-01", "standard"),
        ("day since 2000-02-29 12:00:00 -06:00", "standard"),
        ("hours since 2000-01-01 00:00:00 +0530", "standard"),
        ("days since 1970-01", "standard"),
        ("days since 1970", "proleptic_gregorian"),
        ("hr since 2000-01-01", "standard"),
        ("secs since 2000-01-01", "standard"),
        ("d since 2000-01-01", "standard"),
        ("msec since 2000-01-01", "standard"),
    ]
    for units, calendar in standard:
        # xarray leaves abbreviated units to cftime, which rounds to microseconds. How a unit is spelt must not change a time.
        is_abbreviated = units.split()[0] in ("hr", "secs", "d", "msec")
        for values in (ints,) if is_abbreviated else (floats, ints):
            cases.append(case(units, calendar, values))
    # So many days lead from these epochs to our times.
    for units, calendar, near in [
        ("days since 0001-01-01", "standard", 730000),
        ("days since 1-1-1 00:00:00", "gregorian", 730000),
        ("days since 0001-01-01", "proleptic_gregorian", 730000),
        ("days since -4713-01-01", "standard", 2451545),
        ("hours since 0001-01-01 00:00:00", "standard", 17520000),
        ("days since 1582-10-04", "standard", 150000),
        ("days since 1582-10-15", "standard", 150000),
        ("days since 1600-02-28", "proleptic_gregorian", 150000),
        ("days since 2000-01-01", "julian", 0),
        ("days since 1900-02-28", "julian", 36000),
        ("hours since 1700-02-28 12:00", "julian", 2600000),
        ("days since 1850-01-01", "noleap", 50000),
        ("days since 2000-02-28", "365_day", 0),
        ("hours since 0001-01-01 06:00", "noleap", 17520000),
        ("seconds since 1970-01-01", "noleap", 10**9),
    ]:
        for values in ([near + each for each in floats], [near + each for each in ints]):
            cases.append(case(units, calendar, values))
    return cases


def case(units, calendar, values):
    """The first decoding that xarray manages, value by value, because one value must not change how others are decoded."""
    expected = []
    for value in values:
        array = np.array([value])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            decoded = xr.coding.times.decode_cf_datetime(array, units, calendar, use_cftime=None)
        if decoded.dtype.kind == "M":
            expected.append(str(decoded.astype("datetime64[ns]").astype(np.int64)[0]))
            continue
        date = decoded[0]
        if isinstance(date, cftime.DatetimeJulian):
            day = cftime.date2num(date, "microseconds since 1970-01-01", "julian")
            # The first day of 1970 in the Julian calendar is the 14th of January in the Gregorian.
            expected.append(str((int(day) + 13 * 86400 * 10**6) * 1000))
        else:
            since = cftime.datetime(date.year, date.month, date.day, date.hour, date.minute, date.second, date.microsecond, calendar="proleptic_gregorian") - cftime.datetime(1970, 1, 1, calendar="proleptic_gregorian")
            expected.append(str(((since.days * 86400 + since.seconds) * 10**6 + since.microseconds) * 1000))
    return {"units": units, "calendar": calendar, "integers": isinstance(values[0], int), "values": values, "expected": expected}


def main(argo):
    (HERE / "argo").mkdir(parents=True, exist_ok=True)
    for source in sorted(pathlib.Path(argo).glob("*.nc")):
        target = HERE / "argo" / source.name
        shutil.copyfile(source, target)
        target.chmod(0o644)
        # The rows of longer profiles would take 0.4 MB.
        if source.stat().st_size < 60_000 or "Rtraj" in source.name:
            expect(target)
    write_cf(HERE / "cf.nc")
    expect(HERE / "cf.nc")
    expect(HERE / "cf.nc", ["lat", "lon"])
    (HERE / "times.json").write_text(json.dumps(times(), indent=1) + "\n")


main(sys.argv[1])
