import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as arrow from 'apache-arrow'
import t from 'tap'
import { createCore } from '../../../src/wasm/core/create-core.ts'
import { readContext } from '../../formats/context.ts'
import { columnValues, type Value } from '../../formats/values.ts'
import { fc } from '../../support/generate.ts'
import { readNetcdf, writeNetcdf } from './write-netcdf.ts'

const core = createCore({ maximumBytes: 256 << 20 })
const context = readContext(core)

/** Columns of each type that is written. The values that stand for null are left out. */
const COLUMNS: readonly (readonly [string, arrow.DataType, fc.Arbitrary<unknown>])[] = [
  ['i8', new arrow.Int8(), fc.integer({ min: -128, max: 126 })],
  ['i16', new arrow.Int16(), fc.integer({ min: -32_768, max: 32_766 })],
  ['i32', new arrow.Int32(), fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 2 })],
  ['i64', new arrow.Int64(), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 2n })],
  ['u8', new arrow.Uint8(), fc.integer({ min: 0, max: 254 })],
  ['u16', new arrow.Uint16(), fc.integer({ min: 0, max: 65_534 })],
  ['u32', new arrow.Uint32(), fc.integer({ min: 0, max: 2 ** 32 - 2 })],
  ['u64', new arrow.Uint64(), fc.bigInt({ min: 0n, max: 2n ** 64n - 2n })],
  ['f32', new arrow.Float32(), fc.float({ noDefaultInfinity: true, max: 2 ** 100 })],
  ['f64', new arrow.Float64(), fc.double({ max: 1e308 })],
  ['text', new arrow.Utf8(), fc.string({ unit: 'binary' }).map((each) => each.replaceAll('\0', ''))],
  ['dictionary', new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32()), fc.constantFrom('a', 'b', '')],
  [
    'bytes',
    new arrow.FixedSizeBinary(3),
    fc.stringMatching(/^[a-z]{0,3}$/).map((each) => Buffer.alloc(3, 0).fill(each, 0, each.length)),
  ],
]

t.test('whatever the rows are, and however they come in parts', async (t) => {
  const folder = t.testdir()
  const [first, second] = [join(folder, 'a.nc'), join(folder, 'b.nc')]
  const rows = fc
    .integer({ min: 0, max: 40 })
    .chain((count) =>
      fc.tuple(
        ...COLUMNS.map(([, , values]) =>
          fc.array(fc.option(values, { freq: 4 }), { minLength: count, maxLength: count }),
        ),
      ),
    )
  const cuts = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 3 })
  await fc.assert(
    fc.asyncProperty(rows, cuts, cuts, fc.nat(9), async (columns, cut, otherCut, compression) => {
      const table = tableOf(columns)
      await writeNetcdf(first, table, cut, context, compression)
      const { names, values } = await readNetcdf(first, context)
      for (const [index, wanted] of columnValues(table).entries()) {
        const [name = '', type] = COLUMNS[index] ?? []
        const expected =
          type instanceof arrow.FixedSizeBinary ? wanted.map(characters) : withoutEmptyTexts(wanted, type)
        if (!isEqual(values[names.indexOf(name)], expected))
          throw new Error(`${name}: ${values[names.indexOf(name)]} instead of ${expected}`)
      }
      await writeNetcdf(second, table, otherCut, context, compression)
      return readFileSync(first).equals(readFileSync(second))
    }),
    { numRuns: 25 },
  )
  t.equal(core.usedBytes(), 0)
})

t.test('more rows than a chunk has, and more text than is held', async (t) => {
  const folder = t.testdir()
  const rows = 140_000
  const table = new arrow.Table({
    number: arrow.makeVector(Float64Array.from({ length: rows }, (_, row) => row / 8)),
    text: arrow.vectorFromArray(
      Array.from({ length: rows }, (_, row) =>
        row % 7 === 0 ? null : 'x'.repeat(row % 20_000 === 1 ? 3_000_000 : row % 5),
      ),
      new arrow.Utf8(),
    ),
  })
  const files = [[65_536], [9973, 40_000]].map((cuts, index) => ({ cuts, path: join(folder, `${index}.nc`) }))
  for (const { path, cuts } of files) await writeNetcdf(path, table, cuts, context)
  const [first, second] = files.map(({ path }) => readFileSync(path))
  t.ok(second !== undefined && first?.equals(second), 'equal bytes')
  const { names, values } = await readNetcdf(join(folder, '0.nc'), context)
  const [numbers = [], texts = []] = columnValues(table)
  t.ok(isEqual(values[names.indexOf('number')], numbers))
  t.ok(isEqual(values[names.indexOf('text')], withoutEmptyTexts(texts, new arrow.Utf8())))
})

function tableOf(columns: readonly (readonly unknown[])[]): arrow.Table {
  const vectors = COLUMNS.map(
    ([name, type], index) => [name, arrow.vectorFromArray([...(columns[index] ?? [])], type)] as const,
  )
  return new arrow.Table(Object.fromEntries(vectors))
}

/** In a column with nulls empty texts are read as null, too. */
function withoutEmptyTexts(values: readonly Value[], type: arrow.DataType | undefined): readonly Value[] {
  const isText = type instanceof arrow.Utf8 || type instanceof arrow.Dictionary
  if (!isText || !values.includes(null)) return values
  return values.map((value) => (value === '' ? null : value))
}

/** Three bytes, as an integer, as text without the zeros at its end. */
function characters(value: Value): Value {
  const bytes = Buffer.alloc(3)
  bytes.writeUIntLE(Number(value ?? 0), 0, 3)
  return bytes.toString().replace(/\0+$/, '')
}

function isEqual(a: readonly Value[] | undefined, b: readonly Value[]): boolean {
  return a?.length === b.length && a.every((value, index) => value === b[index])
}
