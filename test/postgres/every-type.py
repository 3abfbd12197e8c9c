# Fills a table with generated values of every type, and compares what the service answers of it with what psycopg reads.
# usage: every-type.py fill|compare POSTGRES_URL SERVICE_URL SEED
import datetime as dt, decimal, io, json, math, random, struct, sys, urllib.request, uuid
import psycopg

MODE, POSTGRES, SERVICE, SEED = sys.argv[1:]
rnd = random.Random(int(SEED))
UTC = dt.timezone.utc

def text():
    return ''.join(rnd.choice('abAB z\'"\\%_äß€😀\t\n,') for _ in range(rnd.choice([0, 1, 2, 3, 8])))

def instant():
    if rnd.random() < 0.2:
        return rnd.choice([dt.datetime(1, 1, 1), dt.datetime(9999, 12, 31, 23, 59, 59, 999999), dt.datetime(2000, 1, 1), dt.datetime(1970, 1, 1)])
    return dt.datetime(2000, 1, 1) + dt.timedelta(days=rnd.randint(-40000, 40000), microseconds=rnd.randint(0, 86_400_000_000 - 1))

def number(digits, scale):
    return decimal.Decimal(rnd.randint(-10**rnd.randint(0, digits) + 1, 10**rnd.randint(0, digits) - 1)).scaleb(-scale, decimal.Context(prec=100))

def real(width):
    special = [0.0, -0.0, math.inf, -math.inf, math.nan, 1e-300 if width == 8 else 1e-30, 1.5]
    value = rnd.choice(special) if rnd.random() < 0.3 else rnd.uniform(-1, 1) * 10.0 ** rnd.randint(-20, 20)
    return value if width == 8 else struct.unpack('f', struct.pack('f', value))[0]

def integer(bits):
    return rnd.choice([-2**(bits - 1), 2**(bits - 1) - 1, 0, rnd.randint(-100, 100), rnd.randint(-2**(bits - 1), 2**(bits - 1) - 1)])

def several(make):
    return lambda: [None if rnd.random() < 0.2 else make() for _ in range(rnd.choice([0, 1, 2, 5]))]

def interval():
    return f'{rnd.randint(-50, 50)} months {rnd.randint(-500, 500)} days {rnd.randint(-10**12, 10**12)} microseconds'

MOODS = ['sad', 'ok', 'happy']
COLUMNS = {
    'b': ('boolean', lambda: rnd.random() < 0.5),
    'i2': ('smallint', lambda: integer(16)),
    'i4': ('integer', lambda: integer(32)),
    'i8': ('bigint', lambda: integer(64)),
    'f4': ('real', lambda: real(4)),
    'f8': ('double precision', lambda: real(8)),
    't': ('text', text),
    'vc': ('varchar(20)', text),
    'ch': ('char(6)', lambda: rnd.choice(['', 'a', 'ab', 'a b', 'abcdef', '\t', 'é'])),
    'nm': ('name', text),
    'ci': ('text COLLATE nocase', text),
    'by': ('bytea', lambda: bytes(rnd.choice([0, 1, 92, 255]) for _ in range(rnd.randint(0, 4)))),
    'd': ('date', lambda: instant().date()),
    'tm': ('time', lambda: instant().time()),
    'ts': ('timestamp', instant),
    'tz': ('timestamptz', lambda: instant().replace(tzinfo=UTC)),
    'iv': ('interval', interval),
    'n9': ('numeric(9,4)', lambda: number(9, 4)),
    'n38': ('numeric(38,10)', lambda: number(38, 10)),
    'n50': ('numeric(50,5)', lambda: number(50, 5)),
    'nn': ('numeric(3,-2)', lambda: number(3, -2)),
    'nx': ('numeric', lambda: number(12, rnd.randint(0, 9))),
    'u': ('uuid', lambda: uuid.UUID(int=rnd.getrandbits(128))),
    'js': ('json', lambda: json.dumps({'a': text(), 'b': [1, None]})),
    'jb': ('jsonb', lambda: json.dumps({'a': text(), 'b': [1, None]})),
    'en': ('mood', lambda: rnd.choice(MOODS)),
    'dn': ('small_number', lambda: number(5, 2)),
    'ip': ('inet', lambda: f'10.0.0.{rnd.randint(0, 255)}'),
    'tt': ('timetz', lambda: f'12:00:00+0{rnd.randint(0, 9)}'),
    'ai': ('integer[]', several(lambda: integer(32))),
    'at': ('text[]', several(text)),
    'an': ('numeric(9,4)[]', several(lambda: number(9, 4))),
    'ad': ('timestamptz[]', several(lambda: instant().replace(tzinfo=UTC))),
    'ae': ('mood[]', several(lambda: rnd.choice(MOODS))),
}
ROWS = 400

def fill(connection):
    connection.execute("CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy')")
    connection.execute('CREATE DOMAIN small_number AS numeric(5,2)')
    connection.execute("CREATE COLLATION nocase (provider = icu, locale = 'und-u-ks-level2', deterministic = false)")
    connection.execute('CREATE TABLE types (id integer, ' + ', '.join(f'{name} {ty}' for name, (ty, _) in COLUMNS.items()) + ')')
    places = ', '.join(['%s'] + [f'%s::{ty.split(" COLLATE")[0]}' for ty, _ in COLUMNS.values()])
    rows = [[i] + [None if rnd.random() < 0.1 else make() for _, make in COLUMNS.values()] for i in range(ROWS)]
    with connection.cursor() as cursor:
        cursor.executemany(f'INSERT INTO types VALUES ({places})', rows)

def compare(connection):
    import pyarrow as pa
    query = {'sql': 'SELECT * FROM types', 'output': {'format': 'arrow'}}
    del query['output']
    request = urllib.request.Request(f'{SERVICE}/api/query', json.dumps(query).encode(), {'Content-Type': 'application/json'})
    with urllib.request.urlopen(request) as answer:
        table = pa.ipc.open_stream(answer).read_all()
    connection.execute("SET TIME ZONE 'UTC'")
    listed = ['id'] + list(COLUMNS)
    as_text = {'n50', 'js', 'jb', 'en', 'ip', 'tt'}
    expressions = [f'{c}::text' if c in as_text else f'{c}::float8' if c == 'nx' else f'{c}::text[]' if c == 'ae' else c for c in listed if c != 'iv']
    expressions += ["extract(year FROM iv)::int * 12 + extract(month FROM iv)::int", "extract(day FROM iv)::int", "(extract(epoch FROM iv - make_interval(months => extract(year FROM iv)::int * 12 + extract(month FROM iv)::int, days => extract(day FROM iv)::int)) * 1000000)::bigint"]
    rows = connection.execute('SELECT ' + ', '.join(expressions) + ' FROM types ORDER BY id').fetchall()
    assert table.column_names == listed, table.column_names
    types = {name: str(table.schema.field(name).type) for name in listed}
    expected = {'b': 'bool', 'i2': 'int16', 'i4': 'int32', 'i8': 'int64', 'f4': 'float', 'f8': 'double', 't': 'string', 'by': 'binary', 'd': 'date32[day]',
        'tm': 'time64[us]', 'ts': 'timestamp[us]', 'tz': 'timestamp[us, tz=UTC]', 'iv': 'month_day_nano_interval', 'n9': 'decimal128(9, 4)',
        'n38': 'decimal128(38, 10)', 'n50': 'string', 'nn': 'decimal128(5, 0)', 'nx': 'double', 'dn': 'decimal128(5, 2)'}
    for name, ty in expected.items():
        assert types[name] == ty, (name, types[name])
    found = sorted(zip(*[values(table[name]) for name in listed]), key=lambda row: row[0])
    order = [c for c in listed if c != 'iv']
    for row, other in zip(rows, found, strict=True):
        have = dict(zip(listed, other))
        for name, value in zip(order, row):
            if name == 'f4' and value is not None:
                value, have[name] = (struct.unpack('f', struct.pack('f', each))[0] for each in (value, have[name]))
            assert same(value, have[name]), (have['id'], name, value, have[name])
        months, days, micros = row[-3:]
        if have['iv'] is None:
            assert months is None
        else:
            assert (have['iv'].months, have['iv'].days, have['iv'].nanoseconds) == (months, days, micros * 1000), (row[-3:], have['iv'])
    print('the same', len(rows))

def values(column):
    import pyarrow as pa
    return column.to_pylist()

def same(a, b):
    if isinstance(a, float) and isinstance(b, float):
        return struct.pack('d', a) == struct.pack('d', b) or (math.isnan(a) and math.isnan(b))
    if isinstance(a, (bytes, memoryview)):
        return bytes(a) == b
    if isinstance(a, uuid.UUID):
        return a == (b if isinstance(b, uuid.UUID) else uuid.UUID(bytes=b) if isinstance(b, bytes) else uuid.UUID(b))
    if isinstance(a, dt.datetime) and a.tzinfo is not None:
        return b is not None and a.astimezone(UTC) == b.astimezone(UTC)
    if isinstance(a, list):
        return isinstance(b, list) and len(a) == len(b) and all(map(same, a, b))
    return type(a) is type(b) and a == b

with psycopg.connect(POSTGRES, autocommit=True) as connection:
    {'fill': fill, 'compare': compare}[MODE](connection)
