"""Tables of every type, for the scripts that write fixtures, and the types in which the service gives them."""

import datetime as dt
import decimal

import numpy as np
import pyarrow as pa


def with_nulls(values, every=7):
    return [None if i % every == 3 else v for i, v in enumerate(values)]


def flat_table(rows, nullable=True):
    """One column of every flat type."""
    day = dt.date(2020, 2, 28)
    instant = dt.datetime(2021, 12, 31, 23, 59, 58, 123456)
    r = range(rows)
    columns = {
        "bool": ([i % 3 == 0 for i in r], pa.bool_()),
        "i8": ([i % 256 - 128 for i in r], pa.int8()),
        "i16": ([(i * 257) % 65536 - 32768 for i in r], pa.int16()),
        "i32": ([(i * 16843009) % 2**32 - 2**31 for i in r], pa.int32()),
        "i64": ([(i * 72340172838076673) % 2**64 - 2**63 for i in r], pa.int64()),
        "u8": ([i % 256 for i in r], pa.uint8()),
        "u16": ([(i * 257) % 65536 for i in r], pa.uint16()),
        "u32": ([2**32 - 1 - i for i in r], pa.uint32()),
        "u64": ([2**64 - 1 - i for i in r], pa.uint64()),
        "f16": (np.array([i / 4 for i in r], np.float16), pa.float16()),
        "f32": ([float(np.float32(i * 0.1)) for i in r], pa.float32()),
        "f64": ([[0.0, -0.0, float("nan"), float("inf"), float("-inf"), i * 0.1][i % 6] for i in r], pa.float64()),
        "text": ([["", "a", "grün", "日本", "a longer piece of text " * 3, str(i)][i % 6] for i in r], pa.string()),
        "binary": ([bytes([i % 256, 0, 255]) * (i % 3) for i in r], pa.binary()),
        "fixed": ([bytes([i % 256] * 5) for i in r], pa.binary(5)),
        "date": ([day + dt.timedelta(i) for i in r], pa.date32()),
        "time_ms": ([dt.time(1, 2, i % 60, 7000) for i in r], pa.time32("ms")),
        "time_us": ([dt.time(1, 2, i % 60, i) for i in r], pa.time64("us")),
        "time_ns": ([(i * 86399999999991) % 86400000000000 for i in r], pa.time64("ns")),
        "ts_ms": ([instant + dt.timedelta(hours=i) for i in r], pa.timestamp("ms")),
        "ts_us": ([instant + dt.timedelta(hours=i) for i in r], pa.timestamp("us", "UTC")),
        "ts_ns": ([1640995198123456789 + i for i in r], pa.timestamp("ns", "Europe/Oslo")),
        "dec_9": ([decimal.Decimal(i * 1000 - 12345) / 100 for i in r], pa.decimal128(9, 2)),
        "dec_18": ([decimal.Decimal(i * 10**12 - 5) / 1000 for i in r], pa.decimal128(18, 3)),
        "dec_38": ([decimal.Decimal(-(10**30) + i) for i in r], pa.decimal128(38, 0)),
        "dec_76": ([decimal.Decimal(-(10**27) + i) for i in r], pa.decimal256(76, 4)),
        "duration": ([i * 1000 - 5 for i in r], pa.duration("us")),
    }
    arrays, fields = [], []
    for name, (values, type_) in columns.items():
        values = with_nulls(list(values)) if nullable else list(values)
        if name == "ts_ms":
            values = [v if v is None else v.replace(microsecond=123000) for v in values]
        arrays.append(pa.array(values, type_))
        fields.append(pa.field(name, type_, nullable))
    return pa.Table.from_arrays(arrays, schema=pa.schema(fields))


def nested_table(rows):
    r = range(rows)
    point = pa.struct([pa.field("x", pa.float64()), pa.field("label", pa.string())])
    columns = {
        "list": ([None if i % 11 == 5 else list(range(i % 4)) for i in r], pa.list_(pa.int32())),
        "texts": ([[None, "a", "", "bc"][: i % 5] if i % 7 else None for i in r], pa.list_(pa.string())),
        "lists": ([[[i], [], None, [1, None]][: i % 5] for i in r], pa.list_(pa.list_(pa.int64()))),
        "struct": ([None if i % 5 == 2 else {"x": i / 2, "label": None if i % 3 else f"p{i}"} for i in r], point),
        "structs": ([[{"x": float(k), "label": "q" * k} for k in range(i % 3)] for i in r], pa.list_(point)),
        "deep": (
            [{"a": {"b": [None, {"x": 1.5, "label": "z"}][: i % 3]}} if i % 4 else None for i in r],
            pa.struct([pa.field("a", pa.struct([pa.field("b", pa.list_(point))]))]),
        ),
        "map": ([None if i % 9 == 1 else [(f"k{k}", k * i) for k in range(i % 4)] for i in r], pa.map_(pa.string(), pa.int64())),
        "large": ([[float(i)] * (i % 2) for i in r], pa.large_list(pa.float32())),
        "triple": ([[i, i + 1, i + 2] for i in r], pa.list_(pa.int16(), 3)),
        "id": (list(r), pa.int64()),
    }
    return pa.table({name: pa.array(values, type_) for name, (values, type_) in columns.items()})


def plain(type_):
    """The type that the service gives for an Arrow type."""
    if pa.types.is_dictionary(type_):
        return plain(type_.value_type)
    if pa.types.is_large_string(type_) or pa.types.is_string_view(type_):
        return pa.string()
    if pa.types.is_large_binary(type_) or pa.types.is_binary_view(type_):
        return pa.binary()
    if pa.types.is_struct(type_):
        return pa.struct([f.with_type(plain(f.type)) for f in type_])
    if pa.types.is_map(type_):
        return pa.map_(type_.key_field.with_type(plain(type_.key_type)), type_.item_field.with_type(plain(type_.item_type)))
    if pa.types.is_list(type_):
        return pa.list_(type_.value_field.with_type(plain(type_.value_type)))
    if pa.types.is_large_list(type_):
        return pa.large_list(type_.value_field.with_type(plain(type_.value_type)))
    if pa.types.is_fixed_size_list(type_):
        return pa.list_(type_.value_field.with_type(plain(type_.value_type)), type_.list_size)
    return type_
