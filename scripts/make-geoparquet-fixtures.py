"""Writes test/fixtures/geoparquet: GeoParquet files by geopandas, and beside each the rows as geopandas gives them in GeoArrow.

Run with a Python that has geopandas 1.2 and pyarrow. Files are without an Arrow schema, as those of GDAL and DuckDB are, unless their names say
otherwise, so that only the metadata `geo` tell which columns are geometries. `geo` of `default` has no reference system, as that of
many writers: longitude and latitude.
"""

import gzip
import json
import pathlib

import geopandas
import pyarrow as pa
import pyarrow.parquet as pq
from shapely import LineString, MultiLineString, MultiPoint, MultiPolygon, Point, Polygon

FOLDER = pathlib.Path(__file__).parent.parent / "test" / "fixtures" / "geoparquet"

POINTS = [Point(5.25, 52.5), None, Point(-180, -90), Point(0, 0)]
LINES = [LineString([(0, 0), (1, 2)]), None, LineString([(5, 5), (6, 7), (8, 9.5)]), LineString([(0, 1), (1, 0)])]
SQUARE = Polygon([(0, 0), (4, 0), (4, 4), (0, 4)], [[(1, 1), (1, 2), (2, 2)]])
POLYGONS = [SQUARE, None, Polygon([(9, 9), (8, 9), (8, 8)]), SQUARE]


def frame(geometries, crs):
    return geopandas.GeoDataFrame({"id": [1, 2, 3, 4]}, geometry=geometries, crs=crs)


def multi(kind, parts):
    return [part if part is None else kind([part]) for part in parts]


FILES = {
    "wkb": (frame([POINTS[0], None, LINES[0], SQUARE], "EPSG:4326"), "WKB", False),
    "wkb-with-arrow-schema": (frame(POINTS, "EPSG:3857"), "WKB", True),
    "wkb-of-no-system": (frame(POINTS, None), "WKB", False),
    "default": (frame(POINTS, "OGC:CRS84"), "WKB", False),
    "point": (frame(POINTS, "EPSG:4326"), "geoarrow", False),
    "point-with-arrow-schema": (frame(POINTS, "EPSG:4326"), "geoarrow", True),
    "linestring": (frame(LINES, "EPSG:3857"), "geoarrow", False),
    "polygon": (frame(POLYGONS, None), "geoarrow", False),
    "multipoint": (frame(multi(MultiPoint, POINTS), None), "geoarrow", False),
    "multilinestring": (frame(multi(MultiLineString, LINES), None), "geoarrow", False),
    "multipolygon": (frame(multi(MultiPolygon, POLYGONS), None), "geoarrow", False),
}


def forget_schema(path, keeps_system):
    """Leaves out the Arrow schema, and with it what pyarrow knows of the columns."""
    geo = json.loads(pq.read_metadata(path).metadata[b"geo"])
    if not keeps_system:
        del geo["columns"]["geometry"]["crs"]
    table = pq.read_table(path)
    with pq.ParquetWriter(path, table.schema, store_schema=False) as out:
        out.write_table(table)
        out.add_key_value_metadata({"geo": json.dumps(geo)})


FOLDER.mkdir(exist_ok=True)
for name, (rows, encoding, with_schema) in FILES.items():
    path = FOLDER / f"{name}.parquet"
    rows.to_parquet(path, geometry_encoding=encoding)
    if not with_schema:
        forget_schema(path, name != "default")
    expected = pa.table(rows.to_arrow(index=False, geometry_encoding=encoding, interleaved=False))
    with gzip.GzipFile(FOLDER / f"{name}.expected.arrow.gz", "wb", mtime=0) as file:
        with pa.ipc.new_stream(file, expected.schema) as out:
            out.write_table(expected)
