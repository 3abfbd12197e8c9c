"""Writes test/fixtures/zones.json: what Python's zoneinfo says of every zone that ECMA-402 knows.

Run with a Python that has the package tzdata of the version of the time zone database that Node has (`process.versions.tz`; 2026c is
tzdata 2026.3), and with the names of the zones on standard input, as JSON: `Intl.supportedValuesOf('timeZone')`. Of each zone it has the
number of spans of one offset between 1800 and 2200, and a CRC-32 of their text. It also has local times in seconds around changes of the
clock, and which instants they are: of those that occur twice the last one, and those that are skipped by the offset from before.
"""

import datetime as dt
import json
import pathlib
import random
import sys
import zlib
import zoneinfo

import tzdata

TARGET = pathlib.Path(__file__).parent.parent / "test" / "fixtures" / "zones.json"
EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.timezone.utc)
STEP = 6 * 86_400
LOCAL_TIMES = 600


def seconds(year):
    return int((dt.datetime(year, 1, 1, tzinfo=dt.timezone.utc) - EPOCH).total_seconds())


FROM, TO = seconds(1800), seconds(2200)


def offset(zone, second):
    return int((EPOCH + dt.timedelta(seconds=second)).astimezone(zone).utcoffset().total_seconds())


def spans(zone):
    """The begin and the offset of each span."""
    found = [(FROM, offset(zone, FROM))]
    at = FROM
    while at < TO:
        end = min(at + STEP, TO)
        current = found[-1][1]
        if offset(zone, end) == current:
            at = end
            continue
        low, high = at, end
        while high - low > 1:
            middle = (low + high) // 2
            if offset(zone, middle) == current:
                low = middle
            else:
                high = middle
        found.append((high, offset(zone, high)))
        at = high
    return [each for each in found if each[0] < TO]


def instant(zone, local):
    """The instant of a local time. The second of two equal ones has `fold`; a skipped one must not have it."""
    naive = dt.datetime(1970, 1, 1) + dt.timedelta(seconds=local)
    first, last = (int((naive.replace(tzinfo=zone, fold=fold) - EPOCH).total_seconds()) for fold in (0, 1))
    return max(first, last)


def main():
    zoneinfo.reset_tzpath([str(pathlib.Path(tzdata.__file__).parent / "zoneinfo")])
    names = json.load(sys.stdin)
    chosen = random.Random(18)
    zones, local_times = {}, []
    for name in names:
        zone = zoneinfo.ZoneInfo(name)
        found = spans(zone)
        text = ";".join(f"{begin}:{value}" for begin, value in found)
        zones[name] = [len(found), zlib.crc32(text.encode())]
    while len(local_times) < LOCAL_TIMES:
        name = chosen.choice(names)
        zone = zoneinfo.ZoneInfo(name)
        changes = spans(zone)[1:]
        if not changes:
            continue
        begin, value = chosen.choice(changes)
        local = begin + value + chosen.choice([-3600, -1800, -1, 0, 1, 1799, chosen.randrange(-9000, 9000)])
        local_times.append([name, local, instant(zone, local)])
    lines = [
        "{",
        f'"version": "{tzdata.IANA_VERSION}", "from": {FROM}, "to": {TO},',
        '"zones": {',
        ",\n".join(f"{json.dumps(name)}: {json.dumps(found)}" for name, found in zones.items()),
        '},\n"localTimes": [',
        ",\n".join(json.dumps(each) for each in local_times),
        "]\n}\n",
    ]
    TARGET.write_text("\n".join(lines))


main()
