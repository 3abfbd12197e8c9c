"""Writes test/fixtures/parquet-encodings: small files that hold every flat type in every encoding that pyarrow writes for
it, in V1 and V2 pages, with and without nulls, by every codec. Run with a Python that has pyarrow.

There are no expected rows beside them: parquet-wasm says what they are.
"""

import pathlib
import random

import pyarrow as pa
import pyarrow.parquet as pq

from fixture_tables import flat_table

HERE = pathlib.Path(__file__).parent.parent / "test" / "fixtures" / "parquet-encodings"
random.seed(42)


def encodings(type_):
    """The encodings of a type; DICTIONARY is one that goes over to PLAIN where the dictionary grows too large."""
    if pa.types.is_boolean(type_):
        return ["PLAIN", "RLE"]
    if pa.types.is_string(type_) or pa.types.is_binary(type_):
        return ["PLAIN", "DICTIONARY", "DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY"]
    if pa.types.is_fixed_size_binary(type_) or pa.types.is_decimal(type_):
        return ["PLAIN", "DICTIONARY", "BYTE_STREAM_SPLIT", "DELTA_BYTE_ARRAY"]
    if pa.types.is_floating(type_):
        return ["PLAIN", "DICTIONARY", "BYTE_STREAM_SPLIT"]
    return ["PLAIN", "DICTIONARY", "BYTE_STREAM_SPLIT", "DELTA_BINARY_PACKED"]


def write(name, table, turn, **options):
    chosen = {f.name: encodings(f.type)[turn % len(encodings(f.type))] for f in table.schema}
    pq.write_table(
        table,
        HERE / f"{name}.parquet",
        use_dictionary=[name for name, encoding in chosen.items() if encoding == "DICTIONARY"],
        column_encoding={name: encoding for name, encoding in chosen.items() if encoding != "DICTIONARY"},
        data_page_size=150,
        dictionary_pagesize_limit=100,
        write_batch_size=25,
        write_statistics=False,
        **options,
    )


HERE.mkdir(parents=True, exist_ok=True)
for old in HERE.glob("*.parquet"):
    old.unlink()
optional, required = flat_table(90), flat_table(60, nullable=False)
codecs = ["none", "snappy", "lz4", "gzip", "zstd", "brotli"]
for turn in range(4):
    for version in ["1.0", "2.0"]:
        options = {"data_page_version": version, "store_decimal_as_integer": version == "1.0" and turn < 3}
        codec = codecs.pop(0)
        codecs.append(codec)
        write(f"optional-{turn}-v{version[0]}-{codec}", optional, turn, compression=codec, **options)
    write(f"required-{turn}", required, turn, compression=codecs[turn], data_page_version="2.0")
runs = pa.table({
    "bits": [None if i % 37 == 5 else i // 50 % 2 == 0 for i in range(1000)],
    "bits_required": [i // 90 % 3 > 0 for i in range(1000)],
    "same": pa.array([7] * 1000, pa.int64()),
    "steps": pa.array([i // 100 * 10**15 for i in range(1000)], pa.int64()),
    "wide": pa.array([random.getrandbits(63) * (-1) ** i for i in range(1000)], pa.int64()),
    "names": [f"https://example.org/cruise/{i:05}" for i in range(1000)],
})
for version in ["1.0", "2.0"]:
    encoding = {"bits": "RLE", "bits_required": "RLE", "names": "DELTA_BYTE_ARRAY"}
    encoding |= {name: "DELTA_BINARY_PACKED" for name in ["same", "steps", "wide"]}
    path = HERE / f"runs-v{version[0]}.parquet"
    pq.write_table(runs, path, compression="snappy", use_dictionary=False, column_encoding=encoding, data_page_version=version)
print(sum(path.stat().st_size for path in HERE.iterdir()), "bytes")
