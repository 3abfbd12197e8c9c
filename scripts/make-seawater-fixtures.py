"""Writes test/fixtures/seawater/depths.json: pressures in dbar, latitudes in degrees, and the depths in metres that gsw (PyPI, 3.6.23) gives for them."""
import json
import pathlib
import random

import gsw

random.seed(1)
places = [(p, lat) for p in (0.0, 0.5, 10.0, 1000.0, 5000.0, 11000.0) for lat in (-90.0, -45.5, 0.0, 30.0, 90.0)]
places += [(round(random.uniform(0, 11000), 3), round(random.uniform(-90, 90), 4)) for _ in range(170)]
rows = [[p, lat, -float(gsw.z_from_p(p, lat))] for p, lat in places]
text = ",\n".join(json.dumps([p, lat, depth + 0.0]) for p, lat, depth in rows)
pathlib.Path("test/fixtures/seawater/depths.json").write_text(f"[\n{text}\n]\n")
