"""
Says whether two files have the same values: compare_files.py netcdf|odv OURS THEIRS. Fails with the first difference. Of NetCDF each variable
of theirs is compared in all values, nulls as NaN; times as they are since 1970. Of ODV the number of rows and the sum of the temperatures
in all text files of the archives.
"""

import io
import sys
import zipfile

import netCDF4
import numpy

UNITS = {"days": 86400_000_000, "hours": 3600_000_000, "minutes": 60_000_000, "seconds": 1_000_000, "milliseconds": 1000, "microseconds": 1}


def values_of(variable):
    variable.set_auto_maskandscale(False)
    values = variable[:]
    unit = getattr(variable, "units", "").split(" since ")
    if len(unit) == 2:
        return values * UNITS[unit[0]]
    fill = getattr(variable, "_FillValue", None)
    return values if fill is None else numpy.where(values == fill, numpy.nan, values)


def netcdf(ours, theirs):
    with netCDF4.Dataset(ours) as one, netCDF4.Dataset(theirs) as other:
        for name, variable in other.variables.items():
            values, expected = values_of(one[name]), values_of(variable)
            if values.shape != expected.shape:
                sys.exit(f"{name} has the shape {values.shape}, not {expected.shape}")
            is_float = expected.dtype.kind == "f"
            if not numpy.array_equal(values, expected, equal_nan=is_float):
                sys.exit(f"{name} has other values")


def temperatures(path):
    count, total = 0, 0.0
    with zipfile.ZipFile(path) as archive:
        for entry in archive.namelist():
            place = None
            for line in io.TextIOWrapper(archive.open(entry), "utf-8"):
                if line.startswith("//"):
                    continue
                cells = line.rstrip("\n").split("\t")
                if place is None:
                    place = next(i for i, title in enumerate(cells) if title.split(" ")[0] == "temperature")
                else:
                    count += 1
                    total += float(cells[place])
    return count, total


def odv(ours, theirs):
    (count, total), (expected_count, expected) = temperatures(ours), temperatures(theirs)
    if count != expected_count or abs(total - expected) > 1e-6 * abs(expected):
        sys.exit(f"{count} rows of the sum {total}, not {expected_count} of {expected}")


{"netcdf": netcdf, "odv": odv}[sys.argv[1]](sys.argv[2], sys.argv[3])
