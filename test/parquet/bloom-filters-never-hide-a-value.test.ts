import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import t from 'tap'
import { all, any, negation } from '../../src/plan/condition/combine.ts'
import { compareScalars } from '../../src/plan/condition/compare.ts'
import { type Condition, compare, isNull, isOneOf } from '../../src/plan/condition/condition.ts'
import { columnExpression } from '../../src/plan/expression.ts'
import type { Scalar } from '../../src/plan/types/scalar.ts'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { readFooter } from '../../src/workers/formats/parquet/metadata/footer.ts'
import {
  bloomFilterHeader,
  fileMetaData,
  PhysicalType,
  Repetition,
} from '../../src/workers/formats/parquet/metadata/metadata.ts'
import { encode } from '../../src/workers/formats/parquet/metadata/thrift.ts'
import { createParquet } from '../../src/workers/formats/parquet/parquet.ts'
import { xxhash64 } from '../../src/workers/formats/parquet/statistics/xxhash64.ts'
import { readContext } from '../formats/context.ts'
import { memorySource } from '../formats/source.ts'
import { writeParquet } from './write-parquet.ts'

const core = createCore({ maximumBytes: 64 << 20 })
const context = readContext(core)
const provider = createParquet({ smallChunk: 0, indexedChunk: 0, together: 0 })

t.test('values are hashed by xxHash64', async (t) => {
  // xxhash_spec.md and the vectors of its implementations.
  for (const [text, hash] of [
    ['', 0xef46db3751d8e999n],
    ['abc', 0x44bc2cf5ad770999n],
    ['Nobody inspects the spammish repetition', 0xfbcea83c8a378bf1n],
  ] as const)
    t.equal(xxhash64(Buffer.from(text)), hash)
})

const int = (value: bigint | number): Scalar => ({ kind: 'int', value: BigInt(value) })
const float = (value: number): Scalar => ({ kind: 'float', value })
const bytes = (value: Uint8Array): Scalar => ({ kind: 'bytes', value })
const HOUR = 3_600_000_000n
const YEAR_2020 = 1_577_836_800_000_000n

/** Columns of 50 values: the type, and the value of each number. Even numbers are in the file, odd ones lie between them. */
const COLUMNS: Readonly<Record<string, readonly [sql: string, value: (n: number) => Scalar]>> = {
  i8: ['n::tinyint', int],
  i16: ['n::smallint', int],
  i32: ['(n - 50)::integer', (n) => int(n - 50)],
  i64: ['(n * 1000000007 - 5)::bigint', (n) => int(BigInt(n) * 1_000_000_007n - 5n)],
  u32: ['(n + 4294967100)::uinteger', (n) => int(n + 4_294_967_100)],
  u64: ['(n + 18446744073709551500)::ubigint', (n) => int(BigInt(n) + 18_446_744_073_709_551_500n)],
  f32: ['(n / 7)::float', (n) => float(Math.fround(n / 7))],
  f64: ['n / 7', (n) => float(n / 7)],
  text: [`'text ' || n || repeat('x', n)`, (n) => bytes(Buffer.from(`text ${n}${'x'.repeat(n)}`))],
  binary: [`('b' || n)::blob`, (n) => bytes(Buffer.from(`b${n}`))],
  date: [`date '2020-01-01' + n::int`, (n) => int(18_262 + n)],
  timestamp: [`timestamp '2020-01-01' + to_hours(n)`, (n) => int(YEAR_2020 + BigInt(n) * HOUR)],
  instant: [`(timestamp '2020-01-01' + to_hours(n))::timestamptz`, (n) => int(YEAR_2020 + BigInt(n) * HOUR)],
  time: [`time '10:00' + to_minutes(n)`, (n) => int((600n + BigInt(n)) * 60_000_000n)],
  decimal9: ['n::decimal(9, 2)', (n) => int(n * 100)],
  decimal18: ['n::decimal(18, 2)', (n) => int(n * 100)],
  uuid: ['md5(n::varchar)::uuid', (n) => bytes(createHash('md5').update(String(n)).digest())],
}

t.test('a value that is there is found, one that is not mostly costs no read', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'bloom-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const connection = await (await DuckDBInstance.create()).connect()
  await connection.run(`SET TimeZone = 'UTC'`)
  const list = Object.entries(COLUMNS).map(([name, [sql]]) => `${sql} AS ${name}`)
  const location = join(folder, 'bloom.parquet')
  await connection.run(
    `COPY (SELECT ${list} FROM (SELECT i % 50 * 2 AS n FROM range(5000) t(i))) TO '${location}' (FORMAT parquet)`,
  )
  const source = memorySource(readFileSync(location))
  const file = provider.open(source, context)
  const prune = (filter: Condition) => {
    source.reads.length = 0
    return file.prune?.(
      source,
      { kind: 'rows', segment: 0, from: 0, to: 5000 },
      filter,
      file.schema.fields,
      context,
    )
  }
  for (const { name, type } of file.schema.fields) {
    const value = COLUMNS[name]?.[1]
    if (value === undefined) continue
    const operand = columnExpression(name, type)
    const equals = (n: number): Condition => compare(operand, 'eq', value(n))
    const isIn = (...ns: number[]): Condition => isOneOf(operand, ns.map(value).toSorted(compareScalars))
    let excluded = 0
    for (let n = 0; n < 100; n += 2) {
      t.equal(prune(equals(n)), null, `${name} = value ${n}`)
      t.equal(prune(negation(equals(n + 1))), null)
      t.equal(prune(isIn(n, n + 1)), null)
      if (n < 98 && prune(equals(n + 1))?.length === 0) excluded++
      t.ok(source.reads.length <= 1, 'one read of its filter')
      t.ok(source.reads.every((each) => each < 4096))
    }
    t.ok(excluded > 35, `${name}: ${excluded} of 49 values that are not there are excluded`)
    t.same(prune(all([equals(2), isNull(operand)])), [], 'statistics go on to count')
  }
  const either: Condition = any(
    ['i32', 'text'].map((column): Condition => {
      const type = file.typeOf({ name: column, type: { kind: 'null' } }) ?? { kind: 'null' }
      const value = COLUMNS[column]?.[1](column === 'i32' ? 21 : 41) ?? int(0)
      return compare(columnExpression(column, type), 'eq', value)
    }),
  )
  t.same(prune(either), [])
})

type Header = Parameters<typeof bloomFilterHeader.write>[1]

const HEADER: Header = {
  bytes: 32,
  algorithm: { block: {} },
  hash: { xxHash: {} },
  compression: { uncompressed: {} },
}

/** The rows for which `v = 3` may be true in a file of the INT32 values 0 to 9, with this filter after its pages. */
function pruneBy(filter: Uint8Array, range: { offset?: number; length?: number } = {}) {
  const pages = writeParquet(
    [
      { name: 'schema', children: 1 },
      { name: 'v', type: PhysicalType.int32, repetition: Repetition.required },
    ],
    [
      {
        path: ['v'],
        type: PhysicalType.int32,
        maxDefinition: 0,
        maxRepetition: 0,
        pages: [
          {
            version: 1,
            levels: Array.from({ length: 10 }, (_, value) => ({ repetition: 0, definition: 0, value })),
          },
        ],
      },
    ],
    10,
  )
  const metadata = readFooter(memorySource(pages))
  const { offset = pages.length, length = filter.length } = range
  const footer = encode(fileMetaData, {
    ...metadata,
    rowGroups: metadata.rowGroups.map((group) => ({
      ...group,
      columns: group.columns.map((column) => ({
        ...column,
        ...(column.metaData && {
          metaData: {
            ...column.metaData,
            bloomFilterOffset: offset,
            ...(length !== 0 && { bloomFilterLength: length }),
          },
        }),
      })),
    })),
  })
  const trailer = Buffer.alloc(8, 'PAR1PAR1')
  trailer.writeUInt32LE(footer.length, 0)
  const source = memorySource(Buffer.concat([pages, filter, footer, trailer]))
  const file = provider.open(source, context)
  const [column] = file.schema.fields
  if (column === undefined) throw new Error('no column')
  const operand = columnExpression('v', column.type)
  const equals: Condition = compare(operand, 'eq', int(3))
  return file.prune?.(source, { kind: 'rows', segment: 0, from: 0, to: 10 }, equals, [column], context)
}

t.test('what is not a filter excludes nothing', async (t) => {
  const filter = (header: Partial<Header>, bytes = 32): Uint8Array =>
    Buffer.concat([encode(bloomFilterHeader, { ...HEADER, ...header }), Buffer.alloc(bytes)])
  const none = filter({})
  t.same(pruneBy(none), [], 'an empty filter excludes everything')
  t.same(pruneBy(none, { length: 0 }), [], 'also where its length is not known')
  t.same(pruneBy(filter({ bytes: 1 << 20 }, 1 << 20)), [], 'or large')
  t.equal(pruneBy(Buffer.concat([none.subarray(0, -32), Buffer.alloc(32, 255)])), null, 'a full one nothing')
  for (const header of [
    { bytes: 0 },
    { bytes: -32 },
    { bytes: 31 },
    { bytes: 64 },
    { bytes: 1 << 30 },
    { algorithm: {} },
    { hash: {} },
    { compression: {} },
  ]) {
    t.equal(pruneBy(filter(header)), null, JSON.stringify(header))
  }
  for (const range of [
    { offset: 1 << 30 },
    { offset: -1 },
    { offset: 0 },
    { length: -1 },
    { length: 1 << 30 },
    { length: none.length - 1 },
    { length: 5 },
  ])
    t.equal(pruneBy(none, range), null, JSON.stringify(range))
  for (let at = 0; at < none.length - 32; at++) {
    const cut = Uint8Array.from(none)
    cut[at] = 255
    t.equal(pruneBy(cut), null, `byte ${at} is damaged`)
  }
})
