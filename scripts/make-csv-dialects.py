"""Writes test/fixtures/csv-dialects: small files as data centres write them, and beside each what pandas reads from it.

Run with a Python that has pandas and pyarrow. The files are written by hand, after the formats of USGS water data (RDB), ERDDAP
(CSV with units), the climate data centre of DWD, a German gauge, PANGAEA (tab), KNMI, Météo-France, and the buoys of NDBC (aligned). `<name>.json` has the
options with which the service reads a file, `<name>.expected.arrow.gz` the rows as an Arrow IPC stream, in the types that the
service infers.
"""

import gzip
import io
import json
import pathlib

import pandas as pd
import pyarrow as pa

HERE = pathlib.Path(__file__).parent.parent / "test" / "fixtures" / "csv-dialects"
HERE.mkdir(parents=True, exist_ok=True)

INT, FLOAT, TEXT, DAY, TIME = pa.int64(), pa.float64(), pa.string(), pa.date32(), pa.timestamp("s")


def write(name, text, options, types, encoding="utf-8", times={}, drop=(), **reading):
    """`types`: those of the columns, in order. `times`: the form of columns of dates and times. `reading`: pandas' own options."""
    data = text.encode(encoding)
    (HERE / f"{name}.txt").write_bytes(data)
    (HERE / f"{name}.json").write_text(json.dumps(options, ensure_ascii=False) + "\n")
    frame = pd.read_csv(
        io.BytesIO(data),
        encoding=encoding,
        keep_default_na=False,
        dtype={column: str for column, type in types.items() if type in (TEXT, DAY, TIME)},
        **reading,
    )
    columns = {}
    for column, type in types.items():
        values = frame[column]
        if column in times:
            values = pd.to_datetime(values.str.strip(), format=times[column], errors="coerce", utc=True).dt.tz_localize(None)
        if type == INT:
            values = values.astype("Int64")
        columns[column] = pa.Array.from_pandas(values.replace("", None) if type == TEXT else values).cast(type, safe=False)
    table = pa.table(columns)
    assert list(frame.columns) == list(types), list(frame.columns)
    stream = io.BytesIO()
    with pa.ipc.new_stream(stream, table.schema) as writer:
        writer.write_table(table)
    (HERE / f"{name}.expected.arrow.gz").write_bytes(gzip.compress(stream.getvalue(), mtime=0))


write(
    "usgs-rdb",
    "# ---------------------------------- WARNING ----------------------------------------\n"
    "# Some of the data may not be \"final\",\tand is subject to revision\n"
    "#\n"
    "agency_cd\tsite_no\tdatetime\ttz_cd\t69928_00060\t69928_00060_cd\n"
    "5s\t15s\t20d\t6s\t14n\t10s\n"
    "USGS\t01646500\t2024-02-29 00:00\tEST\t8460\tA\n"
    "USGS\t01646500\t2024-02-29 00:15\tEST\tIce\tA:e\n"
    "# a remark in between\n"
    "USGS\t01646500\t2024-02-29 00:30\tEST\t8520\t\n",
    {"delimiter": "auto", "comment": "#", "units": True, "na": ["Ice", "Eqp"]},
    {"agency_cd": TEXT, "site_no": TEXT, "datetime": TIME, "tz_cd": TEXT, "69928_00060": INT, "69928_00060_cd": TEXT},
    times={"datetime": "%Y-%m-%d %H:%M"},
    sep="\t", comment="#", skiprows=[4], na_values={"69928_00060": ["Ice"]},
)

write(
    "erddap",
    "time,latitude,longitude,station,WTMP,WSPD\n"
    "UTC,degrees_north,degrees_east,,degree_C,m s-1\n"
    "2024-02-29T12:00:00Z,36.785,-122.398,46042,NaN,4.1\n"
    "2024-02-29T13:00:00Z,36.785,-122.398,46042,13.2,NaN\n"
    "2024-02-29T14:00:00Z,36.785,-122.398,46042,13.1,3.9\n",
    {"units": True},
    {"time": TIME, "latitude": FLOAT, "longitude": FLOAT, "station": INT, "WTMP": FLOAT, "WSPD": FLOAT},
    times={"time": "%Y-%m-%dT%H:%M:%SZ"},
    skiprows=[1],
)

write(
    "dwd",
    "STATIONS_ID;MESS_DATUM;QN_9;TT_TU;RF_TU;eor\r\n"
    "         44;2007040100;    5;   8.1;  91.0;eor\r\n"
    "         44;2007040101;    5;  -0.4;-999;eor\r\n"
    "         44;2007040123;    5;-999;  90.0;eor\r\n",
    {"delimiter": ";", "na": ["-999"], "date_format": "%Y%m%d%H", "encoding": "latin-1"},
    {"STATIONS_ID": INT, "MESS_DATUM": TIME, "QN_9": INT, "TT_TU": FLOAT, "RF_TU": FLOAT, "eor": TEXT},
    encoding="latin-1", times={"MESS_DATUM": "%Y%m%d%H"},
    sep=";", na_values={"TT_TU": [-999], "RF_TU": [-999]}, skipinitialspace=True,
)

write(
    "pegel",
    "Pegel: Büsum\nBetreiber: WSV; Küste\n\n"
    "Datum;Wasserstand [cm];Strömung;Qualität;Bemerkung\n"
    "29.02.2024 12:00;512,5;0,31;1;\"Sturm; Messung \"\"unsicher\"\"\"\n"
    "29.02.2024 12:10;-;0,29;2;\n"
    "01.03.2024 00:00;498,25;-;1;größer €\n",
    {"delimiter": "auto", "skip": 3, "decimal": ",", "na": "-", "date_format": "%d.%m.%Y %H:%M", "encoding": "windows-1252"},
    {"Datum": TIME, "Wasserstand [cm]": FLOAT, "Strömung": FLOAT, "Qualität": INT, "Bemerkung": TEXT},
    encoding="windows-1252", times={"Datum": "%d.%m.%Y %H:%M"},
    sep=";", skiprows=3, decimal=",", na_values=["-"],
)

write(
    "pangaea",
    "/* DATA DESCRIPTION:\nCitation:\tAlfred, W (2024): CTD \"profiles\"\n*/\n"
    "Event\tDate/Time\tDepth water [m]\tTemp [°C]\n"
    "PS\"117_1\t2018-12-20T09:41\t10\t-1.71\n"
    "PS117_1\t2018-12-20T09:41\t20\t\n"
    "PS117_2\t2018-12-21T10:05\t10\t-1.684\n",
    {"delimiter": "\\t", "skip": 3, "quote": ""},
    {"Event": TEXT, "Date/Time": TIME, "Depth water [m]": INT, "Temp [°C]": FLOAT},
    times={"Date/Time": "%Y-%m-%dT%H:%M"},
    sep="\t", skiprows=3, quoting=3, na_values={"Temp [°C]": [""]},
)

write(
    "knmi",
    "# SOURCE: ROYAL NETHERLANDS METEOROLOGICAL INSTITUTE (KNMI)\n"
    "# FG   = Daily mean windspeed (in 0.1 m/s); \"E\" is estimated\n"
    "# STN,YYYYMMDD,   FG,   TG,   RH\n"
    "  260,20240228,   31,   69,    0\n"
    "  260,20240229,   42,   -7,     \n"
    "  260,20240301,     ,   81,   12\n",
    {"comment": "#", "header": ["STN", "YYYYMMDD", "FG", "TG", "RH"], "date_format": "%Y%m%d"},
    {"STN": INT, "YYYYMMDD": DAY, "FG": INT, "TG": INT, "RH": INT},
    times={"YYYYMMDD": "%Y%m%d"},
    comment="#", names=["STN", "YYYYMMDD", "FG", "TG", "RH"], skipinitialspace=True, na_values=[""],
)

write(
    "meteofrance",
    "numer_sta;date;pmer;t;nom\n"
    "07005;20240229000000;100970;279.85;ABBEVILLE\n"
    "07015;20240229030000;mq;mq;L'AIGLE\n"
    "07020;20240229060000;101010;281.150000;LA \"HAGUE\"\n",
    {"delimiter": ";", "na": ["mq"], "date_format": "%Y%m%d%H%M%S", "quote": ""},
    {"numer_sta": TEXT, "date": TIME, "pmer": INT, "t": FLOAT, "nom": TEXT},
    times={"date": "%Y%m%d%H%M%S"},
    sep=";", na_values=["mq"], quoting=3,
)

write(
    "ndbc",
    "#YY  MM DD hh mm WDIR WSPD GST  WVHT   DPD   PRES  ATMP  WTMP\n"
    "#yr  mo dy hr mn degT m/s  m/s     m   sec    hPa  degC  degC\n"
    "2024 02 29 23 50 240  6.0  8.0   2.4    13 1013.2  12.9  13.1\n"
    "2024 02 29 23 40 999   MM   MM    MM    MM 1013.1  12.9    MM\n"
    "\n"
    "2024 03  1 00 00  90  0.5\t1.0   2.3    12 1013.0    MM  -0.1   \n"
    "  \t\n"
    " 2024 03  1 00 10  90  0.5\t1.0   2.3    12 1013.0    MM  -0.1",
    {"delimiter": "whitespace", "units": True, "na": ["MM"], "types": {"MM": "Int64", "DD": "Int64", "hh": "Int64", "mm": "Int64"}},
    {"#YY": INT, "MM": INT, "DD": INT, "hh": INT, "mm": INT, "WDIR": INT, "WSPD": FLOAT, "GST": FLOAT, "WVHT": FLOAT, "DPD": INT,
     "PRES": FLOAT, "ATMP": FLOAT, "WTMP": FLOAT},
    sep=r"\s+", skiprows=[1], na_values=["MM"],
)
