# Fills a table with generated values of every type, and compares what the service answers of it with what pymysql reads.
# usage: every-type.py fill|compare HOST PORT USER PASSWORD DATABASE SERVICE_URL SEED
import datetime as dt, decimal, json, math, random, struct, sys, urllib.request, uuid
import pymysql

MODE, HOST, PORT, USER, PASSWORD, DATABASE, SERVICE, SEED = sys.argv[1:]
rnd = random.Random(int(SEED))
UTC = dt.timezone.utc

def text(letters='abAB z\'"\\%_äß€😀\t\n,'):
    return ''.join(rnd.choice(letters) for _ in range(rnd.choice([0, 1, 2, 3, 8])))

def instant(first, last):
    if rnd.random() < 0.2:
        return rnd.choice([first, last, dt.datetime(2000, 1, 1), dt.datetime(1990, 1, 1, 1)])
    span = (last - first) // dt.timedelta(microseconds=1)
    return first + dt.timedelta(microseconds=rnd.randint(0, span))

def anytime():
    return instant(dt.datetime(1, 1, 1), dt.datetime(9999, 12, 31, 23, 59, 59, 999999))

def stamp():
    return instant(dt.datetime(1970, 1, 1, 0, 0, 1), dt.datetime(2038, 1, 19, 3, 14, 7, 999999))

def number(digits, scale):
    return decimal.Decimal(rnd.randint(-10**rnd.randint(0, digits) + 1, 10**rnd.randint(0, digits) - 1)).scaleb(-scale, decimal.Context(prec=100))

def real(width):
    special = [0.0, -0.0, 1e-300 if width == 8 else 1e-30, 1.5, 0.1]
    value = rnd.choice(special) if rnd.random() < 0.3 else rnd.uniform(-1, 1) * 10.0 ** rnd.randint(-20, 20)
    return value if width == 8 else struct.unpack('f', struct.pack('f', value))[0]

def signed(bits):
    return lambda: rnd.choice([-2**(bits - 1), 2**(bits - 1) - 1, 0, rnd.randint(-100, 100), rnd.randint(-2**(bits - 1), 2**(bits - 1) - 1)])

def unsigned(bits):
    return lambda: rnd.choice([0, 2**bits - 1, 2**(bits - 1), rnd.randint(0, 100), rnd.randint(0, 2**bits - 1)])

def octets(most):
    return lambda: bytes(rnd.choice([0, 1, 32, 92, 255]) for _ in range(rnd.randint(0, most)))

def clock():
    seconds = rnd.randint(-838 * 3600, 838 * 3600)
    return f"{'-' if seconds < 0 else ''}{abs(seconds) // 3600:02}:{abs(seconds) // 60 % 60:02}:{abs(seconds) % 60:02}.{rnd.randint(0, 999):03}"

MOODS = ['sad', 'ok', 'Happy']
# Its type there, a value, its type here, and what pymysql is to read: the expression of the column.
COLUMNS = {
    't1': ('tinyint', signed(8), 'int8', None),
    'u1': ('tinyint unsigned', unsigned(8), 'uint8', None),
    't2': ('smallint', signed(16), 'int16', None),
    'u2': ('smallint unsigned', unsigned(16), 'uint16', None),
    't3': ('mediumint', signed(24), 'int32', None),
    'u3': ('mediumint unsigned zerofill', unsigned(24), 'uint32', None),
    't4': ('int', signed(32), 'int32', None),
    'u4': ('int unsigned', unsigned(32), 'uint32', None),
    't8': ('bigint', signed(64), 'int64', None),
    'u8': ('bigint unsigned', unsigned(64), 'uint64', None),
    'f4': ('float', lambda: real(4), 'float', 'CAST(f4 AS DOUBLE)'),
    'f8': ('double', lambda: real(8), 'double', None),
    'n9': ('decimal(9,4)', lambda: number(9, 4), 'decimal128(9, 4)', None),
    'n38': ('decimal(38,10)', lambda: number(38, 10), 'decimal128(38, 10)', None),
    'n50': ('decimal(50,5)', lambda: number(50, 5), 'string', 'CAST(n50 AS CHAR)'),
    'nu': ('decimal(5,0) unsigned', lambda: abs(number(5, 0)), 'decimal128(5, 0)', None),
    'y': ('year', lambda: rnd.choice([0, 1901, 2155, rnd.randint(1950, 2050)]), 'int16', None),
    'b1': ('bit(1)', lambda: rnd.randint(0, 1), 'uint64', 'b1 + 0'),
    'b64': ('bit(64)', unsigned(64), 'uint64', 'b64 + 0'),
    'd': ('date', lambda: rnd.choice(ZEROS) if rnd.random() < 0.2 else anytime().date(), 'date32[day]', None),
    'dt': ('datetime(6)', lambda: rnd.choice(ZEROS) if rnd.random() < 0.2 else anytime(), 'timestamp[us]', None),
    'd0': ('datetime', lambda: anytime().replace(microsecond=0), 'timestamp[us]', None),
    'ts': ('timestamp(6) NULL', stamp, 'timestamp[us, tz=UTC]', None),
    'tm': ('time(3)', clock, 'string', 'CAST(tm AS CHAR)'),
    'c': ('char(6)', lambda: rnd.choice(['', 'a', 'ab', 'a b', 'abcdef', '\t', 'é', 'A']), 'string', None),
    'v': ('varchar(20)', text, 'string', None),
    'tx': ('text', text, 'string', None),
    'cb': ('varchar(20) COLLATE utf8mb4_bin', text, 'string', None),
    'cn': ('varchar(20) COLLATE utf8mb4_nopad_bin', text, 'string', None),
    'l1': ('varchar(20) CHARACTER SET latin1', lambda: text('abAB z\'"\\%_äß,é'), 'string', None),
    'u3t': ('varchar(20) CHARACTER SET utf8mb3', lambda: text('abAB z\'"\\%_äß€,'), 'string', None),
    'sj': ('varchar(20) CHARACTER SET sjis', lambda: text('abAB zカー,'), 'string', None),
    'en': ("enum('sad', 'ok', 'Happy')", lambda: rnd.choice(MOODS), 'string', None),
    'se': ("set('a', 'b', 'c')", lambda: ','.join(sorted(rnd.sample('abc', rnd.randint(0, 3)))), 'string', None),
    'js': ('json', lambda: json.dumps({'a': text(), 'b': [1, None]}), 'string', None),
    'bn': ('binary(4)', octets(4), 'binary', None),
    'vb': ('varbinary(10)', octets(10), 'binary', None),
    'bl': ('blob', octets(5), 'binary', None),
    'u': ('uuid', lambda: str(uuid.UUID(int=rnd.getrandbits(128))), None, None),
    'i6': ('inet6', lambda: f'2001:db8::{rnd.randint(1, 255):x}', 'string', None),
    'g': ('point', lambda: f'POINT({rnd.randint(-9, 9)} {rnd.randint(-9, 9)})', 'binary', 'ST_AsBinary(g)'),
}
ZEROS = ['0000-00-00', '2000-00-00', '2000-01-00']
ROWS = 400

def fill(connection):
    cursor = connection.cursor()
    cursor.execute("SET sql_mode = 'NO_AUTO_VALUE_ON_ZERO', time_zone = '+00:00'")
    cursor.execute('CREATE TABLE types (id integer, ' + ', '.join(f'{name} {ty}' for name, (ty, *_) in COLUMNS.items()) + ') CHARACTER SET utf8mb4')
    places = ', '.join(['%s'] + ['ST_GeomFromText(%s)' if name == 'g' else '%s' for name in COLUMNS])
    rows = [[i] + [None if rnd.random() < 0.1 else make() for _, make, *_ in COLUMNS.values()] for i in range(ROWS)]
    for row in rows:
        cursor.execute(f'INSERT INTO types VALUES ({places})', row)
    for name in ['t4', 'v', 'u8', 'f4', 'dt', 'l1', 'cb', 'd', 'n9', 'y', 'vb', 'u', 'c']:
        cursor.execute(f'CREATE INDEX of_{name} ON types ({name})')
    connection.commit()

def compare(connection):
    import pyarrow as pa
    request = urllib.request.Request(f'{SERVICE}/api/query', json.dumps({'sql': 'SELECT * FROM types'}).encode(), {'Content-Type': 'application/json'})
    try:
        with urllib.request.urlopen(request) as answer:
            table = pa.ipc.open_stream(answer).read_all()
    except urllib.error.HTTPError as error:
        raise AssertionError(error.read().decode()) from None
    cursor = connection.cursor()
    cursor.execute("SET time_zone = '+00:00'")
    listed = ['id'] + list(COLUMNS)
    cursor.execute('SELECT id, ' + ', '.join(expression or name for name, (*_, expression) in COLUMNS.items()) + ' FROM types ORDER BY id')
    rows = cursor.fetchall()
    assert table.column_names == listed, table.column_names
    for name, (_, _, ty, _) in COLUMNS.items():
        assert ty is None or str(table.schema.field(name).type) == ty, (name, table.schema.field(name).type)
    found = sorted(zip(*[table[name].to_pylist() for name in listed]), key=lambda row: row[0])
    for row, other in zip(rows, found, strict=True):
        for name, value, here in zip(listed, row, other):
            assert same(name, value, here), (row[0], name, value, here)
    print('the same', len(rows))

def same(name, a, b):
    if name in ('d', 'dt') and isinstance(a, str):
        # What pymysql cannot read as a date comes as text.
        return '-00' in a and b is None
    if name == 'u' and a is not None:
        return uuid.UUID(a) == (b if isinstance(b, uuid.UUID) else uuid.UUID(bytes=b) if isinstance(b, bytes) else uuid.UUID(b))
    if name == 'ts' and a is not None:
        return b is not None and a.replace(tzinfo=UTC) == b.astimezone(UTC)
    if isinstance(a, float) and isinstance(b, float):
        return struct.pack('d', a) == struct.pack('d', b)
    if isinstance(a, bytes):
        return a == b
    return type(a) is type(b) and a == b

connection = pymysql.connect(host=HOST, port=int(PORT), user=USER, password=PASSWORD, database=DATABASE, charset='utf8mb4')
{'fill': fill, 'compare': compare}[MODE](connection)
connection.close()
