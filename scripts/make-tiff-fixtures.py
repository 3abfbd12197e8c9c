"""Writes test/fixtures/tiff: small rasters, and beside each the rows that it has.

Run with a Python that has rasterio 1.4.4 (GDAL 3.10.3), pyarrow and Pillow. `<name>.expected.arrow.gz` is an Arrow IPC stream, with text as
Utf8 and no dictionaries. Pixels, what means null and where pixels are come from rasterio. Files that are refused have no rows: `refused-<why>.tif`. The same libraries give the same bytes.
"""

import io
import pathlib
import struct
import sys

import numpy as np
import PIL.Image
import pyarrow as pa
import rasterio
from rasterio.control import GroundControlPoint
from rasterio.transform import Affine

from array_rows import write_rows

FOLDER = pathlib.Path(__file__).parent.parent / "test" / "fixtures" / "tiff"

DEGREES = Affine(0.5, 0, -10, 0, -0.25, 60)
METRES = Affine(100, 0, 500_000, 0, -100, 6_000_000)
ROTATED = Affine(0.5, 0.125, -10, 0.0625, -0.25, 60)


def values(type_, height=21, width=35, bands=1, bits=None):
    """Numbers in which neighbours are alike, and each byte of a sample occurs. The first one is 0."""
    type_ = np.dtype(type_)
    index = np.arange(bands * height * width).reshape(bands, height, width)
    if type_.kind == "f":
        return (np.sqrt(index) * 7 - 20).astype(type_)
    most = 2 ** (bits or 8 * type_.itemsize) - 1
    numbers = [(each // 3 * (most // 401 + 1)) & most for each in index.ravel().tolist()]
    signed = [each - most - 1 if type_.kind == "i" and each > most // 2 else each for each in numbers]
    return np.array(signed, type_).reshape(index.shape)


def write(name, data, crs=None, transform=None, nodata=None, exact=None, tags=None, gcps=None, **options):
    """Writes a raster of all bands and the rows of it. `exact` replaces `nodata`, which rasterio rounds to a float."""
    path = FOLDER / f"{name}.tif"
    path.unlink(missing_ok=True)
    bands, height, width = data.shape
    optional = {key: value for key, value in [("crs", crs), ("transform", transform), ("nodata", nodata)] if value is not None}
    if "blockxsize" in options:
        options["tiled"] = True
    with rasterio.open(path, "w", driver="GTiff", height=height, width=width, count=bands, dtype=data.dtype, **optional, **options) as out:
        if tags is not None:
            out.update_tags(**tags)
        if gcps is not None:
            out.gcps = (gcps, crs)
        # A block that is all nodata stays unwritten if it may.
        for block in [each for _, each in out.block_windows(1)]:
            part = data[:, block.row_off : block.row_off + block.height, block.col_off : block.col_off + block.width]
            if not (options.get("SPARSE_OK") and (part == (nodata or 0)).all()):
                out.write(part, window=block)
    if exact is not None:
        stored = path.read_bytes()
        assert stored.count(b"%d\0" % nodata) == 1
        path.write_bytes(stored.replace(b"%d\0" % nodata, b"%d\0" % exact))
    write_rows(FOLDER / f"{name}.expected.arrow.gz", rows_of(path, exact, **options))
    print(name, path.stat().st_size, file=sys.stderr)


def rows_of(path, exact=None, **options):
    """The rows of a raster, one row of pixels after the other."""
    with rasterio.open(path) as file:
        columns = {}
        for band in range(file.count):
            data = file.read(band + 1).ravel()
            # GDAL widens floats of 16 bits to 32.
            type_ = "float16" if options.get("nbits") == 16 and data.dtype.kind == "f" else data.dtype
            columns[f"band.{band}"] = pa.array(data.astype(type_), mask=is_null(data, file.nodatavals[band] if exact is None else exact))
        tags = TAGS(path)
        columns |= coordinates(file, tags)
        columns |= constants(file, file.width * file.height, tags)
    names = sorted(columns, key=lambda each: each.encode())
    return pa.table({name: columns[name] for name in names})


def is_null(data, nodata):
    if nodata is None:
        return np.zeros(data.shape, bool)
    return np.isnan(data) if data.dtype.kind == "f" and np.isnan(nodata) else data == np.array(nodata).astype(data.dtype)


def coordinates(file, tags):
    if 33550 not in tags and 34264 not in tags:
        return {}
    transform = file.transform
    y, x = np.divmod(np.arange(file.width * file.height), file.width)
    lon = transform.a * (x + 0.5) + transform.b * (y + 0.5) + transform.c
    lat = transform.d * (x + 0.5) + transform.e * (y + 0.5) + transform.f
    if tags.get("point"):
        # GDAL moves the origin by half a pixel and back, which rounds. These transforms are exact.
        assert transform.a * 2**20 % 1 == 0 and transform.e * 2**20 % 1 == 0
    return {"geo.lon": pa.array(lon), "geo.lat": pa.array(lat)}


def constants(file, rows, tags):
    bits = int(file.tags(1, ns="IMAGE_STRUCTURE").get("NBITS", 8 * np.dtype(file.dtypes[0]).itemsize))
    height, width = file.block_shapes[0]
    is_tiled = 322 in tags
    one = {
        "image.width": pa.scalar(file.width, pa.uint32()),
        "image.height": pa.scalar(file.height, pa.uint32()),
        "image.samples_per_pixel": pa.scalar(file.count, pa.uint16()),
        "image.bits_per_sample": pa.scalar(bits, pa.uint16()),
    }
    if is_tiled:
        one |= {
            "image.tile_width": pa.scalar(width, pa.uint32()),
            "image.tile_height": pa.scalar(height, pa.uint32()),
            "image.tile_count_x": pa.scalar(-(-file.width // width), pa.uint64()),
            "image.tile_count_y": pa.scalar(-(-file.height // height), pa.uint64()),
        }
    crs = file.crs or file.gcps[1]
    if crs is not None and crs.to_epsg() is not None:
        one |= {"geo.epsg": pa.scalar(crs.to_epsg(), pa.uint16()), "geo.crs": f"EPSG:{crs.to_epsg()}"}
    for tag, name in [(33550, "model_pixel_scale"), (33922, "model_tiepoint"), (34264, "model_transformation")]:
        if tag in tags:
            one[f"geo.{name}"] = ",".join(str(each).removesuffix(".0") for each in tags[tag])
    for tag, name in [(42113, "nodata"), (42112, "gdal_metadata")]:
        if tag in tags:
            one[f"geo.{name}"] = tags[tag]
    return {name: pa.array([value.as_py() if isinstance(value, pa.Scalar) else value] * rows, value.type if isinstance(value, pa.Scalar) else pa.string()) for name, value in one.items()}


def TAGS(path):
    """The tags of a file that rasterio does not give as they are: which there are, and numbers and texts of a few."""
    data = path.read_bytes()
    order = "<" if data[:2] == b"II" else ">"
    number = lambda at, size: int.from_bytes(data[at : at + size], "little" if order == "<" else "big")
    is_big = number(2, 2) == 43
    first = number(8, 8) if is_big else number(4, 4)
    count, begin, step, width = (number(first, 8), first + 8, 20, 8) if is_big else (number(first, 2), first + 2, 12, 4)
    tags = {}
    for entry in range(begin, begin + count * step, step):
        tag, type_, length = number(entry, 2), number(entry + 2, 2), number(entry + 4, width)
        size = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 12: 8, 16: 8}.get(type_, 1) * length
        at = entry + 4 + width if size <= width else number(entry + 4 + width, width)
        if type_ == 12:
            tags[tag] = np.frombuffer(data, f"{order}f8", length, at).tolist()
        elif type_ == 2:
            tags[tag] = data[at : at + length].split(b"\0")[0].decode()
        elif type_ == 3:
            tags[tag] = np.frombuffer(data, f"{order}u2", length, at).tolist()
        else:
            tags[tag] = None
    keys = tags.get(34735) or []
    tags["point"] = any(keys[at : at + 2] == [1025, 0] and keys[at + 3] == 2 for at in range(4, len(keys), 4))
    return tags


def plain():
    tiles = {"blockxsize": 16, "blockysize": 16}
    write("strips-u8", values("u1"))
    write("strips-i16-big-endian", values("i2"), "EPSG:4326", DEGREES, ENDIANNESS="BIG", blockysize=5)
    write("strips-u32", values("u4"), "EPSG:32631", METRES, blockysize=100)
    write("tiles-f32", values("f4"), "EPSG:4326", DEGREES, nodata=-20, **tiles)
    write("tiles-f64-big-endian", values("f8", bands=2), ENDIANNESS="BIG", interleave="pixel", **tiles)
    write("tiles-i8", values("i1"), nodata=0, **tiles)
    write("tiles-u64", values("u8"), tags={"season": "winter & <spring>"}, BIGTIFF="YES", **tiles)
    exact = values("i8")
    exact[0, 0, 1:5] = [2**53 + 1, 2**53, -(2**63), 2**63 - 1]
    write("strips-i64", exact, nodata=2**53, exact=2**53 + 1)


def deflated():
    tiles = {"blockxsize": 32, "blockysize": 16, "compress": "deflate"}
    write("deflate-tiles-u16", values("u2"), "EPSG:4326", DEGREES, nodata=0, **tiles)
    write("deflate-strips-f32", values("f4"), "EPSG:4326", DEGREES, nodata=float("nan"), compress="deflate", blockysize=8)
    write("deflate-big-endian-bigtiff", values("i4"), "EPSG:3857", METRES, ENDIANNESS="BIG", BIGTIFF="YES", **tiles)
    holes = values("f4")
    holes[0, 16:, 16:32] = holes[0, :16, 32:] = -9999
    write("sparse-nodata", holes, "EPSG:4326", DEGREES, nodata=-9999, SPARSE_OK=True, blockxsize=16, blockysize=16, compress="deflate")
    holes = values("u1")
    holes[0, :16] = 0
    write("sparse-zeros", holes, SPARSE_OK=True, blockxsize=16, blockysize=16)


def compressed():
    tiles = {"blockxsize": 16, "blockysize": 16}
    strips = {"blockysize": 8}
    write("lzw-strips-u8", values("u1"), compress="lzw", **strips)
    write("lzw-tiles-i32-big-endian", values("i4"), compress="lzw", ENDIANNESS="BIG", predictor=2, **tiles)
    write("lzw-bands-f32", values("f4", bands=3), compress="lzw", predictor=3, interleave="pixel", **strips)
    write("packbits-u16", values("u2") // 4096, compress="packbits", **tiles)
    write("zstd-f32-predictor", values("f4"), compress="zstd", predictor=3, nodata=-20, **tiles)
    write("zstd-f64-big-endian-predictor", values("f8"), compress="zstd", predictor=3, ENDIANNESS="BIG", **strips)
    write("zstd-u64-predictor", values("u8"), compress="zstd", predictor=2, **strips)
    write("deflate-bands-u16-predictor", values("u2", bands=3), compress="deflate", predictor=2, interleave="pixel", ENDIANNESS="BIG", **tiles)
    write("deflate-separate-u8", values("u1", bands=12), compress="deflate", predictor=2, interleave="band", **tiles)
    write("separate-strips-f32", values("f4", bands=2), interleave="band", **strips)
    write("zstd-f16-predictor", values("f2").astype("f4"), compress="zstd", predictor=3, nbits=16, **tiles)


def narrow():
    tiles = {"blockxsize": 16, "blockysize": 16}
    write("bits-1", values("u1", bits=1), nbits=1)
    write("bits-4-bands", values("u1", bands=2, bits=4), nbits=4, interleave="pixel", compress="lzw", **tiles)
    write("bits-7", values("u1", bits=7), nbits=7, nodata=0, compress="deflate", blockysize=8)
    write("bits-12", values("u2", bits=12), nbits=12, **tiles)
    write("bits-24-big-endian", values("u4", bits=24), nbits=24, ENDIANNESS="BIG", compress="zstd", **tiles)
    write("bits-24", values("u4", bits=24), nbits=24, blockysize=4)
    write("bits-29", values("u4", bits=29), nbits=29, blockysize=4)


def placed():
    write("rotated", values("f4"), "EPSG:4326", ROTATED, compress="deflate", blockxsize=16, blockysize=16)
    write("points", values("u1"), "EPSG:4326", DEGREES, tags={"AREA_OR_POINT": "Point"})
    corners = [GroundControlPoint(row, column, column / 2 - 10, 60 - row / 4) for row, column in [(0, 0), (0, 35), (21, 0), (21, 35)]]
    write("control-points", values("u1"), "EPSG:4326", gcps=corners)
    write("north-is-below", values("u1"), "EPSG:4326", Affine(0.5, 0, -10, 0, 0.25, 50))


def lerc():
    tiles = {"blockxsize": 16, "blockysize": 16, "compress": "lerc"}
    write("lerc-f32", values("f4"), "EPSG:4326", DEGREES, **tiles)
    write("lerc-f64-lossy-strips", values("f8"), MAX_Z_ERROR=0.01, compress="lerc", blockysize=8)
    write("lerc-i16-bands", values("i2", bands=3) // 8, interleave="pixel", **tiles)
    write("lerc-deflate-u16-separate", values("u2", bands=2), interleave="band", **tiles | {"compress": "lerc_deflate"})
    write("lerc-zstd-i32-big-endian", values("i4") // 4096, ENDIANNESS="BIG", **tiles | {"compress": "lerc_zstd"})
    holes = values("f4")
    holes[0, 3:19, 5:30] = np.nan
    write("lerc-f32-mask", holes, nodata=float("nan"), **tiles)
    holes = values("f8", bands=2)
    holes[0, :9], holes[1, 4:, 20:] = np.nan, np.nan
    write("lerc-f64-masks", holes, nodata=float("nan"), interleave="pixel", **tiles)
    colours = values("u1", bands=4) // 2
    colours[3] = np.where(np.indices(colours[3].shape).sum(axis=0) % 7 < 3, 0, 255)
    colours[:3, colours[3] == 0] = 0
    write("lerc-u8-alpha", colours, interleave="pixel", photometric="rgb", alpha="unspecified", **tiles)


def jpeg():
    tiles = {"blockxsize": 16, "blockysize": 16}
    band, y, x = np.mgrid[:4, :21, :35]
    smooth = lambda bands: (np.sin(x / 9 + y / 14 + 2 * band) * 120 + 128).astype("u1")[:bands]
    colours = dict(interleave="pixel", compress="jpeg")
    # The libjpeg of rasterio interpolates chroma by its DCT, and others by their neighbours: edges would differ.
    smoother = (np.sin(x / 30 + y / 40 + 2 * band) * 100 + 128).astype("u1")[:3]
    write("jpeg/u8", smooth(1), "EPSG:4326", DEGREES, compress="jpeg", **tiles)
    write("jpeg/rgb-strips", smooth(3), photometric="rgb", blockysize=8, JPEG_QUALITY=90, **colours)
    write("jpeg/ycc-subsampled", smoother, photometric="ycbcr", JPEG_QUALITY=95, **colours, **tiles)
    write("jpeg/ycc-subsampled-strips-big-endian", smoother, photometric="ycbcr", blockysize=16, ENDIANNESS="BIG", JPEG_QUALITY=95, **colours)
    write("jpeg/separate", smooth(3), interleave="band", compress="jpeg", **tiles)
    write("jpeg/rgba", smooth(4), photometric="rgb", **colours, **tiles)
    write("jpeg/two-bands", smooth(2), **colours, **tiles)
    write("jpeg/own-tables", smooth(3), JPEGTABLESMODE=0, photometric="rgb", **colours, **tiles)
    write("jpeg/nodata", smooth(1) // 64 * 64, nodata=128, compress="jpeg", JPEG_QUALITY=100, **tiles)
    pillow("jpeg/ycc", smooth(3), subsampling=0, quality=90)
    pillow("jpeg/ycc-progressive", smooth(3), subsampling=0, quality=80, progressive=True)


def pillow(name, data, **options):
    """Writes a raster of three bands as one strip that Pillow has compressed: libtiff subsamples colours."""
    out = io.BytesIO()
    PIL.Image.fromarray(np.moveaxis(data, 0, -1)).save(out, "JPEG", **options)
    image, (_, height, width) = out.getvalue(), data.shape
    tags = [(256, 3, width), (257, 3, height), (258, 3, 8), (259, 3, 7), (262, 3, 6), (273, 4, 512), (277, 3, 3), (278, 3, height), (279, 4, len(image))]
    # Bits of three samples do not fit into the entry.
    entries = b"".join(struct.pack("<HHII", tag, type_, 3 if tag == 258 else 1, 400 if tag == 258 else value) for tag, type_, value in tags)
    entries += struct.pack("<HHIHH", 530, 3, 2, 1, 1)
    head = struct.pack("<2sHIH", b"II", 42, 8, len(tags) + 1) + entries + struct.pack("<I", 0)
    path = FOLDER / f"{name}.tif"
    path.write_bytes(head.ljust(400, b"\0") + struct.pack("<3H", 8, 8, 8).ljust(112, b"\0") + image)
    write_rows(FOLDER / f"{name}.expected.arrow.gz", rows_of(path))
    print(name, path.stat().st_size, file=sys.stderr)


(FOLDER / "jpeg").mkdir(parents=True, exist_ok=True)
plain()
deflated()
compressed()
narrow()
placed()
lerc()
jpeg()
