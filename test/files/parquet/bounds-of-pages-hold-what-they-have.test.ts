import t from 'tap'
import type { Scalar } from '../../../src/plan/types/scalar.ts'
import { type DataType, field, typeName } from '../../../src/plan/types/schema.ts'
import { createCore } from '../../../src/wasm/core/create-core.ts'
import type { ParquetBounds, ParquetColumnChunk } from '../../../src/workers/writers/parquet/chunk-summary.ts'
import { readSummary } from '../../../src/workers/writers/parquet/read-summary.ts'
import { encodeColumnChunk } from '../../../src/workers/writers/parquet/row-groups.ts'
import { type ParquetStorage, storageOf } from '../../../src/workers/writers/parquet/storage.ts'
import { columnOf } from '../../core/columns.ts'
import { fc } from '../../support/generate.ts'
import { COLUMN_SAMPLES } from './column-samples.ts'

const core = createCore({ maximumBytes: 256 << 20 })

const PAGE_ROWS = 20_000
const CUT = 64

const UTF8: DataType = { kind: 'utf8' }
const BINARY: DataType = { kind: 'binary' }
const INT32: DataType = { kind: 'int', bits: 32, signed: true }
const DOUBLE: DataType = { kind: 'float', bits: 64 }

const text = (value: string): Scalar => ({ kind: 'bytes', value: Buffer.from(value) })
const float = (value: number): Scalar => ({ kind: 'float', value })
const int = (value: number): Scalar => ({ kind: 'int', value: BigInt(value) })

/** What is told of the chunk of values that are each repeated so often. */
function told(type: DataType, values: readonly (Scalar | null)[], each = 1): ParquetColumnChunk {
  const parts = values.map((value) => core.constant(type, value, each))
  const column = core.concat(parts)
  const storage = storageOf(type)
  if (storage === null) throw new TypeError('a nested type')
  const chunk = encodeColumnChunk(core, column, field('c', type), 0, core.rows(column))
  for (const part of [...parts, column]) core.free(part)
  return readSummary(chunk.summary, storage)
}

/** A number or bytes, as they compare. */
type Key = bigint | number | Buffer

/** The value of a bound, as that of a scalar. */
function stored(bytes: Uint8Array, type: DataType, storage: ParquetStorage): Key {
  const buffer = Buffer.from(bytes)
  switch (storage.kind) {
    case 'boolean':
      return BigInt(buffer.readUInt8())
    case 'float':
      return buffer.readFloatLE()
    case 'double':
      return buffer.readDoubleLE()
    case 'int32':
    case 'int64': {
      const isUnsigned = type.kind === 'int' && !type.signed
      const value = BigInt(`0x${Buffer.from(buffer).reverse().toString('hex')}`)
      const days = isUnsigned ? value : BigInt.asIntN(8 * buffer.length, value)
      return type.kind === 'date' && type.unit === 'millisecond' ? days * 86_400_000n : days
    }
    default:
      if (type.kind === 'decimal')
        return BigInt.asIntN(8 * buffer.length, BigInt(`0x${buffer.toString('hex')}`))
      return buffer
  }
}

function keyOf(value: Scalar): Key {
  if (value.kind === 'bool') return value.value ? 1n : 0n
  return value.kind === 'bytes' ? Buffer.from(value.value) : value.value
}

function compare(a: Key, b: Key): number {
  if (a instanceof Buffer && b instanceof Buffer) return Buffer.compare(a, b)
  return a < b ? -1 : a > b ? 1 : 0
}

for (const { type, values } of COLUMN_SAMPLES) {
  const storage = storageOf(type)
  // Float16 is not compared here, and intervals have no order.
  if (storage === null || type.kind === 'interval' || (type.kind === 'float' && type.bits === 16)) continue
  t.test(`bounds of ${typeName(type)} are those of the values, or lie beyond them`, async (t) => {
    const rows = fc.array(fc.option(values, { freq: 4 }), { minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(rows, (rows) => {
        const { bounds, nulls, pages } = told(type, rows)
        t.equal(pages.length, 1)
        t.same(pages[0]?.bounds, bounds)
        t.equal(nulls, rows.filter((value) => value === null).length)
        const keys = rows.flatMap((value) => (value === null ? [] : [keyOf(value)]))
        const sorted = keys.filter((key) => !Number.isNaN(key)).toSorted(compare)
        const [least, greatest] = [sorted[0], sorted.at(-1)]
        if (bounds === null || least === undefined || greatest === undefined)
          return least === undefined ? bounds === null : isTooLong(greatest)
        const [low, high] = [bounds.least, bounds.greatest].map((bytes) => stored(bytes, type, storage))
        if (low === undefined || high === undefined) return false
        const isLowRight = bounds.isLeastExact ? compare(low, least) === 0 : compare(low, least) < 0
        const isHighRight = bounds.isGreatestExact
          ? compare(high, greatest) === 0
          : compare(high, greatest) > 0
        return isLowRight && isHighRight && bounds.least.length <= CUT && bounds.greatest.length <= CUT
      }),
      { numRuns: 30 },
    )
    t.equal(core.usedBytes(), 0)
  })
}

/** Whether no bound of the first bytes lies beyond the value. */
function isTooLong(value: Key | undefined): boolean {
  return value instanceof Buffer && value.length > CUT
}

t.test('a page has 20 000 rows, and less if its values are long', async (t) => {
  const long = told(UTF8, [text('a'), text('b'), text('c')], 15_000)
  t.same(
    long.pages.map(({ rows }) => rows),
    [PAGE_ROWS, PAGE_ROWS, 5000],
  )
  t.same(
    long.pages.map(({ firstRow }) => firstRow),
    [0, PAGE_ROWS, 2 * PAGE_ROWS],
  )
  t.equal(long.order, 'ascending')
  // Values that all differ have no dictionary.
  const values = Array.from({ length: 3000 }, (_, row) => text(`${row} `.padEnd(1000, 'x')))
  const { pages, dictionaryBytes, textBytes } = told(UTF8, values)
  t.equal(dictionaryBytes, 0)
  t.equal(textBytes, 3_000_000)
  for (const { rows } of pages) t.ok(rows * 1004 <= 1 << 20)
})

t.test('pages are in order if their bounds are', async (t) => {
  const numbers = [5, 4, 3, 2, 1].map(int)
  t.equal(told(INT32, numbers, PAGE_ROWS).order, 'descending')
  t.equal(told(INT32, [null, ...numbers, null], PAGE_ROWS).order, 'descending')
  t.equal(told(INT32, numbers.toReversed(), PAGE_ROWS).order, 'ascending')
  t.equal(told(INT32, [1, 3, 2].map(int), PAGE_ROWS).order, 'unordered')
  const { bounds } = told(INT32, [1, 3, 2].map(int), PAGE_ROWS)
  t.same(numbersOf(bounds), [1, 3])
})

function numbersOf(bounds: ParquetBounds | null): number[] {
  return [bounds?.least, bounds?.greatest].map((bytes) => Buffer.from(bytes ?? []).readInt32LE())
}

t.test('NaNs are no bounds, and zeros stand for both zeros', async (t) => {
  const nan = told(DOUBLE, [float(Number.NaN), float(1), null], PAGE_ROWS)
  t.same(
    nan.pages.map(({ bounds }) => bounds === null),
    [true, false, true],
  )
  t.not(nan.bounds, null)
  for (const zero of [0, -0]) {
    const { bounds } = told(DOUBLE, [float(zero)])
    t.ok(Object.is(Buffer.from(bounds?.least ?? []).readDoubleLE(), -0))
    t.ok(Object.is(Buffer.from(bounds?.greatest ?? []).readDoubleLE(), 0))
  }
  t.equal(told(DOUBLE, [float(Number.NaN)]).bounds, null)
})

t.test('long text is cut between characters, and what has no successor has no bounds', async (t) => {
  const long = told(UTF8, [text('é'.repeat(100)), text('a'.repeat(63).concat('é', 'b'.repeat(9)))]).bounds
  t.same(Buffer.from(long?.least ?? []).toString(), 'a'.repeat(63))
  t.same(Buffer.from(long?.greatest ?? []).toString(), `${'é'.repeat(31)}ê`)
  t.notOk(long?.isLeastExact)
  t.notOk(long?.isGreatestExact)
  const bytes = { kind: 'bytes', value: new Uint8Array(65).fill(255) } as const
  const beyond = told(BINARY, [bytes, text('a')], PAGE_ROWS)
  t.equal(beyond.bounds, null)
  t.same(
    beyond.pages.map(({ bounds }) => bounds === null),
    [true, false],
  )
})

t.test('a column of nulls has pages without values', async (t) => {
  for (const type of [{ kind: 'null' } as const, INT32, UTF8]) {
    const chunk = told(type, [null], PAGE_ROWS + 1)
    t.equal(chunk.nulls, PAGE_ROWS + 1)
    t.equal(chunk.bounds, null)
    t.equal(chunk.dictionaryBytes, 0)
    t.equal(chunk.pages.length, 2)
  }
})

t.test('a value that cannot be stored is an error', async (t) => {
  const refused: readonly (readonly [DataType, Scalar])[] = [
    [
      { kind: 'timestamp', unit: 'second', zone: null },
      { kind: 'int', value: 2n ** 60n },
    ],
    [{ kind: 'time', unit: 'second' }, int(2 ** 30)],
    [{ kind: 'date', unit: 'millisecond' }, int(1)],
    [
      { kind: 'decimal', bits: 128, precision: 9, scale: 0 },
      { kind: 'int', value: 2n ** 31n },
    ],
    [
      { kind: 'interval', unit: 'year_month' },
      { kind: 'bytes', value: Uint8Array.of(255, 255, 255, 255) },
    ],
  ]
  for (const [type, value] of refused)
    t.throws(
      () => told(type, [int(0), value].slice(type.kind === 'interval' ? 1 : 0)),
      { code: 'type_mismatch' },
      typeName(type),
    )
  const column = columnOf(core, INT32, [null])
  t.throws(() => encodeColumnChunk(core, column, field('c', INT32, false), 0, 1), { code: 'unreadable_file' })
})

t.test('seconds become milliseconds', async (t) => {
  const { bounds } = told({ kind: 'timestamp', unit: 'second', zone: null }, [int(-1), int(1_700_000_000)])
  t.equal(Buffer.from(bounds?.least ?? []).readBigInt64LE(), -1000n)
  t.equal(Buffer.from(bounds?.greatest ?? []).readBigInt64LE(), 1_700_000_000_000n)
  t.same(numbersOf(told({ kind: 'time', unit: 'second' }, [int(0), int(86_399)]).bounds), [0, 86_399_000])
})
