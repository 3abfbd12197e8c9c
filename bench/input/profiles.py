"""
Writes the profiles of the benchmark, files of some 10 kB each: profiles.py NETCDF3_CLASSIC|NETCDF4 COUNT FOLDER. Needs netCDF4.

A profile has `pres`, `temp` and `psal` as 32-bit floats of some 800 levels, and a place and a time as scalars. Numbers come from a seed:
both formats have the same rows.
"""

import sys
from pathlib import Path

import netCDF4
import numpy as np


def write(path, kind, random):
    levels = int(random.integers(780, 821))
    latitude, longitude, juld = random.uniform((-70, -180, 25000), (70, 180, 27000))
    pressure = np.sort(random.uniform(0, 2000, levels)).astype("f4")
    surface = 2 + 26 * np.cos(np.deg2rad(latitude))
    temperature = surface * np.exp(-pressure / 600) + random.normal(0, 0.2, levels)
    salinity = 34 + pressure / 1000 + random.normal(0, 0.05, levels)
    with netCDF4.Dataset(path, "w", format=kind) as dataset:
        dataset.set_fill_off()
        dataset.createDimension("N_LEVELS", levels)
        for name, units, value in (
            ("latitude", "degrees_north", latitude),
            ("longitude", "degrees_east", longitude),
            ("juld", "days since 1950-01-01 00:00:00", juld),
        ):
            variable = dataset.createVariable(name, "f8", ())
            variable.units = units
            variable[...] = value
        for name, units, values in (
            ("pres", "decibar", pressure),
            ("temp", "degree_Celsius", temperature),
            ("psal", "1", salinity),
        ):
            variable = dataset.createVariable(name, "f4", ("N_LEVELS",))
            variable.units = units
            variable[:] = values.astype("f4")


def main(kind, count, folder):
    Path(folder).mkdir()
    random = np.random.default_rng(2)
    for index in range(int(count)):
        write(f"{folder}/profile-{index:05}.nc", kind, random)


main(*sys.argv[1:])
