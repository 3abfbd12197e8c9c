"""Writes test/fixtures/netcdf and test/fixtures/netcdf4: small files, and beside each the rows that it has.

Run with a Python that has netCDF4 1.7.5, xarray and pyarrow; ncgen 4.9 makes files of all five formats from the texts in
scripts/cdl. The real Argo files in test/fixtures/netcdf/argo get their rows too. `<name>.expected.arrow.gz` is an Arrow IPC
stream, with text as Utf8 and no dictionaries. `<name>@<dimensions>.expected.arrow.gz` has the rows for those dimensions.
"""

import pathlib
import subprocess
import sys
import warnings

import netCDF4
import numpy as np

from array_rows import read_netcdf, write_rows

ROOT = pathlib.Path(__file__).parent.parent
CLASSIC = ROOT / "test" / "fixtures" / "netcdf"
NETCDF4 = ROOT / "test" / "fixtures" / "netcdf4"
CDL = ROOT / "scripts" / "cdl"

KINDS = [
    ("cdf1", "classic", "NETCDF3_CLASSIC", CLASSIC),
    ("cdf2", "64-bit offset", "NETCDF3_64BIT_OFFSET", CLASSIC),
    ("cdf5", "64-bit data", "NETCDF3_64BIT_DATA", CLASSIC),
    ("nc4c", "netCDF-4 classic model", "NETCDF4_CLASSIC", NETCDF4),
    ("nc4", "netCDF-4", "NETCDF4", NETCDF4),
]

# Texts that only these formats can hold.
ONLY = {"types5": ("cdf5", "nc4"), "user-types": ("nc4",)}


def expect(path, *dimensions):
    suffix = f"@{','.join(dimensions)}" if dimensions else ""
    write_rows(path.with_name(f"{path.stem}{suffix}.expected.arrow.gz"), read_netcdf(path, dimensions or None))


def by_ncgen():
    for text in sorted(CDL.glob("*.cdl")):
        for suffix, kind, _, folder in KINDS:
            if suffix not in ONLY.get(text.stem, (suffix,)):
                continue
            path = folder / f"{text.stem}-{suffix}.nc"
            if (text.stem, suffix) == ("types5", "cdf5"):
                # ncgen 4.9.0 writes int64 as int into CDF-5.
                other = NETCDF4 / "types5-nc4.nc"
                subprocess.run(["ncgen", "-k", "netCDF-4", "-o", other, text], check=True)
                subprocess.run(["nccopy", "-k", "cdf5", other, path], check=True)
            else:
                subprocess.run(["ncgen", "-k", kind, "-o", path, text], check=True)
            expect(path)


def profiles(file, **storage):
    """Profiles over an unlimited dimension, with values that compress and some that do not."""
    file.createDimension("profile", None)
    file.createDimension("level", 12)
    file.title = "profiles"
    file.number = np.int32(7)
    random = np.random.default_rng(7)

    def variable(name, type_, dims, values, fill=None, **attributes):
        made = file.createVariable(name, type_, dims, fill_value=fill, **storage)
        made.set_auto_maskandscale(False)
        made.setncatts(attributes)
        made[: len(values)] = values

    count = 9
    variable("juld", "f8", ("profile",), 20000 + np.arange(count) / 3, 999999.0, units="days since 1950-01-01 00:00:00 UTC", standard_name="time")
    variable("latitude", "f8", ("profile",), np.linspace(-60, 60, count), standard_name="latitude")
    variable("cycle", "i2", ("profile",), np.arange(count), -1)
    variable("qc", "S1", ("profile", "level"), np.full((count, 12), b"1"), b" ")
    pressure = np.broadcast_to(np.arange(12) * 10, (count, 12)).astype("f4")
    temperature = (20 - pressure / 20 + random.random((count, 12))).astype("f4")
    temperature[2, 5:] = 99999
    variable("pres", "f4", ("profile", "level"), pressure, np.float32(99999), units="decibar", standard_name="sea_water_pressure")
    variable("temp", "f4", ("profile", "level"), temperature, np.float32(99999), units="degree_Celsius", standard_name="sea_water_temperature")
    packed = np.round(temperature[:, :12] * 100).clip(-32000, 32000).astype("i2")
    variable("temp_packed", "i2", ("profile", "level"), packed, np.int16(-32768), scale_factor=0.01, add_offset=np.float64(0))


def by_netcdf4():
    for suffix, _, kind, folder in KINDS:
        path = folder / f"profiles-{suffix}.nc"
        with netCDF4.Dataset(path, "w", format=kind) as file:
            profiles(file)
        expect(path)
    storages = {
        "deflate": {"zlib": True, "complevel": 4, "shuffle": False},
        "shuffle": {"zlib": True, "complevel": 6, "shuffle": True},
        "fletcher": {"zlib": True, "shuffle": True, "fletcher32": True},
        "fletcher-alone": {"fletcher32": True},
    }
    for name, storage in storages.items():
        path = NETCDF4 / f"profiles-{name}.nc"
        with netCDF4.Dataset(path, "w") as file:
            profiles(file, **storage)
        expect(path)


def field(path, chunks=None, endian="native", **storage):
    """A field over three dimensions, with chunks that do not divide its shape."""
    with netCDF4.Dataset(path, "w") as file:
        shape = (5, 7, 11)
        for name, size in zip(("time", "y", "x"), shape):
            file.createDimension(name, size)
            axis = file.createVariable(name, "f8", (name,), endian=endian)
            axis[:] = np.arange(size) * 1.5
        file["time"].units = "hours since 2020-02-28 18:00:00"
        values = np.random.default_rng(3).integers(-500, 500, shape)
        for name, type_ in [("i1", "i1"), ("i2", "i2"), ("i4", "i4"), ("i8", "i8"), ("u8", "u8"), ("f4", "f4"), ("f8", "f8")]:
            file.createVariable(name, type_, ("time", "y", "x"), chunksizes=chunks, endian=endian, **storage)
            file[name][:] = (np.abs(values) if type_ == "u8" else values).astype(type_)
        plane = file.createVariable("lat", "f4", ("y", "x"), chunksizes=chunks and chunks[1:], endian=endian, **storage)
        plane[:] = values[0] / 10
        turned = file.createVariable("turned", "i2", ("x", "time"), chunksizes=chunks and (3, 5), endian=endian, **storage)
        turned[:] = values[:, 0, :].T
    expect(path)


def netcdf4_alone():
    field(NETCDF4 / "field-contiguous.nc")
    field(NETCDF4 / "field-big-endian.nc", endian="big")
    field(NETCDF4 / "field-chunked.nc", (2, 3, 4))
    field(NETCDF4 / "field-shuffle.nc", (2, 3, 4), zlib=True, complevel=4, shuffle=True)
    field(NETCDF4 / "field-big-endian-shuffle.nc", (2, 3, 4), "big", zlib=True, shuffle=True)
    field(NETCDF4 / "field-whole-chunk.nc", (5, 7, 11), zlib=True, shuffle=True)

    path = NETCDF4 / "strings.nc"
    with netCDF4.Dataset(path, "w") as file:
        file.createDimension("n", 4)
        file.createVariable("name", str, ("n",))[:] = np.array(["", "a", "grün", "日本 text"], object)
        file.createVariable("value", "f4", ("n",))[:] = [1, 2, 3, 4]
        file.createVariable("only", str, ())[...] = "constant"
        file.setncattr_string("title", "text of any length: é")
        file.setncattr("several", ["one", "two"])
        file["value"].setncattr_string("units", "m")
    expect(path)

    path = NETCDF4 / "two-unlimited.nc"
    with netCDF4.Dataset(path, "w") as file:
        file.createDimension("t", None)
        file.createDimension("x", None)
        file.createVariable("v", "i4", ("t", "x"), zlib=True)[:] = np.arange(12).reshape(3, 4)
        file.createVariable("x", "f8", ("x",))[:] = np.arange(4)
        file.createVariable("short", "i4", ("t",), fill_value=-5)[:2] = [1, 2]
    expect(path)

    path = NETCDF4 / "groups-and-types.nc"
    with netCDF4.Dataset(path, "w") as file:
        file.createDimension("n", 3)
        file.createVariable("value", "f4", ("n",))[:] = [1, 2, 3]
        inner = file.createGroup("inner")
        inner.title = "of a group"
        inner.createVariable("hidden", "f4", ("n",))[:] = [4, 5, 6]
    expect(path)


def argo():
    for path in sorted((CLASSIC / "argo").glob("*.nc")):
        expect(path)
    expect(CLASSIC / "argo" / "5900865_Rtraj.nc", "N_CYCLE")
    expect(CLASSIC / "argo" / "D1900857_000.nc", "N_HISTORY", "N_PROF")


warnings.filterwarnings("ignore", "endian-ness of dtype")
for folder in (CLASSIC, NETCDF4):
    folder.mkdir(parents=True, exist_ok=True)
by_ncgen()
by_netcdf4()
netcdf4_alone()
argo()
made = [each for folder in (CLASSIC, NETCDF4) for each in folder.rglob("*") if each.is_file()]
sys.stdout.write(f"{len(made)} files, {sum(each.stat().st_size for each in made)} bytes\n")
