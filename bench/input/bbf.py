"""
Writes profiles as BBF or as an Arrow file: bbf.py bbf|casts|arrow none|lz4|zstd ENTRIES ROWS FILE. Each entry has ROWS rows of eight columns
over one dimension, and its name; casts have five, of which time and cycle are scalars. BBF is as the writer 2.1.3 writes it: a group is full with 4 MB, and an index has the least and the greatest
value of each column in each entry; only the hash tables are left out, which no reader needs that walks the pairs. The Arrow file has a
batch for each entry.
"""

import struct
import sys

import numpy as np
import pyarrow as pa

GROUP_BYTES = 4_000_000
NO_LEVEL = 0
ZSTD_LEVEL = 3

# Names, and the numbers of their types.
COLUMNS = {"time": 13, "depth": 10, "temp": 10, "psal": 10, "doxy": 10, "chla": 10, "cycle": 4, "temp_qc": 2}
NUMPY = {13: "<i8", 10: "<f4", 4: "<i4", 2: "<i1"}
TEXT, UINT64 = 16, 9


# The numbers of cycles are the numbers of entries in another order: this is coprime to numbers of entries that end in 0.
STRIDE = 7919


def profile(rng, entry, entries, rows):
    """The columns of an entry. Entries are a day apart."""
    depth = np.linspace(5, 2000, rows, dtype="f4").round(1)
    noise = rng.integers(-20, 20, (4, rows)) * 0.001
    return {
        "time": np.int64(1_577_836_800_000 + entry * 86_400_000) + np.arange(rows, dtype="i8") * 1000,
        "depth": depth,
        "temp": (2 + 20 * np.exp(depth / -400) + noise[0]).astype("f4").round(3),
        "psal": (35 - np.exp(depth / -300) + noise[1]).astype("f4").round(3),
        "doxy": (180 + 40 * np.cos(depth / 300) + 10 * noise[2]).astype("f4").round(1),
        "chla": (np.exp(depth / -80) + noise[3]).astype("f4").round(3),
        "cycle": np.full(rows, entry * STRIDE % entries, "i4"),
        "temp_qc": np.where(rng.random(rows) < 0.02, 4, 1).astype("i1"),
    }


def cast(rng, entry, entries, rows):
    columns = profile(rng, entry, entries, rows)
    scalars = {name: columns[name][0] for name in ("time", "cycle")}
    return {**scalars, **{name: columns[name] for name in ("depth", "temp", "psal")}}


class Archive:
    """An archive of rkyv 0.8: what a struct refers to is before it, and the root is last."""

    def __init__(self):
        self.bytes_ = bytearray()

    def data(self, data):
        at = len(self.bytes_)
        self.bytes_ += data
        return at

    def struct(self, size):
        self.bytes_ += bytes(-len(self.bytes_) % 8)
        return self.data(bytes(size))

    def put(self, at, form, *values):
        struct.pack_into(f"<{form}", self.bytes_, at, *values)

    def vector(self, at, target, count):
        self.put(at, "qQ", target - at if count else 1, count)

    def text(self, at, text, long):
        if long is None:
            self.bytes_[at : at + 16] = text.ljust(16, b"\xff")
        else:
            size = len(text)
            self.put(at, "Qq", (size & 0x3F) | 0x80 | ((size & ~0x3F) << 2), long - at)

    def long(self, text):
        return self.data(text) if len(text) > 16 else None

    def array(self, at, code, length, buffers):
        """`buffers`: where the values are, and behind them the offsets of texts, each with the number of bytes."""
        self.put(at, "B", code + 1)
        for index, (target, size) in enumerate(buffers):
            self.vector(at + 8 + 16 * index, target, size)
        self.put(at + 8 + 16 * len(buffers), "Q", length)

    def pairs(self, at, pairs, size, form):
        """A map without its hash table. Pairs are before the map."""
        longs = [self.long(key) for key, _ in pairs]
        begin = self.struct((16 + size) * len(pairs))
        for index, (key, values) in enumerate(pairs):
            self.text(begin + (16 + size) * index, key, longs[index])
            self.put(begin + (16 + size) * index + 16, form, *values)
        return lambda at: self.put(at, "qQQq", 1, len(pairs), len(pairs) + 1, begin - at - 24)


class Writer:
    def __init__(self, path, codec):
        self.out = open(path, "wb")
        self.codec = codec
        self.length = self.out.write(b"BBF1")

    def block(self, payload, codec=None):
        """A payload, and behind it how it is compressed. Where the block is."""
        codec = codec or self.codec
        payload = bytes(payload)
        if codec == "none":
            stored = payload
        elif codec == "zstd":
            stored = pa.Codec("zstd", compression_level=ZSTD_LEVEL).compress(payload, asbytes=True)
        else:
            stored = pa.Codec("lz4_raw").compress(payload, asbytes=True)
        archive = Archive()
        archive.data(stored)
        root = archive.struct(64)
        if codec == "none":
            archive.put(root, "B", 1)
            archive.vector(root + 8, 0, len(stored))
        else:
            archive.put(root + 8, "B", 0 if codec == "zstd" else 1)
            archive.put(root + 12, "i", ZSTD_LEVEL if codec == "zstd" else NO_LEVEL)
            archive.put(root + 40, "Q", len(payload))
            archive.vector(root + 48, 0, len(stored))
        place = self.length, len(archive.bytes_)
        self.length += self.out.write(archive.bytes_)
        return place


class Column:
    """The groups of a column, and the statistics of its entries."""

    def __init__(self, writer, code):
        self.writer, self.code = writer, code
        self.groups, self.arrays, self.size, self.entries = [], [], 0, 0
        self.is_scalar = False
        self.least, self.greatest, self.rows = [], [], []

    def append(self, values):
        """An array of numbers, a number, or a text."""
        is_text = isinstance(values, bytes)
        self.is_scalar = is_text or values.ndim == 0
        self.least.append(values if is_text else values.min())
        self.greatest.append(values if is_text else values.max())
        self.rows.append(1 if self.is_scalar else len(values))
        self.arrays.append(values if is_text else values.astype(NUMPY[self.code]).tobytes())
        self.size += len(self.arrays[-1]) + (8 if is_text else 0)
        if self.size >= GROUP_BYTES:
            self.flush()

    def flush(self):
        count = len(self.arrays)
        if count == 0:
            return
        archive = Archive()
        buffers = []
        for values in self.arrays:
            places = [(archive.data(values), len(values))]
            if self.code == TEXT:
                places.append((archive.data(struct.pack("<2i", 0, len(values))), 8))
            buffers.append(places)
        rows = self.rows[-count:]
        dimensions = archive.struct(0 if self.is_scalar else 24 * count)
        for index in range(0 if self.is_scalar else count):
            archive.text(dimensions + 24 * index, b"obs", None)
            archive.put(dimensions + 24 * index + 16, "Q", rows[index])
        arrays = archive.struct(80 * count)
        for index, places in enumerate(buffers):
            archive.put(arrays + 80 * index, "B", 1)
            archive.array(arrays + 80 * index + 8, self.code, rows[index], places)
        shapes = archive.struct(32 * count)
        for index in range(count):
            archive.put(shapes + 32 * index, "B", 1)
            if not self.is_scalar:
                archive.put(shapes + 32 * index + 8, "B", 1)
                archive.vector(shapes + 32 * index + 16, dimensions + 24 * index, 1)
        root = archive.struct(32)
        archive.vector(root, arrays, count)
        archive.vector(root + 16, shapes, count)
        self.groups.append((self.entries, self.entries + count - 1, *self.writer.block(archive.bytes_)))
        self.entries += count
        self.arrays, self.size = [], 0

    def directory(self):
        self.flush()
        archive = Archive()
        at = archive.struct(32 * len(self.groups))
        for index, group in enumerate(self.groups):
            archive.put(at + 32 * index, "4Q", *group)
        root = archive.struct(24)
        archive.vector(root, at, len(self.groups))
        archive.put(root + 16, "Q", len(self.groups))
        return self.writer.block(archive.bytes_)

    def statistics(self):
        archive = Archive()
        count = len(self.rows)
        parts = []
        for code, values in ((UINT64, [0] * count), (UINT64, self.rows), (self.code, self.least), (self.code, self.greatest)):
            if code == TEXT:
                offsets = np.cumsum([0, *map(len, values)], dtype="<i4").tobytes()
                text = b"".join(values)
                places = [(archive.data(text), len(text)), (archive.data(offsets), len(offsets))]
            else:
                numbers = np.array(values, "<u8" if code == UINT64 else NUMPY[code]).tobytes()
                places = [(archive.data(numbers), len(numbers))]
            parts.append((code, places))
        root = archive.struct(296)
        for index, (code, places) in enumerate(parts):
            archive.array(root + 72 * index, code, count, places)
        return self.writer.block(archive.bytes_)


def write_bbf(path, codec, entries, rows, columns_of=profile):
    rng = np.random.default_rng(33)
    writer = Writer(path, codec)
    columns = {"__entry_key": Column(writer, TEXT), **{name: Column(writer, COLUMNS[name]) for name in columns_of(np.random.default_rng(), 0, entries, 1)}}
    names = [f"profile-{entry:06}.nc".encode() for entry in range(entries)]
    for entry, name in enumerate(names):
        columns["__entry_key"].append(name)
        for column, values in columns_of(rng, entry, entries, rows).items():
            columns[column].append(values)
    directories = [(name.encode(), column.directory()) for name, column in columns.items()]
    statistics = [(name.encode(), column.statistics()) for name, column in columns.items()]
    index = Archive()
    pairs = index.pairs(0, statistics, 16, "QQ")
    root = index.struct(48)
    index.put(root + 8, "Q", entries)
    pairs(root + 16)
    place = writer.block(index.bytes_)
    footer = Archive()
    maps = [
        footer.pairs(0, [(name.encode(), (column.code,)) for name, column in columns.items()], 8, "B"),
        footer.pairs(0, directories, 16, "QQ"),
        footer.pairs(0, [(b"pruning_index", place)], 16, "QQ"),
    ]
    deleted = footer.data(bytes(entries))
    longs = [footer.long(name) for name in names]
    keys = footer.struct(32 * entries)
    for entry, name in enumerate(names):
        footer.text(keys + 32 * entry, name, longs[entry])
    root = footer.struct(144)
    footer.text(root, b"2.1.3", None)
    for index, put in enumerate(maps):
        put(root + 16 + 32 * index)
    footer.vector(root + 112, deleted, entries)
    footer.vector(root + 128, keys, entries)
    _, size = writer.block(footer.bytes_)
    writer.out.write(struct.pack("<Q", size) + b"BBF1")
    writer.out.close()


def write_arrow(path, codec, entries, rows):
    rng = np.random.default_rng(33)
    types = {13: pa.timestamp("ms"), 10: pa.float32(), 4: pa.int32(), 2: pa.int8()}
    schema = pa.schema([(name, types[code]) for name, code in COLUMNS.items()])
    options = pa.ipc.IpcWriteOptions(compression=None if codec == "none" else codec)
    with pa.ipc.new_file(path, schema, options=options) as out:
        for entry in range(entries):
            columns = profile(rng, entry, entries, rows)
            arrays = [pa.array(columns[field.name]).cast(field.type) for field in schema]
            out.write_batch(pa.record_batch(arrays, schema))


kind, codec, entries, rows, path = sys.argv[1:]
write = {"bbf": write_bbf, "casts": lambda *all_: write_bbf(*all_, cast), "arrow": write_arrow}[kind]
write(path, codec, int(entries), int(rows))
