import t from 'tap'
import { parseTypeName } from '../../src/plan/types/parse-type-name.ts'
import { type DataType, field, type TimeUnit, typeName } from '../../src/plan/types/schema.ts'
import { testEngine } from '../sql/engine.ts'
import { startStatedService } from '../statements/asked-statements.ts'
import { fc } from '../support/generate.ts'

const { engine, prepare, run } = await testEngine()

/** Names of types, and those of the same type as answers have it. */
const TAKEN: readonly (readonly [name: string, shown?: string])[] = [
  ['Boolean'],
  ...['Int8', 'Int16', 'Int32', 'Int64', 'UInt8', 'UInt16', 'UInt32', 'UInt64'].map(
    (name) => [name] as const,
  ),
  ['Float32'],
  ['Float64'],
  ['Utf8'],
  ['LargeUtf8', 'Utf8'],
  ['Utf8View', 'Utf8'],
  ['Binary'],
  ['LargeBinary', 'Binary'],
  ['BinaryView', 'Binary'],
  ['UUID'],
  ['Date32'],
  ['Time64(Microsecond)', 'Time64(us)'],
  ['Timestamp(Second, None)', 'Timestamp(s)'],
  ['Timestamp(Millisecond)', 'Timestamp(ms)'],
  ['Timestamp(us)'],
  ['Timestamp(Nanosecond, None)', 'Timestamp(ns)'],
  ['Timestamp(Microsecond, Some("UTC"))', 'Timestamp(us, UTC)'],
  ['Timestamp(us, "+00:00")', 'Timestamp(us, UTC)'],
  ['Timestamp(us, UTC)'],
  ['Timestamp(Nanosecond, Some("UTC"))', 'Timestamp(ns, UTC)'],
  ['Interval(MonthDayNano)', 'Interval(month_day_nano)'],
  ['Decimal128(10, 2)'],
  ['Decimal128(38,38)', 'Decimal128(38, 38)'],
  ['Decimal32(9, 2)', 'Decimal128(9, 2)'],
  ['Decimal256(38, 0)', 'Decimal128(38, 0)'],
  ['Dictionary(Int32, Utf8)', 'Utf8'],
  ['List(Int64)', 'List<Int64>'],
  ['LargeList(nullable Utf8)', 'List<Utf8>'],
  ['FixedSizeList(2 x Float64)', 'FixedSizeList<Float64, 2>'],
  ['FixedSizeList<Int8, 2>'],
  ['Struct("a": Int8, "b c": List(Utf8))', 'Struct<a: Int8, b c: List<Utf8>>'],
  ['Map(Struct("key": Utf8, "value": Int8), unsorted)', 'Map<Struct<key: Utf8, value: Int8>>'],
]

t.test('a name gives a null of its type', async (t) => {
  for (const [name, shown = name] of TAKEN)
    for (const cast of ['arrow_cast', 'try_arrow_cast'])
      t.equal(typeOf(`${cast}(NULL, '${name}')`), shown, `${cast} ${name}`)
})

t.test('the name of a type is that of the column in the answer', async (t) => {
  const values = [
    ...[
      '1',
      "'a'",
      'NULL',
      'now()',
      '1::HUGEINT',
      '[1::HUGEINT]',
      'INTERVAL 1 DAY',
      "'1'::BIT",
      "'a'::ENUM('a')",
    ],
    ...["DATE '2024-01-01'", "TIME '12:00:00'", "TIMESTAMP_S '2024-01-01'", "TIMESTAMP_NS '2024-01-01'"],
    ...["{'a b': [1], 'c\"d': {'INTEGER': 'x'}, t: now()}", "map {'a': 1.5}", 'array_value([1], [2])', '1.5'],
    ...["'f59283a4-1f2b-4c3d-8e9f-0123456789ab'::UUID", 'row(1, now())'],
  ]
  for (const value of values) {
    const shown = typeOf(value)
    const [column] = prepare(`SELECT ${value} AS v`).output.fields
    engine.close('a')
    t.equal(shown, column && typeName(column.type), value)
  }
  t.match(messageOf("arrow_typeof(TIMETZ '12:00:00+00')"), /TIME WITH TIME ZONE/)
})

t.test('values are cast', async (t) => {
  const known: readonly (readonly [call: string, value: string | null])[] = [
    ["arrow_cast('5.254', 'Decimal128(10, 2)')", '5.25'],
    ["arrow_cast('2024-02-29', 'Timestamp(Second, None)')", '2024-02-29 00:00:00'],
    ["arrow_cast([1, 2], 'List(Utf8)')", '[1, 2]'],
    ["arrow_cast(NULL, 'Int8')", null],
    ["try_arrow_cast('abc', 'Int8')", null],
    ["try_arrow_cast(300, 'Int8')", null],
    ["try_arrow_cast(30, 'Int8')", '30'],
    ["try_arrow_cast('nan'::DOUBLE, 'Int64')", null],
  ]
  for (const [call, value] of known) t.equal(textOf(call), value, call)
  t.match(messageOf("arrow_cast('abc', 'Int8')"), /abc/)
  t.match(messageOf("arrow_cast(300, 'Int8')"), /300/)
  const rows = "SELECT try_arrow_cast(v, 'Int8')::VARCHAR AS x FROM (VALUES ('1'), ('b'), (NULL), ('3')) c(v)"
  t.same([...(run(rows).getChild('x') ?? [])], ['1', null, null, '3'])
  for (const name of ['x', 'arrow_type', 'type'])
    t.same(
      [
        ...(run(`SELECT arrow_cast("${name}", 'Int8') AS v FROM (VALUES ('1')) c("${name}")`).getChild('v') ??
          []),
      ],
      [1],
      name,
    )
})

t.test('what is no type, or none of DuckDB, is named with the nearest', async (t) => {
  const refused: readonly (readonly [name: string, ...parts: readonly string[]])[] = [
    ['Foo', '"Foo" is no Arrow type'],
    ['int64', '"int64" is no Arrow type', 'Int64?'],
    ['', '"" is no Arrow type'],
    ['Timestamp(hour)', '"Timestamp(hour)" is no Arrow type'],
    ['Time32(ns)', '"Time32(ns)" is no Arrow type'],
    ['List(Int64', '"List(Int64" is no Arrow type'],
    ['Interval(toString)', 'is no Arrow type'],
    ['Time64(constructor)', 'is no Arrow type'],
    [`${'List('.repeat(100)}Int8${')'.repeat(100)}`, 'is no Arrow type'],
    ['Float16', 'no type for Float16', 'Float32'],
    ['Date64', 'no type for Date64', 'Date32'],
    ['Time32(Second)', 'no type for Time32(Second)', 'Time64(us)'],
    ['Time64(ns)', 'Time64(us)'],
    ['Duration(Millisecond)', 'Interval(month_day_nano)'],
    ['Interval(YearMonth)', 'Interval(month_day_nano)'],
    ['FixedSizeBinary(4)', 'no type for FixedSizeBinary(4)', 'Binary'],
    ['Decimal256(50, 2)', 'Decimal128(38, 2)'],
    ['Decimal128(39, 0)', 'Decimal128(38, 0)'],
    ['Decimal128(10, -2)', 'Decimal128(10, 0)'],
    ['Decimal128(5, 7)', 'Decimal128(7, 7)'],
    ['Timestamp(us, "Europe/Paris")', 'Timestamp(us, UTC)'],
    ['Timestamp(ms, UTC)', 'Timestamp(us, UTC)'],
    ['List(Float16)', 'List<Float32>'],
    ['FixedSizeList(0 x Int8)', 'List<Int8>'],
    ['Null', 'Null'],
  ]
  for (const [name, ...parts] of refused)
    for (const cast of ['arrow_cast', 'try_arrow_cast']) {
      const message = messageOf(`${cast}(1, '${name}')`)
      for (const part of parts) t.match(message, part, name)
    }
  t.match(messageOf("arrow_cast(1, 'Int' || '8')"), 'as one literal')
  t.match(messageOf('arrow_cast(1, NULL)'), 'is a text')
  t.match(messageOf("arrow_cast(v, v) FROM (VALUES ('Int8')) c(v)"), 'constant text')
  const many = Array.from({ length: 300 }, (_, index) => `'FixedSizeList(${index + 1} x Int8)'`)
  t.match(messageOf(`arrow_cast(NULL, ${many[0]}), [${many}]`), 'at most 256')
})

t.test('one statement names others than the next', async (t) => {
  t.equal(typeOf("arrow_cast(1, 'Int8')"), 'Int8')
  t.equal(typeOf("arrow_cast(1, 'Int16')"), 'Int16')
  t.match(messageOf("arrow_cast(1, 'Int' || '8')"), 'as one literal')
  t.equal(typeOf("arrow_cast(arrow_cast(1, 'Int8'), 'Int16')"), 'Int16')
})

t.test('in views, in JSON and in EXPLAIN', async (t) => {
  const { state, post } = await startStatedService(t)
  t.equal(
    await state(
      "CREATE VIEW cast_values AS SELECT arrow_cast(range, 'Decimal128(10, 2)') AS d FROM range(3)",
    ),
    null,
  )
  t.equal(await state('CREATE VIEW sums AS SELECT sum(d) AS s FROM cast_values'), null)
  const answers: readonly (readonly [query: object, answer: string])[] = [
    [{ sql: 'SELECT arrow_typeof(d) AS a FROM cast_values LIMIT 1' }, '"Decimal128(10, 2)"'],
    [{ sql: 'SELECT s AS a FROM sums' }, '3.00'],
    [{ sql: "SELECT arrow_cast(s, 'Int8') AS a FROM sums" }, '3'],
    [
      {
        from: 'cast_values',
        select: [{ function: 'arrow_cast', args: ['d', { value: 'Int32' }], alias: 'a' }],
        limit: 1,
      },
      '0',
    ],
    [
      {
        from: 'cast_values',
        select: [{ function: 'arrow_typeof', args: ['d'], alias: 'a' }],
        limit: 1,
      },
      '"Decimal128(10, 2)"',
    ],
  ]
  for (const [query, answer] of answers) {
    const response = await post({ ...query, output: { format: 'csv' } })
    t.equal(await response.text(), `a\n${answer}\n`, JSON.stringify(query))
  }
  const refused = await post({
    from: 'cast_values',
    select: [{ function: 'arrow_cast', args: ['d', { value: 'Foo' }], alias: 'a' }],
    output: { format: 'csv' },
  })
  t.equal(refused.status, 400)
  t.match(await refused.text(), 'is no Arrow type')
})

t.test('every name that is printed is read again', async () => {
  const unit = fc.constantFrom<TimeUnit>('second', 'millisecond', 'microsecond', 'nanosecond')
  const { type } = fc.letrec<{ type: DataType }>((tie) => ({
    type: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom<DataType>(
        { kind: 'null' },
        { kind: 'bool' },
        { kind: 'utf8' },
        { kind: 'binary' },
        { kind: 'uuid' },
        { kind: 'date', unit: 'day' },
        { kind: 'date', unit: 'millisecond' },
        { kind: 'interval', unit: 'day_time' },
        { kind: 'interval', unit: 'month_day_nano' },
      ),
      fc
        .tuple(fc.constantFrom<8 | 16 | 32 | 64>(8, 16, 32, 64), fc.boolean())
        .map(([bits, signed]): DataType => ({ kind: 'int', bits, signed })),
      fc.constantFrom<16 | 32 | 64>(16, 32, 64).map((bits): DataType => ({ kind: 'float', bits })),
      fc
        .tuple(
          fc.constantFrom<32 | 64 | 128 | 256>(32, 64, 128, 256),
          fc.integer({ min: 1, max: 76 }),
          fc.integer({ min: -76, max: 76 }),
        )
        .map(([bits, precision, scale]): DataType => ({ kind: 'decimal', bits, precision, scale })),
      fc.nat({ max: 999_999_999 }).map((width): DataType => ({ kind: 'fixed_binary', width })),
      unit.map((unit): DataType => ({ kind: 'time', unit })),
      unit.map((unit): DataType => ({ kind: 'duration', unit })),
      fc
        .tuple(unit, fc.constantFrom(null, 'UTC', '+05:30', 'Europe/Paris', 'America/Port-au-Prince'))
        .map(([unit, zone]): DataType => ({ kind: 'timestamp', unit, zone })),
      tie('type').map((item): DataType => ({ kind: 'list', item: field('item', item) })),
      tie('type').map((item): DataType => ({ kind: 'large_list', item: field('item', item) })),
      fc
        .tuple(tie('type'), fc.integer({ min: 0, max: 99_999 }))
        .map(([item, size]): DataType => ({ kind: 'fixed_list', item: field('item', item), size })),
      fc
        .array(fc.tuple(fc.stringMatching(/^[a-z][a-z0-9_ ]*$/), tie('type')), { minLength: 1, maxLength: 3 })
        .map(
          (fields): DataType => ({ kind: 'struct', fields: fields.map(([name, each]) => field(name, each)) }),
        ),
    ),
  }))
  fc.assert(
    fc.property(type, (type) => {
      const name = typeName(type)
      const read = parseTypeName(name)
      return read !== null && typeName(read) === name
    }),
  )
  fc.assert(
    fc.property(fc.string({ maxLength: 40 }), (text) => {
      parseTypeName(text)
      parseTypeName(`List(${text})`)
      parseTypeName(`Struct(${text})`)
    }),
  )
})

function typeOf(expression: string): string {
  return String(run(`SELECT arrow_typeof(${expression}) AS v`).getChild('v')?.get(0))
}

function textOf(expression: string): string | null {
  return run(`SELECT (${expression})::VARCHAR AS v`).getChild('v')?.get(0) ?? null
}

function messageOf(expression: string): string {
  try {
    run(`SELECT ${expression}`)
    return `${expression} is no error`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
