"""Writes test/fixtures/hdf5: small files of h5py, and beside each the rows that it has.

Run with a Python that has h5py 3.16, hdf5plugin 7.1, netCDF4, xarray and pyarrow. `<name>.expected.arrow.gz` is an Arrow IPC
stream, with text as Utf8 and no dictionaries. Files that are refused have no rows: `refused-<why>.h5`. Nor has links.h5, and those
of optodas have theirs with the convention: `<name>@optodas.expected.arrow.gz`. The bytes of filter-lzf.h5 differ from run to run, and so do the
times in kinds-v108.h5, kinds-v200.h5 and shared-*.h5.
"""

import ctypes
import pathlib
import sys

import h5py
import hdf5plugin
import numpy as np
import pyarrow as pa

from array_rows import Array, constant, decoded, kept, rows_of, write_rows

HERE = pathlib.Path(__file__).parent.parent / "test" / "fixtures" / "hdf5"

# What dimension scales and the library of NetCDF-4 note down. No reader shows it.
HIDDEN = {"CLASS", "NAME", "DIMENSION_LIST", "REFERENCE_LIST", "DIMENSION_LABELS"}
HIDDEN |= {"_Netcdf4Dimid", "_Netcdf4Coordinates", "_NCProperties", "_nc3_strict"}

LIBRARIES = ["earliest", "v108", "v110", "v112", "v114", "v200"]


def create(name, **options):
    return h5py.File(HERE / f"{name}.h5", "w", **options)


def creation():
    """Properties of a dataset. Its file must not have the time at which it was made."""
    properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    properties.set_obj_track_times(False)
    return properties


def axes(file, **sizes):
    """Dimension scales: 0, 0.5, 1, …"""
    for name, size in sizes.items():
        file[name] = np.arange(size) / 2
        file[name].make_scale(name)


def attach(dataset, *names):
    for axis, name in enumerate(names):
        dataset.dims[axis].attach_scale(dataset.file[name])
    return dataset


def numbers(shape, type_="f4"):
    values = np.arange(np.prod(shape)).reshape(shape)
    return (values * 37 % 1009 - (300 if np.dtype(type_).kind != "u" else 0)).astype(type_)


# What is expected


def expect(name):
    path = HERE / f"{name}.h5"
    arrays = []
    with h5py.File(path) as file:
        walk(file, "", arrays, path, counter := [0])
    arrays = sorted((each for each in arrays if each is not None), key=lambda array: array.name.encode())
    invented = {each for array in arrays for each in array.dimensions if each.startswith("phony_")}
    write_rows(HERE / f"{name}.expected.arrow.gz", rows_of(kept(arrays, invented)))


def walk(group, prefix, arrays, path, counter):
    for name in group.attrs:
        if name not in HIDDEN:
            arrays.append(constant(f"{prefix}.{name}", group.attrs[name]))
    for name, item in group.items():
        if isinstance(item, h5py.Group):
            walk(item, f"{prefix}{name}/", arrays, path, counter)
        elif isinstance(item, h5py.Dataset):
            read(item, f"{prefix}{name}", arrays, path, counter)


def read(dataset, name, arrays, path, counter):
    attributes = {each: dataset.attrs[each] for each in dataset.attrs if each not in HIDDEN}
    arrays += [constant(f"{name}.{each}", value) for each, value in attributes.items()]
    if dataset.shape is None:
        return
    sizes = sizes_of(dataset, counter)
    stored = dataset.id.get_type()
    if stored.get_class() == h5py.h5t.COMPOUND:
        values = dataset[...]
        if values.dtype.kind == "c":
            values = {"r": values.real, "i": values.imag}
        for index in range(stored.get_nmembers()):
            member = stored.get_member_name(index).decode()
            inner = stored.get_member_type(index)
            if is_number(inner):
                arrays.append(decoded(f"{name}/{member}", sizes, values[member], {}, path))
            elif inner.get_class() == h5py.h5t.ENUM:
                arrays.append(Array(f"{name}/{member}", sizes, named(values[member])))
            elif inner.get_class() == h5py.h5t.STRING and not inner.is_variable_str():
                arrays.append(Array(f"{name}/{member}", sizes, texts(values[member])))
        return
    if stored.get_class() == h5py.h5t.ENUM:
        arrays.append(Array(name, sizes, named(dataset[...]), "standard_name" in attributes))
        return
    if not is_number(stored) and stored.get_class() != h5py.h5t.STRING:
        return
    type_ = dataset.dtype
    if type_.kind == "S" and type_.itemsize > 1:
        arrays.append(Array(name, sizes, texts(dataset[...]), "standard_name" in attributes))
    elif h5py.check_string_dtype(type_) is not None and type_.kind == "O":
        arrays.append(decoded(name, sizes, dataset.asstr()[...] if sizes else np.array(dataset.asstr()[()], object), attributes, path))
    else:
        arrays.append(decoded(name, sizes, np.asarray(dataset[...]), attributes, path))


FLOATS = [h5py.h5t.IEEE_F16LE, h5py.h5t.IEEE_F16BE, h5py.h5t.IEEE_F32LE, h5py.h5t.IEEE_F32BE, h5py.h5t.IEEE_F64LE, h5py.h5t.IEEE_F64BE]


def is_number(stored):
    """Whether a column has numbers of this type."""
    if stored.get_class() == h5py.h5t.FLOAT:
        return any(stored.equal(each) for each in FLOATS)
    return stored.get_class() == h5py.h5t.INTEGER and stored.get_size() in (1, 2, 4, 8)


def named(values):
    """Enumerations by their names, and those of h5py that are booleans."""
    if values.dtype.kind == "b":
        return pa.array(np.ravel(values))
    names = {value: name for name, value in h5py.check_enum_dtype(values.dtype).items()}
    return pa.array([names.get(each) for each in np.ravel(values).tolist()], pa.string())


def texts(values):
    return pa.array([each.decode() for each in np.ravel(values)], pa.string())


def sizes_of(dataset, counter):
    """The dimensions of a dataset. An axis without a name is called by its length, if it is the first one of this length."""
    sizes = {}
    for axis, size in enumerate(dataset.shape):
        scales = list(dataset.dims[axis].values()) if not dataset.is_scale else [dataset]
        name = scales[0].name.strip("/") if scales else f"phony_len_{size}"
        if not scales and (name in sizes or size == 0 or dataset.maxshape[axis] is None):
            name = f"phony_dim_{counter[0]}"
        counter[0] += 1
        sizes[name] = size
    return sizes


# Storage


def layouts(library):
    """Every layout and chunk index. Which index a dataset gets depends on its chunks, its limits and the library's version."""
    name = f"layouts-{library}"
    with create(name, libver=(library, "latest")) as file:
        file.attrs["title"] = f"written as {library}"
        axes(file, y=13, x=10)
        shape = (13, 10)

        def dataset(name, type_="f4", **options):
            made = file.create_dataset(name, shape, type_, **options)
            made[...] = numbers(shape, type_)
            return attach(made, "y", "x")

        dataset("contiguous", "f8")
        properties = creation()
        properties.set_layout(h5py.h5d.COMPACT)
        made = h5py.h5d.create(file.id, b"compact", h5py.h5t.NATIVE_INT16, h5py.h5s.create_simple(shape), properties)
        attach(h5py.Dataset(made), "y", "x")[...] = numbers(shape, "i2")
        dataset("single_chunk", chunks=shape)
        dataset("single_chunk_deflate", chunks=shape, compression="gzip")
        properties = creation()
        properties.set_chunk((4, 3))
        properties.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
        made = h5py.h5d.create(file.id, b"implicit", h5py.h5t.NATIVE_INT32, h5py.h5s.create_simple(shape), properties)
        attach(h5py.Dataset(made), "y", "x")[...] = numbers(shape, "i4")
        dataset("fixed_array", chunks=(4, 3))
        dataset("fixed_array_deflate", chunks=(4, 3), compression="gzip", shuffle=True)
        dataset("extensible_array", chunks=(4, 3), maxshape=(None, 10))
        dataset("extensible_array_inner", chunks=(4, 3), maxshape=(13, None), compression="gzip")
        dataset("b_tree", chunks=(4, 3), maxshape=(None, None))
        dataset("b_tree_deflate", "i8", chunks=(4, 3), maxshape=(None, None), compression="gzip", shuffle=True, fletcher32=True)
        dataset("big_endian", ">i4", chunks=(4, 3), compression="gzip", shuffle=True)
    expect(name)


def many_chunks(library):
    """So many chunks that their index has pages, or more than one level."""
    name = f"many-chunks-{library}"
    with create(name, libver=(library, "latest")) as file:
        axes(file, x=2500)
        for name_, maximum in [("fixed", (2500,)), ("growing", (None,))]:
            made = file.create_dataset(name_, (2500,), "i2", chunks=(1,), maxshape=maximum)
            made[...] = numbers((2500,), "i2")
            attach(made, "x")
    expect(name)


def unwritten():
    """Chunks and datasets that were never written have the fill value of the dataset."""
    with create("unwritten", libver="v110") as file:
        axes(file, y=8, x=6)
        for name, options in {
            "none": {},
            "none_seven": {"fillvalue": 7},
            "chunks": {"chunks": (2, 3)},
            "chunks_seven": {"chunks": (2, 3), "fillvalue": 7},
            "chunks_deflate": {"chunks": (2, 3), "fillvalue": -1, "compression": "gzip", "maxshape": (None, 6)},
        }.items():
            made = attach(file.create_dataset(name, (8, 6), "i4", **options), "y", "x")
            if "chunks" in options:
                made[2:4, 0:3] = [[1, 2, 3], [4, 5, 6]]
        null = attach(file.create_dataset("null", (8, 6), "f4", chunks=(2, 3), fillvalue=-999), "y", "x")
        null.attrs["_FillValue"] = np.float32(-999)
        null[0, 0] = 5
    expect("unwritten")


FILTERS = {
    "deflate": {"compression": "gzip", "compression_opts": 9},
    "shuffle-deflate": {"compression": "gzip", "shuffle": True},
    "fletcher32": {"fletcher32": True},
    "shuffle-deflate-fletcher32": {"compression": "gzip", "shuffle": True, "fletcher32": True},
    "shuffle": {"shuffle": True},
    "lzf": {"compression": "lzf"},
    "shuffle-lzf": {"compression": "lzf", "shuffle": True},
    "lz4": hdf5plugin.LZ4(),
    "lz4-blocks": hdf5plugin.LZ4(nbytes=64),
    "zstd": hdf5plugin.Zstd(),
    "shuffle-zstd": {"shuffle": True, **hdf5plugin.Zstd(clevel=9)},
    "blosc-lz4": hdf5plugin.Blosc(cname="lz4", shuffle=hdf5plugin.Blosc.SHUFFLE),
    "blosc-lz4-bitshuffle": hdf5plugin.Blosc(cname="lz4", shuffle=hdf5plugin.Blosc.BITSHUFFLE),
    "blosc-lz4hc": hdf5plugin.Blosc(cname="lz4hc", shuffle=hdf5plugin.Blosc.NOSHUFFLE),
    "blosc-zstd": hdf5plugin.Blosc(cname="zstd", shuffle=hdf5plugin.Blosc.SHUFFLE),
    "blosc-zlib": hdf5plugin.Blosc(cname="zlib", shuffle=hdf5plugin.Blosc.SHUFFLE),
    "blosc-blosclz": hdf5plugin.Blosc(cname="blosclz", shuffle=hdf5plugin.Blosc.SHUFFLE),
    "blosc-none": hdf5plugin.Blosc(cname="lz4", clevel=0),
    "bzip2": hdf5plugin.BZip2(),
    "bitshuffle": hdf5plugin.Bitshuffle(cname="none"),
    "bitshuffle-lz4": hdf5plugin.Bitshuffle(cname="lz4"),
    "bitshuffle-zstd": hdf5plugin.Bitshuffle(cname="zstd"),
    "blosc2": hdf5plugin.Blosc2(cname="zstd"),
    "zfp": hdf5plugin.Zfp(reversible=True),
    "szip": {"compression": "szip"},
    "scaleoffset": {"scaleoffset": 0},
    "szip-ec": {"compression": "szip", "compression_opts": ("ec", 16)},
    "shuffle-szip-fletcher32": {"compression": "szip", "shuffle": True, "fletcher32": True},
    "scaleoffset-floats": {"scaleoffset": 3},
    "scaleoffset-shuffle-deflate": {"scaleoffset": 0, "shuffle": True, "compression": "gzip"},
    "shuffle-bzip2": {"shuffle": True, **hdf5plugin.BZip2(blocksize=1)},
    "bitshuffle-lz4-fletcher32": {"fletcher32": True, **hdf5plugin.Bitshuffle(nelems=16, cname="lz4")},
    "blosc2-zlib": hdf5plugin.Blosc2(cname="zlib"),
    "blosc2-lz4-bitshuffle": hdf5plugin.Blosc2(cname="lz4", filters=hdf5plugin.Blosc2.BITSHUFFLE),
    "zfp-doubles": hdf5plugin.Zfp(reversible=True),
    "zfp-accuracy": hdf5plugin.Zfp(accuracy=0.5),
    "zfp-rate": hdf5plugin.Zfp(rate=12),
}

ALL_TYPES = ("i2", "f4", "f8", "i8")
# The types of elements, where a filter is not for all of them.
TYPES = {
    "scaleoffset": ("i4",),
    "scaleoffset-shuffle-deflate": ("i2", "u4", "i8"),
    "scaleoffset-floats": ("f4", "f8"),
    "zfp": ("f4", "i4"),
    "zfp-doubles": ("f8", "i8"),
    "zfp-accuracy": ("f4", "f8"),
    "zfp-rate": ("f4", "f8", "i4"),
}


def filters():
    """A file for each filter: values that compress, and noise, in chunks that do not divide the shape."""
    shape = (20, 30)
    noise = np.random.default_rng(5)
    for filter_, options in FILTERS.items():
        name = f"filter-{filter_}"
        with create(name) as file:
            axes(file, y=20, x=30)
            for type_ in TYPES.get(filter_, ALL_TYPES):
                for kind, values in [("smooth", numbers(shape, type_) // 50), ("noise", noise.integers(-30000, 30000, shape).astype(type_))]:
                    made = file.create_dataset(f"{kind}_{type_}", shape, type_, chunks=(8, 11), **options)
                    made[...] = values
                    attach(made, "y", "x")
        expect(name)

    # All of a file is under filters, also the coordinates, which are read before the rows.
    with create("filter-everywhere") as file:
        for name, size, options in [("y", 40, hdf5plugin.BZip2()), ("x", 30, {"compression": "szip", "shuffle": True})]:
            made = file.create_dataset(name, (size,), "f8", chunks=(16,), **options)
            made[...] = np.arange(size) / 2
            made.make_scale(name)
        values = (1000 * np.arange(40)[:, None] + np.arange(30)).astype("i4")
        for name, options in [("v", hdf5plugin.Bitshuffle(cname="zstd")), ("w", {"compression": "gzip"})]:
            made = attach(file.create_dataset(name, (40, 30), "i4", chunks=(8, 11), **options), "y", "x")
            made[...] = values if name == "v" else -values
    expect("filter-everywhere")

    # A mask says which filters a chunk has not gone through.
    with create("filter-masks") as file:
        axes(file, x=8)
        made = attach(file.create_dataset("v", (8,), "i4", chunks=(4,), compression="gzip", shuffle=True), "x")
        made[...] = np.arange(8)
        made.id.write_direct_chunk((4,), np.arange(100, 104, dtype="i4").tobytes(), filter_mask=3)
    expect("filter-masks")


# Types and names


def types():
    with create("types", libver="v110") as file:
        axes(file, n=6)
        for type_ in ["i1", "u1", "<i2", ">i2", "<u2", ">u2", "<i4", ">i4", "<u4", ">u4", "<i8", ">i8", "<u8", ">u8", "<f2", "<f4", ">f4", "<f8", ">f8"]:
            name = type_.replace("<", "little_").replace(">", "big_")
            values = np.array([0, 1, 2, 100, 127, 5]).astype(type_)
            if np.dtype(type_).kind != "f":
                values[4:] = [np.iinfo(type_).min, np.iinfo(type_).max]
            attach(file.create_dataset(name, data=values), "n")
        words = ["", "a", "grün", "日本", "a longer text", "x"]
        attach(file.create_dataset("variable_text", data=words, dtype=h5py.string_dtype()), "n")
        attach(file.create_dataset("variable_ascii", data=["a", "b", "c", "d", "e", ""], dtype=h5py.string_dtype("ascii")), "n")
        attach(file.create_dataset("fixed_text", data=np.array([each.encode() for each in words], "S16")), "n")
        attach(file.create_dataset("one_char", data=np.array(list("abcdef"), "S1")), "n")
        attach(file.create_dataset("bool", data=np.array([True, False] * 3)), "n")
        attach(file.create_dataset("enum", data=np.zeros(6, "i1"), dtype=h5py.enum_dtype({"a": 0, "b": 1}, "i1")), "n")
        attach(file.create_dataset("opaque", data=np.zeros(6, "V5")), "n")
        attach(file.create_dataset("reference", data=[file["n"].ref] * 6, dtype=h5py.ref_dtype), "n")
        file["bool"].attrs["comment"] = "its type is not read"
        file["scalar"] = 42
        file["scalar_text"] = "constant"
        file["nothing"] = h5py.Empty("f4")
    expect("types")


def raw(file, name, stored, values, *scales):
    """A dataset of any type. `values` has the bytes of its elements."""
    space = h5py.h5s.create_simple(values.shape)
    made = h5py.h5d.create(file.id, name.encode(), stored, space, creation())
    made.write(h5py.h5s.ALL, h5py.h5s.ALL, values, stored)
    return attach(h5py.Dataset(made), *scales)


def changed(stored, **properties):
    """A copy of a type with other properties."""
    made = stored.copy()
    for name, value in properties.items():
        getattr(made, f"set_{name}")(*value if isinstance(value, tuple) else (value,))
    return made


def kinds():
    """Every kind of type, beside a column of each kind that is read. Libraries write them in different versions."""
    h5t = h5py.h5t
    for library in ("earliest", "v108", "v200"):
        name = f"kinds-{library}"
        with create(name, libver=(library, "latest")) as file:
            axes(file, n=4)
            rows = np.arange(4)
            for padding in ("NULLTERM", "NULLPAD", "SPACEPAD"):
                filler = {"NULLTERM": b"\0", "NULLPAD": b"\0", "SPACEPAD": b" "}[padding]
                for charset, words in (("ASCII", ["", "a", "a b", "abcde"]), ("UTF8", ["", "ä", " ö", "aäö"])):
                    stored = changed(h5t.C_S1, size=6, strpad=getattr(h5t, f"STR_{padding}"), cset=getattr(h5t, f"CSET_{charset}"))
                    values = np.array([each.encode().ljust(6, filler) for each in words], "V6")
                    raw(file, f"text_{padding}_{charset}", stored, values, "n")
                    if charset == "ASCII":
                        raw(file, f"full_{padding}", stored, np.array([b"abcdef"] * 4, "V6"), "n")
            words = ["", "ä", "a longer text", "x"]
            file.create_dataset("text_of_any_length", data=words, dtype=h5py.string_dtype())
            file.create_dataset("ascii_of_any_length", data=["", "b", "c", "d"], dtype=h5py.string_dtype("ascii"))
            attach(file["text_of_any_length"], "n")
            attach(file["ascii_of_any_length"], "n")
            # What no column has.
            raw(file, "omitted_time", h5t.UNIX_D32LE, rows.astype("i4"), "n")
            raw(file, "omitted_bits", h5t.STD_B16BE, rows.astype("u2"), "n")
            raw(file, "omitted_opaque", changed(h5t.create(h5t.OPAQUE, 5), tag=b"of the test"), np.zeros(4, "V5"), "n")
            raw(file, "omitted_integer_24", changed(h5t.STD_I32LE, precision=24, size=3), np.zeros(4, "V3"), "n")
            raw(file, "omitted_long_double", h5t.NATIVE_LDOUBLE, rows.astype("g"), "n")
            brain = changed(h5t.IEEE_F16LE, fields=(15, 7, 8, 0, 7), ebias=127)
            raw(file, "omitted_bfloat16", brain, np.zeros(4, "V2"), "n")
            raw(file, "omitted_float_24", changed(h5t.IEEE_F32LE, fields=(23, 15, 8, 0, 15), precision=24), rows.astype("f4"), "n")
            raw(file, "omitted_array", h5t.array_create(h5t.STD_I16LE, (2, 3)), np.zeros((4, 6), "i2").view("V12").reshape(4), "n")
            attach(file.create_dataset("omitted_bool", data=rows % 2 == 0), "n")
            attach(file.create_dataset("omitted_enum", data=rows.astype(">i4"), dtype=h5py.enum_dtype({f"word {each}": each for each in range(4)}, ">i4")), "n")
            attach(file.create_dataset("omitted_reference", data=[file["n"].ref] * 4, dtype=h5py.ref_dtype), "n")
            attach(file.create_dataset("omitted_region", data=[file["n"].regionref[:2]] * 4, dtype=h5py.regionref_dtype), "n")
            lists = file.create_dataset("omitted_lists", (4,), h5py.vlen_dtype("i4"))
            lists[1] = [1, 2]
            attach(lists, "n")
            lists = file.create_dataset("omitted_lists_of_text", (4,), h5py.vlen_dtype(h5py.string_dtype()))
            attach(lists, "n")
            if library == "v200":
                raw(file, "omitted_complex", h5t.COMPLEX_IEEE_F64LE, np.zeros(4, "c16"), "n")
            for each in [name for name in file if name.startswith("omitted")]:
                file[each].attrs["comment"] = f"of {each}"
            # Compounds, of which some members are columns. Complex numbers of h5py are compounds.
            attach(file.create_dataset("complex", data=rows * (1 + 2j)), "n")
            inner = np.dtype([
                ("first", ">i2"), ("list", h5py.vlen_dtype("f8")), ("note", h5py.string_dtype()), ("text", "S3"),
                ("nested", [("x", "f4"), ("deeper", [("y", "u1")])]), ("pair", "i2", (2,)), ("flag", "?"),
                ("kind", h5py.enum_dtype({"a": 0, "b": 1}, "u1")), ("link", h5py.ref_dtype), ("bytes", "V3"),
                ("long", "g"), ("half", "<f2"), ("last", ">f8"),
            ])
            values = np.zeros(4, inner)
            values["first"], values["last"], values["half"] = rows - 2, rows / 4, rows / 8
            values["text"] = [b"", b"a", b"ab", b"abc"]
            values["note"] = words
            values["link"] = [file["n"].ref] * 4
            values["list"] = [np.arange(each, dtype="f8") for each in rows]
            file["type"] = inner
            made = file.create_dataset("compound", (4,), file["type"], chunks=(3,))
            made[...] = values
            made.attrs["units"] = "several"
            attach(made, "n")
            file["number"] = np.dtype(">u2")
            made = attach(file.create_dataset("of_named_type", (4,), file["number"]), "n")
            made[...] = rows
            file["words"] = h5py.string_dtype()
            made = attach(file.create_dataset("texts_of_named_type", (4,), file["words"]), "n")
            made[...] = words
        expect(name)


def shared():
    """Messages that are equal in many objects are stored once, in a heap: of few blocks, and of many."""
    folder = pathlib.Path(h5py.__file__).parent.parent / "h5py.libs"
    library = ctypes.CDLL(str(next(folder.glob("libhdf5-*.so*"))))
    # Dataspaces, types, fill values, filters and attributes, by the numbers of their messages.
    kinds_of_messages = sum(1 << kind for kind in (1, 3, 5, 11, 12))
    for name, count in (("shared-few", 2), ("shared-many", 300)):
        properties = h5py.h5p.create(h5py.h5p.FILE_CREATE)
        properties.set_obj_track_times(False)
        assert library.H5Pset_shared_mesg_nindexes(ctypes.c_int64(properties.id), ctypes.c_uint(1)) >= 0
        one = [ctypes.c_uint(each) for each in (0, kinds_of_messages, 8)]
        assert library.H5Pset_shared_mesg_index(ctypes.c_int64(properties.id), *one) >= 0
        path = str(HERE / f"{name}.h5").encode()
        with h5py.File(h5py.h5f.create(path, h5py.h5f.ACC_TRUNC, properties)) as file:
            for number in range(count):
                options = {"chunks": (2,), "compression": "gzip", "compression_opts": number} if count == 2 else {}
                # Twice, as only what occurs twice is moved to the heap.
                for twin in "ab":
                    type_ = np.dtype([(f"member_{number}", "<i4"), ("depth", ">f8"), ("text", "S4")])
                    made = file.create_dataset(f"{number:03}{twin}", (4,), type_, **options)
                    made[1:3] = np.array([(number, number / 4, b"a"), (-number, 0, b"b")], made.dtype)
                    if number < 2:
                        made.attrs["comment"] = f"an attribute that two datasets share, of number {number}"
            for twin in "ab":
                made = file.create_dataset(f"filled_{twin}", (4,), "<i8", chunks=(2,), shuffle=True, compression="gzip", fillvalue=-7)
                made[2] = 5
        expect(name)


def attributes():
    for library in ("earliest", "v200"):
        name = f"attributes-{library}"
        with create(name, libver=(library, "latest")) as file:
            file["v"] = np.arange(3, dtype="f4")
            for each in (file, file["v"]):
                each.attrs["text"] = "grün"
                each.attrs["fixed"] = np.bytes_("fixed")
                each.attrs["short"] = np.int16(-2)
                each.attrs["big"] = np.array(7, ">i4")
                each.attrs["unsigned"] = np.uint64(2**64 - 1)
                each.attrs["float"] = np.float32(0.1)
                each.attrs["double"] = 0.1
                each.attrs["one"] = np.array([5], "i8")
                each.attrs["several"] = [1, 2, 3]
                each.attrs["texts"] = ["a", "b"]
                each.attrs["empty"] = h5py.Empty("f4")
            # More than 8, so that they are stored in a heap.
            for number in range(20):
                file.attrs[f"number_{number:02}"] = number
        expect(name)


def packed():
    with create("packed") as file:
        axes(file, time=3, y=2)
        file["time"].attrs["units"] = "hours since 2020-01-01 06:00:00"
        made = attach(file.create_dataset("sst", data=np.array([[0, 1], [2, -32768], [4, 32767]], "i2")), "time", "y")
        made.attrs.update({"scale_factor": 0.5, "add_offset": 10.0, "_FillValue": np.int16(-32768), "standard_name": "sst"})
    expect("packed")


def groups():
    with create("groups") as file:
        file.attrs["title"] = "nested groups"
        file["station_id"] = np.array([11, 22, 33], "i4")
        file["observations/temperature"] = numbers((3, 4))
        file["observations/salinity"] = numbers((3, 4), "f8")
        file["observations"].attrs["source"] = "ctd"
        file["observations/temperature"].attrs["units"] = "degC"
        file["qc/flag"] = np.array([1, 0, 1], "i1")
        file["qc/deep/er"] = np.array([1, 2, 3, 4], "i2")
        file.create_group("empty")
    expect("groups")
    with create("many-links", libver="v110") as file:
        file.create_group("group")
        for number in range(40):
            file[f"group/d{number:02}"] = np.arange(3) + number
    expect("many-links")
    with create("phony") as file:
        # Two axes of 4: the second one is another axis.
        file["a"] = numbers((4, 6))
        file["b"] = np.arange(6)
        file["c"] = np.arange(4)
        file["bigger"] = numbers((6, 7, 2))
        file["tiny"] = np.arange(2)
    expect("phony")
    with create("links") as file:
        file["data/v"] = np.arange(3)
        file["hard"] = file["data/v"]
        file["data/loop"] = file["/"]
        file["soft"] = h5py.SoftLink("/data/v")
        file["nowhere"] = h5py.SoftLink("/none")
        file["self"] = h5py.SoftLink("/self")


def compounds():
    with create("compound") as file:
        inner = np.dtype([("station", "i4"), ("depth", "<f4"), ("temp", ">f8"), ("label", "S8"), ("flag", "u1"), ("pair", [("x", "i2")])])
        type_ = np.dtype([*[(name, inner[name]) for name in inner.names], ("note", h5py.string_dtype())])
        values = np.zeros(5, type_)
        for row in range(5):
            values[row] = (row, row / 2, -row / 4, f"row {row}".encode(), 200 + row, (row,), "n" * row)
        file["measurements"] = values
        file["measurements"].attrs["units"] = "several"
        file["padded"] = np.zeros(5, np.dtype({"names": ["a", "b"], "formats": ["i2", ">i4"], "offsets": [3, 9], "itemsize": 17}))
        file.create_dataset("chunked", data=values[list(inner.names[:5])].astype(np.dtype([(name, inner[name]) for name in inner.names[:5]])), chunks=(2,), compression="gzip", shuffle=True)
    expect("compound")


def user_blocks():
    for size in (512, 2048):
        name = f"user-block-{size}"
        with create(name, userblock_size=size) as file:
            file["v"] = np.arange(10)
            file.create_dataset("chunked", data=np.arange(10) * 2, chunks=(4,), compression="gzip")
        path = HERE / f"{name}.h5"
        path.write_bytes(b"#" * size + path.read_bytes()[size:])
        expect(name)


def optodas_header(file, names, sizes, **values):
    """What the instrument says of `data`. Its files have texts of variable length."""
    header = file.create_group("header")
    header.create_dataset("dimensionNames", data=names, dtype=h5py.string_dtype())
    header["dimensionSizes"] = np.array(sizes)
    header["time"] = 1774699200.0
    header["dt"] = 0.008
    header["missingSamples"] = np.array(values.pop("missing", []), "i4")
    for axis, name in enumerate(names):
        ranges = header.create_group(f"dimensionRanges/dimension{axis}")
        ranges["min"] = 0
        ranges["max"] = sizes[axis] - 1
        ranges["unitScale"] = 0.008 if name == "time" else 5.0
    for name, value in values.items():
        if name in header:
            del header[name]
        header[name] = value


def optodas():
    """Files of OptoDAS as the instrument writes them, and others that the convention does not, or not wholly, describe."""
    with create("optodas") as file:
        file["data"] = numbers((6, 4), "i2")
        header = file.create_group("header")
        header["dimensionNames"] = np.array([b"time", b"distance"])
        header["dimensionSizes"] = np.array([6, 4])
        header["time"] = 1774699200.0
        header["dt"] = 0.008
        header["dataScale"] = np.float32(0.5)
        header["missingSamples"] = np.zeros(0, "i4")
        header["dimensionRanges/dimension0/min"] = 0
        header["dimensionRanges/dimension0/max"] = 5
        header["dimensionRanges/dimension1/min"] = 0
        header["dimensionRanges/dimension1/max"] = 3
        header["dimensionRanges/dimension1/unitScale"] = 5.0
        header["dimensionRanges/dimension0/unitScale"] = 0.008
    expect_optodas("optodas")
    with create("optodas-turned") as file:
        # A time that is no multiple of a nanosecond, float32 as the instrument has it, and chunks.
        file.create_dataset("data", data=numbers((4, 6), "f4"), chunks=(3, 4), compression="gzip", shuffle=True)
        file["data"].attrs["units"] = "days since 2000-01-01"
        optodas_header(file, ["distance", "time"], [4, 6], dt=np.float32(0.001), time=1774699200.1234567, dataScale=np.float32(0.1))
    expect_optodas("optodas-turned")
    with create("optodas-gaps") as file:
        file["data"] = numbers((6, 4), "i2")
        file["distance"] = np.arange(4) * 100
        optodas_header(file, ["time", "distance"], [6, 4], missing=[3])
    expect_optodas("optodas-gaps")
    with create("optodas-other-sizes") as file:
        file["data"] = numbers((6, 4), "i2")
        optodas_header(file, ["time", "distance"], [6, 5])


def expect_optodas(name):
    """The rows with the convention, from its definition."""
    path = HERE / f"{name}.h5"
    arrays = []
    with h5py.File(path) as file:
        walk(file, "", arrays, path, [0])
        header = file["header"]
        names = [each.decode() for each in header["dimensionNames"][...]]
        sizes = dict(zip(names, file["data"].shape))
        had = {array.name for array in arrays if array is not None}
        arrays = [array for array in arrays if array is not None and array.name != "data"]
        values = file["data"][...]
        if "dataScale" in header:
            values = values.astype("f8") * float(header["dataScale"][()])
        arrays.append(Array("data", sizes, pa.array(values.ravel())))
        if "time" not in had and header["missingSamples"].size == 0:
            start, step = (round(float(header[each][()]) * 1e9) for each in ("time", "dt"))
            times = [start + index * step for index in range(sizes["time"])]
            arrays.append(Array("time", {"time": sizes["time"]}, pa.array(times, pa.timestamp("ns"))))
        if "distance" not in had:
            ranges = header[f"dimensionRanges/dimension{names.index('distance')}"]
            low, high, unit = (float(ranges[each][()]) for each in ("min", "max", "unitScale"))
            count = sizes["distance"]
            positions = [(low + index * (high - low) / (count - 1)) * unit for index in range(count)]
            arrays.append(Array("distance", {"distance": count}, pa.array(positions)))
    arrays.sort(key=lambda array: array.name.encode())
    write_rows(HERE / f"{name}@optodas.expected.arrow.gz", rows_of(kept(arrays)))


def refused():
    """Files that are refused, without rows."""
    with create("refused-external-storage") as file:
        file.create_dataset("v", (4,), "u1", external=[("/etc/hostname", 0, 4)])
    with create("refused-external-link") as file:
        file["v"] = np.arange(3)
        file["other"] = h5py.ExternalLink("groups.h5", "/station_id")
    with create("refused-virtual", libver="v110") as file:
        properties = creation()
        whole = h5py.h5s.create_simple((3,))
        properties.set_virtual(whole, b"groups.h5", b"station_id", whole)
        h5py.h5d.create(file.id, b"v", h5py.h5t.NATIVE_INT32, whole, properties)
    with create("refused-filter") as file:
        # A codec that is registered and that no table of the service has.
        properties = creation()
        properties.set_chunk((4,))
        properties.set_filter(32018, h5py.h5z.FLAG_OPTIONAL, (0, 0))
        made = h5py.h5d.create(file.id, b"v", h5py.h5t.NATIVE_INT32, h5py.h5s.create_simple((8,)), properties)
        made.write_direct_chunk((0,), b"\0" * 7, filter_mask=0)
    with create("refused-nbit") as file:
        narrow = h5py.h5t.NATIVE_INT32.copy()
        narrow.set_precision(20)
        properties = creation()
        properties.set_chunk((4,))
        properties.set_filter(h5py.h5z.FILTER_NBIT, 0, ())
        made = h5py.h5d.create(file.id, b"v", narrow, h5py.h5s.create_simple((8,)), properties)
        made.write(h5py.h5s.ALL, h5py.h5s.ALL, np.arange(8, dtype="i4"))
    with create("refused-narrow") as file:
        h5t = h5py.h5t
        values = np.array([0, 1, 2, 3], "i4")
        axes(file, n=4)
        raw(file, "twenty_bits", changed(h5t.STD_I32LE, precision=20), values, "n")
        raw(file, "from_bit_four", changed(h5t.STD_U16BE, precision=10, offset=4), values.astype("u2"), "n")
        # HDF5 2.0 does not open a dataset of which less than half of the bits are used.
        for name, precision, scales in (("pair", 16, ["n"]), ("unopened", 12, [])):
            pair = h5t.create(h5t.COMPOUND, 8)
            pair.insert(b"whole", 0, h5t.STD_I32LE)
            pair.insert(b"narrow", 4, changed(h5t.STD_I32LE, precision=precision))
            raw(file, name, pair, np.zeros(4, "V8"), *scales)
        made = raw(file, "whole", h5t.STD_I32LE, values, "n")
        for name, stored in (("wide", h5t.STD_I32LE), ("narrow", changed(h5t.STD_I32LE, precision=20))):
            attribute = h5py.h5a.create(made.id, name.encode(), stored, h5py.h5s.create(h5py.h5s.SCALAR))
            attribute.write(np.array(7, "i4"), h5t.STD_I32LE)


HERE.mkdir(parents=True, exist_ok=True)
for library in LIBRARIES:
    layouts(library)
for library in ("earliest", "v110", "v200"):
    many_chunks(library)
for make in (unwritten, filters, types, kinds, shared, attributes, packed, groups, compounds, user_blocks, optodas, refused):
    make()
sys.stdout.write(f"{len(list(HERE.iterdir()))} files, {sum(each.stat().st_size for each in HERE.iterdir())} bytes\n")
