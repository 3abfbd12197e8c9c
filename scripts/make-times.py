"""Writes test/fixtures/netcdf-times.json: times in every calendar, as xarray and cftime tell them.

Run with a Python that has xarray and cftime.
"""

import json
import pathlib
import warnings

import cftime
import numpy as np
import xarray as xr

PATH = pathlib.Path(__file__).parent.parent / "test" / "fixtures" / "netcdf-times.json"


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


PATH.write_text(json.dumps(times(), indent=1) + "\n")
