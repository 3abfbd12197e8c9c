"""Writes src/sample/seafloor.tif: the height of the sea floor where the floats of the sample drift, made up.

Run with a Python that has rasterio 1.4.4. The same libraries give the same bytes.
"""

import pathlib

import numpy as np
import rasterio
from rasterio.transform import from_origin

PATH = pathlib.Path(__file__).parent.parent / "src" / "sample" / "seafloor.tif"

# Degrees: the north-western corner, and a pixel.
WEST, NORTH, STEP = -46, 53, 0.25
WIDTH, HEIGHT = 120, 128

# No sounding.
NODATA = -32768

longitude = WEST + STEP * (np.arange(WIDTH) + 0.5)
latitude = NORTH - STEP * (np.arange(HEIGHT)[:, None] + 0.5)
# A plain, a ridge along it that rises above 2000 m below the surface, a slope in the east, and a mount.
ridge = 2900 * np.exp(-(((longitude + 30 + 0.2 * (latitude - 40)) / 4) ** 2))
slope = 1500 / (1 + np.exp(-(longitude + 19)))
mount = 2400 * np.exp(-((longitude + 27) ** 2 + (latitude - 38.5) ** 2) / 2)
hills = 120 * np.sin(longitude * 2.3) * np.cos(latitude * 1.7)
height = np.rint((-5000 + ridge + slope + mount + hills) / 10) * 10
height[(longitude < -43) & (latitude > 50)] = NODATA

PATH.unlink(missing_ok=True)
with rasterio.open(
    PATH,
    "w",
    driver="GTiff",
    width=WIDTH,
    height=HEIGHT,
    count=1,
    dtype="int16",
    crs="EPSG:4326",
    transform=from_origin(WEST, NORTH, STEP, STEP),
    nodata=NODATA,
    tiled=True,
    blockxsize=64,
    blockysize=64,
    compress="deflate",
    predictor=2,
) as out:
    out.write(height.astype("int16"), 1)
print(PATH.stat().st_size, height[height > NODATA].min(), height.max())
