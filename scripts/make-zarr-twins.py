"""Writes test/fixtures/zarr-twins: one data set as Zarr of both versions, in shards, and as NetCDF-4, and what xarray selects of it.

Run with a Python that has zarr 3.1.6, xarray 2026.9 and netCDF4. selections.json has, for each condition, the rows of which it is
true: time in nanoseconds since 1970, lat, lon, sst and wind, in C order; or the numbers that xarray makes of them.
"""

import json
import math
import pathlib
import shutil
import warnings

import numpy as np
import xarray as xr
from zarr.codecs import BloscCodec, ZstdCodec

FOLDER = pathlib.Path(__file__).parent.parent / "test" / "fixtures" / "zarr-twins"

CHUNKS = (4, 4, 6)
SHARDS = (8, 8, 12)


def dataset():
    time = np.datetime64("2001-01-01", "ns") + np.arange(11) * np.timedelta64(5, "D")
    lat = np.linspace(-45, 45, 10)
    lon = np.linspace(-177.5, 172.5, 15)
    t, y, x = np.meshgrid(np.arange(11), lat, lon, indexing="ij")
    sst = np.round(28 - abs(y) / 2 + np.sin(x / 20 + t), 2)
    sst[(x > 0) & (x < 60) & (y > 0)] = np.nan
    wind = np.cos(x / 30 + t / 3) * 10
    wind[3, 2, :] = np.nan
    variables = {
        "sst": (("time", "lat", "lon"), sst, {"standard_name": "sea_surface_temperature", "units": "degree_Celsius"}),
        "wind": (("time", "lat", "lon"), wind.astype("f4"), {"standard_name": "wind_speed", "units": "m s-1"}),
    }
    made = xr.Dataset(variables, {"time": time, "lat": lat, "lon": lon.astype("f4")})
    made["time"].encoding = {"units": "hours since 1950-01-01", "dtype": "f8", "_FillValue": None}
    for axis in ("lat", "lon"):
        made[axis].encoding = {"_FillValue": None}
    made["sst"].encoding = {"dtype": "i2", "_FillValue": np.int16(-32768), "scale_factor": 0.01, "add_offset": 10.0}
    made["wind"].encoding = {"_FillValue": np.float32(-999)}
    return made


def write():
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir()
    grid = ("sst", "wind")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, version, options in [
            ("v2", 2, {"chunks": CHUNKS}),
            ("v3", 3, {"chunks": CHUNKS, "compressors": [ZstdCodec(level=3)]}),
            ("sharded", 3, {"chunks": CHUNKS, "shards": SHARDS, "compressors": [BloscCodec(cname="zstd")]}),
        ]:
            made = dataset()
            made.to_zarr(FOLDER / f"{name}.zarr", zarr_format=version, encoding={each: {**made[each].encoding, **options} for each in grid})
    made = dataset()
    options = {"chunksizes": CHUNKS, "zlib": True, "shuffle": True}
    made.to_netcdf(FOLDER / "netcdf.nc", engine="netcdf4", encoding={each: {**made[each].encoding, **options} for each in grid})


def rows(selected):
    """The cells of a selection, one after the other. Null: NaN."""
    frame = selected.transpose("time", "lat", "lon").to_dataframe().reset_index()
    time = frame["time"].astype("datetime64[ns]").astype("int64")
    columns = [time, *(frame[name].astype("f8") for name in ("lat", "lon", "sst", "wind"))]
    return [[each if isinstance(each, int) else plain(each) for each in row] for row in zip(*(column.tolist() for column in columns))]


def plain(number):
    """As JSON can have it."""
    return None if math.isnan(number) else number


def where(made, condition):
    """The cells of the whole grid of which a condition is true."""
    everywhere = xr.broadcast(made["sst"], condition)[1].transpose("time", "lat", "lon").values.ravel()
    return [row for row, is_met in zip(rows(made), everywhere, strict=True) if is_met]


def selections(made):
    first, last = "2001-01-11", "2001-01-31"
    box = made.sel(time=slice(first, last), lat=slice(-30, 10), lon=slice(-100, 20))
    west, east = made.sel(lon=slice(None, -150)), made.sel(lon=slice(150, None))
    within = f"time BETWEEN TIMESTAMP '{first}' AND TIMESTAMP '{last}' AND lat BETWEEN -30 AND 10 AND lon BETWEEN -100 AND 20"
    point = {"lat": -25, "lon": -52.5}
    yield "a point of all times", "lat = -25 AND lon = -52.5", rows(made.sel(lat=[point["lat"]], lon=[point["lon"]]))
    yield "a box", within, rows(box)
    yield "a day", f"time = TIMESTAMP '{first}' AND abs(lat) < 20", rows(made.sel(time=[first], lat=slice(-20, 20)))
    yield "a list", "lat IN (-45, 5, 7) AND lon IN (-177.5, 172.5)", rows(made.sel(lat=[-45, 5], lon=[-177.5, 172.5]))
    yield "across the dateline", "(lon >= 150 OR lon <= -150) AND lat > 30", rows(xr.concat([west, east], "lon").sel(lat=slice(31, None)))
    yield "one of two boxes", "lat < -40 AND lon > 150 OR lat > 40 AND lon < -150", where(
        made, ((made.lat < -40) & (made.lon > 150)) | ((made.lat > 40) & (made.lon < -150))
    )
    yield "outside of a box", "NOT (lat BETWEEN -40 AND 40) AND lon > 140", where(made, ~((made.lat >= -40) & (made.lat <= 40)) & (made.lon > 140))
    yield "values", "sst > 27 AND lat > 0", where(made, (made.sst > 27) & (made.lat > 0))
    yield "nulls", "sst IS NULL AND wind IS NOT NULL AND lat > 40", where(made, made.sst.isnull() & made.wind.notnull() & (made.lat > 40))
    yield "nothing", "lat > 45.5", []


def numbers(made):
    box = made.sel(lat=slice(-30, 10), lon=slice(-100, 20))
    yield "the mean of a box", "SELECT avg(sst) AS a, count(sst) AS b FROM {} WHERE lat BETWEEN -30 AND 10 AND lon BETWEEN -100 AND 20", [
        [float(box.sst.mean()), int(box.sst.count())]
    ]
    yield "the least and the greatest", "SELECT min(sst) AS a, max(wind) AS b FROM {}", [[float(made.sst.min()), float(made.wind.max())]]
    means = made.sst.mean(["lat", "lon"]).values
    yield "the mean of each time", "SELECT avg(sst) AS a FROM {} GROUP BY time ORDER BY time", [[float(each)] for each in means]
    zonal = made.sst.sel(time="2001-01-11").mean("lon").values.ravel()
    yield "zonal means of a day", "SELECT lat AS a, avg(sst) AS b FROM {} WHERE time = TIMESTAMP '2001-01-11' GROUP BY lat ORDER BY lat", [
        [float(lat), plain(float(mean))] for lat, mean in zip(made.lat.values, zonal)
    ]
    yield "how many cells", "SELECT count(*) AS a, count(sst) AS b FROM {}", [[int(made.sst.size), int(made.sst.count())]]


def main():
    write()
    with xr.open_zarr(FOLDER / "v3.zarr") as made:
        found = {
            "rows": [{"name": name, "where": condition, "rows": each} for name, condition, each in selections(made)],
            "numbers": [{"name": name, "sql": sql, "rows": each} for name, sql, each in numbers(made)],
        }
    (FOLDER / "selections.json").write_text(json.dumps(found) + "\n")


main()
