"""Writes src/sample/sst.nc: five-day means of the temperature of the sea surface where the floats of the sample drift, made up. And
sst.zarr beside it: the same arrays in a sharded store, as xarray writes one.

Run with a Python that has netCDF4 1.7.5, xarray 2026.9 and zarr 3.1.6. The same libraries give the same bytes, but those of sst.nc
depend on the version of HDF5 too: without the argument `all`, sst.nc stays as it is.
"""

import pathlib
import shutil
import sys

import netCDF4
import numpy as np
import xarray as xr

SAMPLE = pathlib.Path(__file__).parent.parent / "src" / "sample"
PATH = SAMPLE / "sst.nc"
FILL = np.int16(-32768)

days = np.arange(0, 60, 5)
lat = np.arange(20.5, 56)
lon = np.arange(-50.5, -9)


def temperature():
    """Degrees Celsius, as in make-sample.ts at the surface; eddies move west, and the sea cools down until March."""
    t, y, x = np.meshgrid(days, lat, lon, indexing="ij")
    eddies = 0.4 * np.sin(0.9 * x + 0.05 * t) * np.cos(0.7 * y - 0.02 * t)
    noise = np.random.default_rng(20240101).normal(0, 0.03, t.shape)
    return 24.1 - 0.42 * (y - 22) + eddies + noise - 0.008 * t


def is_land():
    y, x = np.meshgrid(lat, lon, indexing="ij")
    africa = (y < 35) & (x > -17 + 0.5 * (y - 21))
    iberia = (y > 36.5) & (y < 43.5) & (x > -9.8)
    ireland = (y > 51.5) & (x > -10)
    return africa | iberia | ireland


def write_netcdf():
    with netCDF4.Dataset(PATH, "w") as file:
        file.title = "Temperature of the sea surface, means of five days (made up)"
        file.Conventions = "CF-1.8"
        file.createDimension("time", None)
        for name, values, units, standard_name in [
            ("lat", lat, "degrees_north", "latitude"),
            ("lon", lon, "degrees_east", "longitude"),
        ]:
            file.createDimension(name, len(values))
            axis = file.createVariable(name, "f4", (name,))
            axis.setncatts({"standard_name": standard_name, "units": units})
            axis[:] = values
        time = file.createVariable("time", "f8", ("time",), chunksizes=(len(days),))
        time.setncatts({"standard_name": "time", "units": "days since 2024-01-01 00:00:00", "calendar": "standard"})
        time[:] = days
        sst = file.createVariable(
            "sst", "i2", ("time", "lat", "lon"), fill_value=FILL, zlib=True, complevel=9, shuffle=True, chunksizes=(4, 18, 21)
        )
        sst.setncatts(
            {
                "standard_name": "sea_surface_temperature",
                "long_name": "temperature of the sea surface",
                "units": "degree_Celsius",
                "scale_factor": 0.01,
                "add_offset": 0.0,
            }
        )
        sst.set_auto_maskandscale(False)
        stored = np.round(temperature() * 100).astype("i2")
        stored[:, is_land()] = FILL
        sst[:] = stored


def write_zarr():
    store = SAMPLE / "sst.zarr"
    shutil.rmtree(store, ignore_errors=True)
    with xr.open_dataset(PATH, mask_and_scale=False, decode_times=False) as data:
        for array in data.variables.values():
            array.encoding = {"_FillValue": None} if "_FillValue" not in array.attrs else {}
        # Shards of all chunks of four times.
        chunks = {"chunks": (4, 18, 21), "shards": (4, 36, 42)}
        data.to_zarr(store, zarr_format=3, consolidated=True, encoding={"sst": chunks})


if sys.argv[1:] == ["all"]:
    write_netcdf()
write_zarr()
