"""
Writes GeoTIFF files: rasters.py none|zstd|deflate|lzw FILE, of 4096 x 4096 32-bit floats in tiles of 512 x 512, those of zstd with predictor 3;
rasters.py many COUNT FOLDER, rasters of 64 x 64 in one tile, deflated, of places side by side, a hundred in a row. Needs rasterio.
"""

import sys
import warnings
from pathlib import Path

import numpy as np
import rasterio
from rasterio.transform import Affine

SIDE = 4096
TILE = 512
SMALL = 64
IN_A_ROW = 100
# Degrees of a pixel.
STEP = 0.01

COMPRESSION = {
    "none": {},
    "zstd": {"compress": "zstd", "predictor": 3},
    "deflate": {"compress": "deflate"},
    "lzw": {"compress": "lzw"},
}


def field(side):
    random = np.random.default_rng(33)
    y, x = np.mgrid[:side, :side]
    return (np.sin(x / 300) * 10 + np.cos(y / 200) * 7 + random.normal(0, 0.05, (side, side))).astype("f4")


def write(path, values, west, north, tile, options):
    height, width = values.shape
    place = Affine(STEP, 0, west, 0, -STEP, north)
    shape = {"height": height, "width": width, "tiled": True, "blockxsize": tile, "blockysize": tile}
    with rasterio.open(path, "w", driver="GTiff", count=1, dtype="float32", crs="EPSG:4326", transform=place, **shape, **options) as file:
        file.write(values, 1)


def main(kind, *arguments):
    warnings.simplefilter("ignore")
    if kind != "many":
        return write(arguments[0], field(SIDE), -20, 60, TILE, COMPRESSION[kind])
    count, folder = arguments
    Path(folder).mkdir()
    values = field(SMALL)
    for index in range(int(count)):
        row, column = divmod(index, IN_A_ROW)
        west, north = -32 + column * SMALL * STEP, 32 - row * SMALL * STEP
        write(f"{folder}/raster-{index:05}.tif", values + np.float32(index), west, north, SMALL, COMPRESSION["deflate"])


main(*sys.argv[1:])
