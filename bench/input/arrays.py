"""
Writes a file of arrays for the benchmark: arrays.py sst|contiguous|variables|other FILE. Needs netCDF4.

sst: daily temperatures of a year, with noise from a seed, in chunks of a quarter of a day's grid.
contiguous: an array of 6 GB without chunks. Its elements are never written, so that the file system stores no blocks for them: they
are zeros, and reading them costs what reading from the page cache costs.
other: `value(time = 240, lat = 432, lon = 864)`, another array of noise in chunks of 2 x 144 x 216, which nothing was tuned to.
variables: 600 small arrays in chunks, each with eight attributes.
"""

import sys

import netCDF4
import numpy as np


def create(path, times, latitudes, longitudes):
    dataset = netCDF4.Dataset(path, "w")
    for name, size in (("time", times), ("lat", latitudes), ("lon", longitudes)):
        dataset.createDimension(name, size)
    time = dataset.createVariable("time", "f8", ("time",))
    time.units = "days since 2024-01-01"
    time[:] = np.arange(times)
    half = 90 / latitudes
    dataset.createVariable("lat", "f4", ("lat",))[:] = np.linspace(half - 90, 90 - half, latitudes)
    half = 180 / longitudes
    dataset.createVariable("lon", "f4", ("lon",))[:] = np.linspace(half - 180, 180 - half, longitudes)
    return dataset


def sst(path):
    with create(path, 365, 360, 720) as dataset:
        variable = dataset.createVariable(
            "sst", "f4", ("time", "lat", "lon"), chunksizes=(1, 180, 360), zlib=True, complevel=4, shuffle=True
        )
        random = np.random.default_rng(1)
        mean = 20 * np.cos(np.deg2rad(dataset["lat"][:].filled()))[:, None] + np.zeros(720)
        for day in range(365):
            values = mean + 5 * np.sin(day / 58) + random.normal(0, 0.5, (360, 720))
            variable[day] = values.astype("f4").round(3)


def contiguous(path):
    with create(path, 2500, 600, 1000) as dataset:
        dataset.set_fill_off()
        variable = dataset.createVariable("value", "f4", ("time", "lat", "lon"), contiguous=True)
        # One element is written, so that the library gives the array its place in the file.
        variable[-1, -1, -1] = 1


def variables(path):
    with create(path, 12, 6, 12) as dataset:
        for number in range(600):
            variable = dataset.createVariable(
                f"v{number}", "f4", ("time", "lat", "lon"), chunksizes=(4, 6, 12), zlib=True, shuffle=True
            )
            variable.setncatts({f"attribute_{name}": f"{name} of variable {number}" for name in "abcdefg"})
            variable.units = "1"
            variable[:] = np.full((12, 6, 12), number, "f4")


def other(path):
    with create(path, 240, 432, 864) as dataset:
        variable = dataset.createVariable(
            "value", "f4", ("time", "lat", "lon"), chunksizes=(2, 144, 216), zlib=True, complevel=4, shuffle=True
        )
        random = np.random.default_rng(2)
        for hour in range(0, 240, 2):
            variable[hour : hour + 2] = random.gamma(2, 3, (2, 432, 864)).astype("f4").round(2)


{"sst": sst, "contiguous": contiguous, "variables": variables, "other": other}[sys.argv[1]](sys.argv[2])
