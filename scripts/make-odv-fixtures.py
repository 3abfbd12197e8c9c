"""Writes test/fixtures/odv: small files in the generic spreadsheet format of Ocean Data View, and beside each the rows that it has.

Run with a Python that has pyarrow. The rows of one cruise are written as ODV and data centres write them: columns declared or not, the
metadata of a station once or in every row, in several encodings, with other line ends, comments between rows, and cells left out. The
expected rows are an Arrow IPC stream, `<name>.expected.arrow.gz`, in the types that the service gives them.
"""

import datetime as dt
import gzip
import pathlib

import pyarrow as pa

HERE = pathlib.Path(__file__).parent.parent / "test" / "fixtures" / "odv"

METADATA = [
    ("Cruise", "", pa.string()),
    ("Station", "", pa.string()),
    ("Type", "", pa.string()),
    ("yyyy-mm-ddThh:mm:ss.sss", "", pa.timestamp("ms")),
    ("Longitude", "degrees_east", pa.float64()),
    ("Latitude", "degrees_north", pa.float64()),
    ("LOCAL_CDI_ID", "", pa.string()),
    ("EDMO_code", "", pa.int64()),
    ("Bot. Depth", "m", pa.float64()),
]
DATA = [
    ("Depth", "m", pa.float64()),
    ("Temp [ITS-90]", "°C", pa.float64()),
    ("Note", "", pa.string()),
    ("time_ISO8601", "", pa.timestamp("ms")),
]
NOTES = ["plain", None, "grün", 'a "quoted" word', None, None, "µ€", "// no comment", " spaces ", "1"]
SCHEME = "SEADATANET"


def rows(notes):
    """Rows of metadata, data and flags, and whether each begins a station. `notes`: texts that the encoding has."""
    start = dt.datetime(1999, 12, 31, 23, 59, 58, 123000)
    for station in range(24):
        metadata = [
            "Polar 7" if station < 20 else None,
            f"{station:03d}",
            "B" if station % 2 else "C",
            start + dt.timedelta(days=station) if station % 5 else dt.datetime(2001, 2, 1 + station % 28),
            -180 + station * 15.25,
            None if station == 3 else 60 - station / 8,
            f"00{station}",
            486,
            None if station % 4 == 0 else 100.5 * station,
        ]
        for level in range(1 + station * 7 % 13):
            i = station * 13 + level
            time = start + dt.timedelta(minutes=i)
            data = [level * 2.5, None if i % 6 == 5 else 20 - i / 16, notes[i % len(notes)], None if i % 7 == 6 else time]
            flags = ["1" if i % 3 else "9", None if i % 6 == 5 else "2"]
            yield level == 0, metadata, data, flags


def title(name, units):
    return f"{name} [{units}]" if units else name


def text(value):
    if value is None:
        return ""
    if isinstance(value, dt.datetime):
        is_day = (value.hour, value.minute, value.second, value.microsecond) == (0, 0, 0, 0)
        return value.strftime("%Y-%m-%d") if is_day else value.isoformat(timespec="milliseconds")
    if isinstance(value, float):
        return repr(value)
    value = str(value)
    return '"' + value.replace('"', '""') + '"' if value.startswith(("//", '"')) or "\t" in value else value


VALUE_TYPES = {pa.string(): "INDEXED_TEXT", pa.float64(): "DOUBLE", pa.int64(): "INTEGER", pa.timestamp("ms"): "DOUBLE"}


def escaped(value):
    return value.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;").replace(">", "&gt;")


def declarations():
    for kind, columns in [("MetaVariable", METADATA), ("DataVariable", DATA)]:
        for name, units, type_ in columns:
            if name.startswith("yyyy"):
                continue
            scheme = SCHEME if name in ("Depth", "Temp [ITS-90]") else ""
            comment = 'below "0" & <1>' if name == "Depth" else ""
            label = f'label="{escaped(title(name, units))}"'
            others = [f'value_type="{VALUE_TYPES[type_]}"', f'qf_schema="{scheme}"', f'comment="{escaped(comment)}"']
            # Attributes come in any order.
            parts = [label, *others] if len(name) % 2 else [*others[::-1], 'significant_digits="3"', label]
            yield f"//<{kind}>{' '.join(parts)}</{kind}>"


def write(name, *, declared, repeated, notes=NOTES, encoding=None, end="\n", ragged=False, comments=False, carried=True, some=True):
    lines = ["//<Encoding>%s</Encoding>" % encoding] if encoding else []
    lines += ["//", "//<DataField>Ocean</DataField>"]
    if declared:
        lines += declarations()
    titles = [title(n, u) for n, u, _ in METADATA] + [
        title(*DATA[0][:2]),
        f"QV:{SCHEME}",
        title(*DATA[1][:2]),
        f"QV:{SCHEME}:{title(*DATA[1][:2])}",
        *[title(n, u) for n, u, _ in DATA[2:]],
    ]
    lines.append("\t".join(titles))
    table = []
    for is_first, metadata, data, flags in rows(notes) if some else []:
        shown = metadata if is_first or repeated else [None] * len(metadata)
        line = [text(v) for v in [*shown, data[0], flags[0], data[1], flags[1], *data[2:]]]
        if ragged:
            while line and line[-1] == "":
                line.pop()
            line += [""] * (len(table) % 3 * 4)
        if comments and len(table) % 5 == 0:
            lines += ['// a "comment\twith a tab', "", "//"]
        lines.append("\t".join(line))
        table.append([*(metadata if carried else shown), data[0], flags[0], data[1], flags[1], *data[2:]])
    content = "".join(line + end for line in lines)
    HERE.joinpath(f"{name}.txt").write_bytes(content.encode({"ISO-8859-1": "latin-1", None: "utf-8"}.get(encoding, encoding)))

    names = [n for n, _, _ in METADATA] + ["Depth", "Depth_qc", "Temp [ITS-90]", "Temp [ITS-90]_qc", "Note", "time_ISO8601"]
    types = [t for _, _, t in METADATA] + [pa.float64(), pa.string(), pa.float64(), pa.string(), pa.string(), pa.timestamp("ms")]
    columns = [pa.array([row[i] for row in table], type_) for i, type_ in enumerate(types)]
    if not declared and not some:
        # Nothing says what they are.
        for i, type_ in enumerate(types):
            if type_ == pa.float64() or names[i] == "Note":
                columns[i] = pa.array([], pa.null())
    constants = []
    for n, units, _ in METADATA + DATA:
        constants.append((f"{n}.units", units))
        if declared and n in ("Depth", "Temp [ITS-90]"):
            constants.append((f"{n}.qf_schema", SCHEME))
        if declared and n == "Depth":
            constants.append((f"{n}.comment", 'below "0" & <1>'))
    for n, value in constants:
        if value:
            names.append(n)
            indices = pa.array([0] * len(table), pa.int32())
            columns.append(pa.DictionaryArray.from_arrays(indices, pa.array([value])))
    expected = pa.table(columns, names=names)
    stream = pa.BufferOutputStream()
    with pa.ipc.new_stream(stream, expected.schema) as writer:
        writer.write_table(expected)
    # No time in the header: the same rows give the same bytes.
    HERE.joinpath(f"{name}.expected.arrow.gz").write_bytes(gzip.compress(stream.getvalue().to_pybytes(), mtime=0))


HERE.mkdir(parents=True, exist_ok=True)
LATIN = [note.replace("€", "ß") if note else note for note in NOTES]
write("declared-once", declared=True, repeated=False)
write("declared-repeated", declared=True, repeated=True, encoding="UTF-8")
write("undeclared-once-crlf", declared=False, repeated=False, end="\r\n", comments=True)
write("undeclared-repeated", declared=False, repeated=True, ragged=True)
write("ragged-once-cr", declared=True, repeated=False, end="\r", ragged=True, comments=True)
write("windows-1252", declared=True, repeated=False, encoding="windows-1252")
write("latin-1", declared=False, repeated=False, encoding="ISO-8859-1", notes=LATIN)
write("header-only", declared=False, repeated=False, some=False)
