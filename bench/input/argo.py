"""
Writes files like those of Argo, of 16 to 70 kB each: argo.py NETCDF3_CLASSIC|NETCDF4_CLASSIC COUNT SEED FOLDER. Needs netCDF4.

Their headers differ: in the sizes of N_PROF, N_LEVELS, N_PARAM, N_CALIB and N_HISTORY, which is the unlimited dimension, and in the texts of
`history` and `comment`. There are four kinds: profiles with 64 variables, those without salinity, those with oxygen, and those whose
temperatures have 64 bits. Some have no step of N_HISTORY. Numbers come from the seed: both formats have the same rows.
"""

import sys
from pathlib import Path

import netCDF4
import numpy as np

FILL = np.float32(99999)

TEXTS = {"DATE_TIME": 14, "STRING256": 256, "STRING64": 64, "STRING32": 32, "STRING16": 16, "STRING8": 8, "STRING4": 4, "STRING2": 2}

# Name, type, dimensions.
HEAD = [
    ("DATA_TYPE", "S1", ("STRING16",)),
    ("FORMAT_VERSION", "S1", ("STRING4",)),
    ("HANDBOOK_VERSION", "S1", ("STRING4",)),
    ("REFERENCE_DATE_TIME", "S1", ("DATE_TIME",)),
    ("DATE_CREATION", "S1", ("DATE_TIME",)),
    ("DATE_UPDATE", "S1", ("DATE_TIME",)),
    ("PLATFORM_NUMBER", "S1", ("N_PROF", "STRING8")),
    ("PROJECT_NAME", "S1", ("N_PROF", "STRING64")),
    ("PI_NAME", "S1", ("N_PROF", "STRING64")),
    ("STATION_PARAMETERS", "S1", ("N_PROF", "N_PARAM", "STRING16")),
    ("CYCLE_NUMBER", "i4", ("N_PROF",)),
    ("DIRECTION", "S1", ("N_PROF",)),
    ("DATA_CENTRE", "S1", ("N_PROF", "STRING2")),
    ("DC_REFERENCE", "S1", ("N_PROF", "STRING32")),
    ("DATA_STATE_INDICATOR", "S1", ("N_PROF", "STRING4")),
    ("DATA_MODE", "S1", ("N_PROF",)),
    ("PLATFORM_TYPE", "S1", ("N_PROF", "STRING32")),
    ("FLOAT_SERIAL_NO", "S1", ("N_PROF", "STRING32")),
    ("FIRMWARE_VERSION", "S1", ("N_PROF", "STRING32")),
    ("WMO_INST_TYPE", "S1", ("N_PROF", "STRING4")),
    ("JULD", "f8", ("N_PROF",)),
    ("JULD_QC", "S1", ("N_PROF",)),
    ("JULD_LOCATION", "f8", ("N_PROF",)),
    ("LATITUDE", "f8", ("N_PROF",)),
    ("LONGITUDE", "f8", ("N_PROF",)),
    ("POSITION_QC", "S1", ("N_PROF",)),
    ("POSITIONING_SYSTEM", "S1", ("N_PROF", "STRING8")),
    ("VERTICAL_SAMPLING_SCHEME", "S1", ("N_PROF", "STRING256")),
    ("CONFIG_MISSION_NUMBER", "i4", ("N_PROF",)),
]
TAIL = [
    ("PARAMETER", "S1", ("N_PROF", "N_CALIB", "N_PARAM", "STRING16")),
    ("SCIENTIFIC_CALIB_EQUATION", "S1", ("N_PROF", "N_CALIB", "N_PARAM", "STRING256")),
    ("SCIENTIFIC_CALIB_COEFFICIENT", "S1", ("N_PROF", "N_CALIB", "N_PARAM", "STRING256")),
    ("SCIENTIFIC_CALIB_COMMENT", "S1", ("N_PROF", "N_CALIB", "N_PARAM", "STRING256")),
    ("SCIENTIFIC_CALIB_DATE", "S1", ("N_PROF", "N_CALIB", "N_PARAM", "DATE_TIME")),
    ("HISTORY_INSTITUTION", "S1", ("N_HISTORY", "N_PROF", "STRING4")),
    ("HISTORY_STEP", "S1", ("N_HISTORY", "N_PROF", "STRING4")),
    ("HISTORY_SOFTWARE", "S1", ("N_HISTORY", "N_PROF", "STRING4")),
    ("HISTORY_SOFTWARE_RELEASE", "S1", ("N_HISTORY", "N_PROF", "STRING4")),
    ("HISTORY_REFERENCE", "S1", ("N_HISTORY", "N_PROF", "STRING64")),
    ("HISTORY_DATE", "S1", ("N_HISTORY", "N_PROF", "DATE_TIME")),
    ("HISTORY_ACTION", "S1", ("N_HISTORY", "N_PROF", "STRING4")),
    ("HISTORY_PARAMETER", "S1", ("N_HISTORY", "N_PROF", "STRING16")),
    ("HISTORY_START_PRES", "f4", ("N_HISTORY", "N_PROF")),
    ("HISTORY_STOP_PRES", "f4", ("N_HISTORY", "N_PROF")),
    ("HISTORY_PREVIOUS_VALUE", "f4", ("N_HISTORY", "N_PROF")),
    ("HISTORY_QCTEST", "S1", ("N_HISTORY", "N_PROF", "STRING16")),
]
MEASURED = {
    "PRES": ("Sea water pressure, equals 0 at sea-level", "sea_water_pressure", "decibar", 0, 12000),
    "TEMP": ("Sea temperature in-situ ITS-90 scale", "sea_water_temperature", "degree_Celsius", -2.5, 40),
    "PSAL": ("Practical salinity", "sea_water_salinity", "psu", 2, 41),
    "DOXY": ("Dissolved oxygen", "moles_of_oxygen_per_unit_mass_in_sea_water", "micromole/kg", -5, 600),
}


def describe(variable, name, kind):
    variable.long_name = f"{name.replace('_', ' ').capitalize()} of the profile"
    if kind == "S1":
        variable.conventions = "Argo reference table 2" if name.endswith("_QC") else "Argo reference table"
    else:
        variable.units = {"JULD": "days since 1950-01-01 00:00:00 UTC", "JULD_LOCATION": "days since 1950-01-01 00:00:00 UTC"}.get(name, "1")
        variable.resolution = np.float32(0.001)
    if name in ("LATITUDE", "LONGITUDE"):
        variable.units = "degree_north" if name == "LATITUDE" else "degree_east"
        variable.standard_name = name.lower()
        variable.valid_min, variable.valid_max = -180.0, 180.0


def write(path, form, kind, random):
    names = {"plain": ["PRES", "TEMP", "PSAL"], "fresh": ["PRES", "TEMP"], "oxygen": ["PRES", "TEMP", "PSAL", "DOXY"], "wide": ["PRES", "TEMP", "PSAL"]}[kind]
    profiles = 1 if random.random() < 0.7 else 2
    levels = int(random.integers(60, 700 // profiles))
    steps = int(random.integers(0, 12))
    sizes = {**TEXTS, "N_PROF": profiles, "N_PARAM": len(names), "N_LEVELS": levels, "N_CALIB": int(random.integers(1, 3)), "N_HISTORY": None}
    with netCDF4.Dataset(path, "w", format=form) as dataset:
        dataset.set_fill_off()
        for name, size in sizes.items():
            dataset.createDimension(name, size)
        dataset.title = "Argo float vertical profile"
        dataset.institution = str(random.choice(["AOML", "IFREMER", "CORIOLIS", "BODC"]))
        dataset.source = "Argo float"
        dataset.history = "; ".join(f"2019-0{1 + step % 9}-15T1{step % 10}:22:33Z step {step}" for step in range(1 + int(random.integers(0, 9))))
        dataset.references = "http://www.argodatamgt.org/Documentation"
        dataset.comment = "free text" * int(random.integers(1, 5))
        dataset.user_manual_version = "3.2"
        dataset.Conventions = "Argo-3.2 CF-1.6"
        dataset.featureType = "trajectoryProfile"
        profile_qc = [(f"PROFILE_{name}_QC", "S1", ("N_PROF",)) for name in names]
        for name, type_, dimensions in [*HEAD, *profile_qc]:
            fill = b" " if type_ == "S1" else 99999 if type_ == "i4" else 999999.0
            describe(dataset.createVariable(name, type_, dimensions, fill_value=fill), name, type_)
        for name in names:
            type_ = "f8" if kind == "wide" and name == "TEMP" else "f4"
            for suffix in ("", "_QC", "_ADJUSTED", "_ADJUSTED_QC", "_ADJUSTED_ERROR"):
                if suffix.endswith("QC"):
                    variable = dataset.createVariable(name + suffix, "S1", ("N_PROF", "N_LEVELS"), fill_value=b" ")
                    describe(variable, name + suffix, "S1")
                    continue
                variable = dataset.createVariable(name + suffix, type_, ("N_PROF", "N_LEVELS"), fill_value=FILL)
                long_name, standard_name, units, least, greatest = MEASURED[name]
                variable.long_name, variable.standard_name, variable.units = long_name, standard_name, units
                variable.valid_min, variable.valid_max = np.float32(least), np.float32(greatest)
                variable.C_format, variable.FORTRAN_format, variable.resolution = "%9.3f", "F9.3", np.float32(0.001)
                if name == "PRES":
                    variable.axis = "Z"
        for name, type_, dimensions in TAIL:
            describe(dataset.createVariable(name, type_, dimensions, fill_value=b" " if type_ == "S1" else FILL), name, type_)
        fill_values(dataset, steps, random)


def fill_values(dataset, steps, random):
    for name, variable in dataset.variables.items():
        shape = [steps if each == "N_HISTORY" else len(dataset.dimensions[each]) for each in variable.dimensions]
        if variable.dtype == "S1":
            variable[:] = np.full(shape, b"1" if name.endswith("_QC") else b"A", "S1")
        elif name == "JULD" or name == "JULD_LOCATION":
            variable[:] = random.uniform(25000, 27000, shape)
        elif name == "LATITUDE":
            variable[:] = random.uniform(-70, 70, shape)
        elif name == "LONGITUDE":
            variable[:] = random.uniform(-180, 180, shape)
        elif name in ("CYCLE_NUMBER", "CONFIG_MISSION_NUMBER"):
            variable[:] = random.integers(1, 300, shape)
        elif name.startswith("PRES"):
            variable[:] = np.sort(random.uniform(0, 2000, shape), axis=-1).astype("f4")
        elif name.startswith("HISTORY"):
            variable[:] = random.uniform(0, 2000, shape).astype("f4")
        else:
            values = random.normal(10, 4, shape).astype("f4")
            values[random.random(shape) < 0.02] = FILL
            variable[:] = values


def main(form, count, seed, folder):
    Path(folder).mkdir()
    random = np.random.default_rng(int(seed))
    kinds = ["plain"] * 7 + ["fresh", "oxygen", "wide"]
    for index in range(int(count)):
        write(f"{folder}/float-{index:05}.nc", form, kinds[int(random.integers(0, len(kinds)))], random)


main(*sys.argv[1:])
