/** Columns that repeat values, against columns that have the same rows one by one, in everything that the core does with columns. */
import assert from 'node:assert/strict'
import * as arrow from 'apache-arrow'
import t from 'tap'
import { writeSchemaMessage } from '../../src/plan/arrow/schema-message.ts'
import type { Scalar } from '../../src/plan/types/scalar.ts'
import { type DataType, field, type IntType } from '../../src/plan/types/schema.ts'
import type { Column, Mask } from '../../src/wasm/core/column.ts'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { fc } from '../support/generate.ts'
import { columnOf, valuesOf } from './columns.ts'
import { decode } from './decode.ts'

const core = createCore({ maximumBytes: 64 << 20 })
const UTF8: DataType = { kind: 'utf8' }
const I16: DataType = { kind: 'int', bits: 16, signed: true }
const I32: IntType = { kind: 'int', bits: 32, signed: true }
const I64: IntType = { kind: 'int', bits: 64, signed: true }
const F32: DataType = { kind: 'float', bits: 32 }
const F64: DataType = { kind: 'float', bits: 64 }

/** The end of an Arrow stream. */
const END = Uint8Array.of(255, 255, 255, 255, 0, 0, 0, 0)

const int = (value: number): Scalar => ({ kind: 'int', value: BigInt(value) })
const text = (value: string): Scalar => ({ kind: 'bytes', value: new Uint8Array(Buffer.from(value)) })

/** Values along one axis of a box of three. A 5 is null; as text it is stored as '', so that a null takes no bytes, as one by one. */
const cases = fc.record({
  values: fc.array(fc.integer({ min: -3, max: 5 }), { minLength: 1, maxLength: 6 }),
  before: fc.integer({ min: 1, max: 5 }),
  each: fc.integer({ min: 1, max: 70 }),
  kind: fc.constantFrom('int', 'text', 'constant' as const),
  seed: fc.nat(),
})
type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never

interface Pair {
  readonly type: DataType
  readonly values: readonly (Scalar | null)[]
  readonly repeated: Column
  readonly plain: Column
}

function pairOf({ values, before, each, kind }: Case): Pair {
  const some = kind === 'constant' ? values.slice(0, 1) : values
  const of = (value: number) => (value === 5 ? null : kind === 'text' ? text(`${value}`) : int(value))
  const rows = Array.from({ length: before * some.length * each }, (_, row) =>
    of(some[Math.floor(row / each) % some.length] ?? 0),
  )
  const type = kind === 'text' ? UTF8 : I16
  const plain = columnOf(core, type, rows)
  return {
    type,
    values: rows,
    plain,
    repeated: kind === 'constant' ? constant(rows) : box(some, before, each, kind),
  }
}

function constant(rows: readonly (Scalar | null)[]): Column {
  return core.constant(I16, rows[0] ?? null, rows.length)
}

function box(values: readonly number[], before: number, each: number, kind: string): Column {
  const shape = {
    shape: [before, values.length, each],
    axes: [1],
    origin: [0],
    decoding: { kind: 'stored' },
  } as const
  const place = { origin: [0], extent: [values.length] }
  if (kind === 'text') {
    const all = values.map((value) => Buffer.from(value === 5 ? '' : `${value}`))
    const offsets = Int32Array.from([0, ...all.map((_, i) => Buffer.concat(all.slice(0, i + 1)).length)])
    const spec = { ...shape, element: { kind: 'text' }, fills: [text('')] } as const
    return core.boxColumn(spec, [
      { kind: 'texts', ...place, offsets, bytes: new Uint8Array(Buffer.concat(all)) },
    ])
  }
  const spec = { ...shape, element: { kind: 'int', bits: 16, signed: true }, fills: [int(5)] } as const
  const bytes = new Uint8Array(Int16Array.from(values).buffer)
  const form = { isBigEndian: false, isShuffled: false, stride: 2, offset: 0 }
  return core.boxColumn(spec, [{ kind: 'elements', ...place, bytes, ...form }])
}

/** Checks something of both columns for generated ones. */
function same(t: Tap, runs: number, check: (pair: Pair, seed: number) => void): void {
  const property = fc.property(cases, (generated) => {
    const pair = pairOf(generated)
    check(pair, generated.seed)
    core.free(pair.repeated)
    core.free(pair.plain)
  })
  t.doesNotThrow(() => fc.assert(property, { numRuns: runs }))
}
type Tap = Pick<typeof t, 'doesNotThrow'>

/** True, false or null for each row. */
function outcome(mask: Mask, rows: number): (boolean | null)[] {
  const negated = core.not(mask)
  const values = Array.from({ length: rows }, (_, row) =>
    core.anyTrue(mask, row, row + 1) ? true : core.anyTrue(negated, row, row + 1) ? false : null,
  )
  core.freeMask(mask)
  core.freeMask(negated)
  return values
}

/** Some rows of a mask. */
function someRows(rows: number, seed: number): Mask {
  const runs = Array.from({ length: 3 }, (_, i) => {
    const first = (seed * (i + 3)) % rows
    return { from: first, to: Math.min(rows, first + (seed % (5 * (i + 1))) + 1) }
  })
  return core.inRuns(rows, runs)
}

t.test('rows, values, and what is not taken', async (t) => {
  same(t, 200, ({ repeated, plain, type, values }) => {
    assert.equal(core.rows(repeated), core.rows(plain))
    assert.deepEqual(valuesOf(core, repeated, type), values)
    const shared = core.share(repeated)
    assert.deepEqual(valuesOf(core, shared, type), values)
    core.free(shared)
  })
})

t.test('comparisons', async (t) => {
  same(t, 150, ({ repeated, plain, type, values: { length } }, seed) => {
    const value = (number: number) => (type.kind === 'utf8' ? text(`${number}`) : int(number))
    const [low, high] = [value((seed % 7) - 3), value((seed % 5) - 1)]
    const asked: ((column: Column) => Mask)[] = [
      ...(['eq', 'neq', 'gt', 'gt_eq', 'lt', 'lt_eq'] as const).map(
        (operator) => (column: Column) => core.compare(column, type, operator, low),
      ),
      (column) => core.between(column, type, low, high),
      (column) => core.isIn(column, type, [low, high]),
      (column) => core.isNull(column),
      (column) => core.isNotNull(column),
    ]
    for (const ask of asked) assert.deepEqual(outcome(ask(repeated), length), outcome(ask(plain), length))
  })
})

t.test('filters, orders, concatenation', async (t) => {
  same(t, 150, ({ repeated, plain, type, values: { length } }, seed) => {
    const mask = someRows(length, seed)
    const made = [repeated, plain].map((column) => {
      const keys = [{ column, type, isDescending: seed % 2 === 0, areNullsFirst: seed % 3 === 0 }]
      const order = core.sort(keys, length, mask, 20)
      const filtered = core.filter(column, mask)
      const taken = core.take(column, order, 0, core.orderRows(order))
      const joined = core.concat([column, filtered, taken, plain, repeated])
      const rows = [filtered, taken, joined].map((column) => valuesOf(core, column, type))
      for (const column of [filtered, taken, joined]) core.free(column)
      core.freeOrder(order)
      return rows
    })
    core.freeMask(mask)
    assert.deepEqual(made[0], made[1])
  })
})

t.test('groups', async (t) => {
  same(t, 150, ({ repeated, plain, type, values: { length } }, seed) => {
    const mask = seed % 2 === 0 ? null : someRows(length, seed)
    const isNumber = type.kind === 'int'
    const aggregates = (
      [
        'count',
        'count_distinct',
        'min',
        'max',
        'first',
        ...(isNumber ? (['sum', 'avg'] as const) : []),
      ] as const
    ).map((kind) => ({ kind, type }))
    const tables = [repeated, plain].flatMap((column) =>
      [[type], []].map((keys) => {
        const groups = core.groups(keys, aggregates, 1 << 20)
        core.addRows(
          groups,
          keys.map(() => column),
          aggregates.map(() => column),
          length,
          mask,
        )
        const columns = core.groupColumns(groups)
        const types = [
          ...keys,
          ...aggregates.map(({ kind }) =>
            kind === 'avg' ? F64 : kind.startsWith('count') || kind === 'sum' ? I64 : type,
          ),
        ]
        const rows = columns.map((column, i) => valuesOf(core, column, types[i] ?? type))
        for (const column of columns) core.free(column)
        core.freeGroups(groups)
        return rows
      }),
    )
    if (mask !== null) core.freeMask(mask)
    assert.deepEqual(tables.slice(0, 2), tables.slice(2))
  })
})

t.test('groups of long runs, of other columns', async () => {
  const generated = fc.record({
    values: fc.array(fc.integer({ min: -3, max: 5 }), { minLength: 1, maxLength: 4 }),
    others: fc.array(fc.integer({ min: -3, max: 4 }), { minLength: 1, maxLength: 3 }),
    each: fc.constantFrom(1, 15, 16, 100, 700, 2047, 2048, 2049, 5000),
    /** One value of ten is null, or every one, or none. */
    nulls: fc.constantFrom(10, 1, Number.POSITIVE_INFINITY),
    seed: fc.nat(),
  })
  const kinds = ['count', 'min', 'max', 'sum', 'avg', 'stddev_samp', 'var_pop', 'first'] as const
  const property = fc.property(generated, ({ values, others, each, nulls, seed }) => {
    const twice = pairOf({ values, before: 2, each, kind: 'int', seed })
    const { length } = twice.values
    const other = pairOf({ values: others, before: 1, each: length, kind: 'constant', seed })
    const keyed = seed % 3 === 0 ? [twice, other] : [twice]
    const mask = seed % 5 === 0 ? someRows(length, seed) : null
    for (const type of [F32, I32, I64, F64]) {
      const argument = columnOf(
        core,
        type,
        Array.from({ length }, (_, row) =>
          (row * 7 + seed) % nulls === 0
            ? null
            : type.kind === 'int'
              ? int(row % 100)
              : { kind: 'float', value: row % 100 },
        ),
      )
      const tables = (['repeated', 'plain'] as const).map((form) => {
        const groups = core.groups(
          keyed.map((key) => key.type),
          kinds.map((kind) => ({ kind, type })),
          1 << 20,
        )
        const keys = keyed.map((key) => key[form])
        for (let unit = 0; unit < 2; unit++)
          core.addRows(
            groups,
            keys,
            kinds.map(() => argument),
            length,
            mask,
          )
        const columns = core.groupColumns(groups)
        const types = kinds.map((kind) => typeOfAggregate(kind, type))
        const rows = columns.map((column, at) =>
          valuesOf(core, column, keyed[at]?.type ?? types[at - keyed.length] ?? type).map(rounded),
        )
        for (const column of columns) core.free(column)
        core.freeGroups(groups)
        return rows
      })
      core.free(argument)
      assert.deepEqual(tables[0], tables[1])
    }
    if (mask !== null) core.freeMask(mask)
    for (const { repeated, plain } of [twice, other]) {
      core.free(repeated)
      core.free(plain)
    }
  })
  fc.assert(property, { numRuns: 60 })
})

/** Neighbours of one group have their variance computed in another order. */
function rounded(value: Scalar | null): Scalar | null {
  return value?.kind === 'float' ? { ...value, value: Number(value.value.toPrecision(9)) } : value
}

/** The type of what is made of numbers of a type. */
function typeOfAggregate(kind: string, type: DataType): DataType {
  if (kind === 'count') return I64
  if (kind === 'sum') return type.kind === 'int' ? I64 : F64
  return kind === 'avg' || kind === 'stddev_samp' || kind === 'var_pop' ? F64 : type
}

t.test('batches and text', async (t) => {
  same(t, 150, ({ repeated, plain, type, values: { length } }, seed) => {
    const mask = seed % 2 === 0 ? null : someRows(length, seed)
    const from = seed % length
    const range = [length, mask, from, 1 + (seed % 50), 200 + (seed % 2000)] as const
    const arrowType = type.kind === 'utf8' ? new arrow.Utf8() : new arrow.Int16()
    const encoded = [repeated, plain].map((column) => {
      const batch = core.encodeBatch([column], [type], ...range)
      const csv = core.encodeCsv([column], [type], ...range)
      const json = core.encodeJson(['a'], [column], [type], ...range)
      return {
        ends: [batch, csv, json].map(({ rows, next }) => ({ rows, next })),
        rows: decode([arrowType], batch.bytes),
        texts: [csv, json].map(({ bytes }) => Buffer.from(bytes).toString()),
      }
    })
    if (mask !== null) core.freeMask(mask)
    assert.deepEqual(encoded[0], encoded[1])
  })
})

t.test('casts', async (t) => {
  same(t, 50, ({ repeated, plain, type }) => {
    if (type.kind !== 'int') return
    const [a, b] = [repeated, plain].map((column) => core.cast(column, type, I64))
    if (a === undefined || b === undefined) return
    assert.deepEqual(valuesOf(core, a, I64), valuesOf(core, b, I64))
    core.free(a)
    core.free(b)
  })
})

t.test('as dictionaries', async (t) => {
  const dictionary: DataType = {
    kind: 'dictionary',
    index: { kind: 'int', bits: 32, signed: true },
    value: UTF8,
    ordered: false,
  }
  const column = core.constant(dictionary, text('a constant'), 1000)
  t.equal(core.duckDictionary(column), 1)
  t.equal(Buffer.from(core.encodeDictionary(column, 0)).includes('a constant'), true)
  const batch = core.encodeBatch([column], [dictionary], 1000, null, 0, 1000, 1 << 20)
  t.equal(batch.rows, 1000)
  t.equal(Buffer.from(batch.bytes).includes('a constant'), false)
  core.free(column)
})

t.test('numbers and texts as dictionaries of Arrow, nulls among them', async (t) => {
  same(t, 60, ({ repeated, type, values }) => {
    if (core.duckDictionary(repeated) === 0) return
    const dictionary = { kind: 'dictionary', index: I32, value: type, ordered: false } as const
    const { bytes } = core.encodeBatch(
      [repeated],
      [dictionary],
      values.length,
      null,
      0,
      values.length,
      1 << 20,
    )
    const schema = writeSchemaMessage({ fields: [field('a', dictionary)], metadata: {} })
    const parts = [schema, new Uint8Array(core.encodeDictionary(repeated, 0)), new Uint8Array(bytes), END]
    const table = arrow.tableFromIPC(Buffer.concat(parts))
    const expected = values.map((value) => {
      if (value === null) return null
      return value.kind === 'bytes' ? Buffer.from(value.value).toString() : Number(value.value)
    })
    assert.deepEqual([...(table.getChildAt(0) ?? [])], expected)
  })
})

t.test('a hundred constants take next to nothing', async (t) => {
  const value = text('a constant of fifty bytes, as attributes are, say.')
  const columns = Array.from({ length: 100 }, () => core.constant(UTF8, value, 2_300_000))
  t.ok(columns.reduce((sum, column) => sum + core.columnBytes(column), 0) < 20_000)
  columns.forEach(core.free)
})

t.test('nothing is left', async (t) => {
  t.equal(core.usedBytes(), 0)
})
