import t from 'tap'
import {
  type Aggregate,
  type AggregateKind,
  aggregateType,
  HALF,
  type Share,
} from '../../src/plan/task/finish.ts'
import type { Scalar } from '../../src/plan/types/scalar.ts'
import type { DataType } from '../../src/plan/types/schema.ts'
import type { Column, Groups } from '../../src/wasm/core/column.ts'
import type { Core } from '../../src/wasm/core/core.ts'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { fc } from '../support/generate.ts'
import { columnOf, valuesOf } from './columns.ts'

const ENOUGH = 1 << 24
const i64: DataType = { kind: 'int', bits: 64, signed: true }
const f64: DataType = { kind: 'float', bits: 64 }
const utf8: DataType = { kind: 'utf8' }
const words: DataType = {
  kind: 'dictionary',
  index: { kind: 'int', bits: 16, signed: true },
  value: utf8,
  ordered: false,
}

const int = (value: number): Scalar => ({ kind: 'int', value: BigInt(value) })
const float = (value: number): Scalar => ({ kind: 'float', value })
const text = (value: string): Scalar => ({ kind: 'bytes', value: new Uint8Array(Buffer.from(value)) })

const ints = fc.integer({ min: -3, max: 3 }).map(int)
const floats = fc.constantFrom(-0, 0, 1.5, -2.25, 1e300, Number.NaN, Number.POSITIVE_INFINITY).map(float)
const texts = fc.constantFrom('', 'a', 'b', 'ü', 'longer than eight').map(text)
const KEYS = [i64, f64, words, utf8]

/** Rows of four keys, each also an argument. */
const rows = fc.array(
  fc.tuple(...[ints, floats, texts, texts].map((value) => fc.option(value, { nil: null, freq: 3 }))),
  { maxLength: 40 },
)
type Row = readonly (Scalar | null)[]

interface Asked {
  readonly kind: Aggregate['kind']
  readonly of: number | null
  readonly by?: number
  readonly share?: Share
  readonly isDistinct?: boolean
}

const AGGREGATES: readonly Asked[] = [
  { kind: 'count_rows', of: null },
  ...(['count', 'count_distinct', 'min', 'max', 'first'] as const).flatMap((kind) =>
    KEYS.map((_, of) => ({ kind, of })),
  ),
  ...(['arg_max', 'arg_min'] as const).flatMap((kind) =>
    KEYS.flatMap((_, of) => KEYS.map((_, by) => ({ kind, of, by }))),
  ),
  ...(['quantile_cont', 'quantile_disc'] as const).flatMap((kind) =>
    [false, true].flatMap((isDistinct) => [0, 1].map((of) => ({ kind, of, share: HALF, isDistinct }))),
  ),
  ...(['sum', 'avg', 'var_samp', 'var_pop', 'stddev_samp', 'stddev_pop'] as const).flatMap((kind) =>
    [0, 1].map((of) => ({ kind, of })),
  ),
]

const types = KEYS
const newTable = (core: Core, keys: readonly number[]): Groups =>
  core.groups(
    keys.map((key) => types[key] ?? i64),
    AGGREGATES.map(({ kind, of, by, share, isDistinct }) => ({
      kind,
      type: of === null ? null : (types[of] ?? i64),
      ...(by !== undefined && { by: types[by] ?? i64 }),
      ...(share !== undefined && { share, isDistinct: isDistinct === true }),
    })),
    ENOUGH,
  )

function addRows(core: Core, groups: Groups, keys: readonly number[], unit: readonly Row[]): void {
  const columns = types.map((type, i) =>
    columnOf(
      core,
      type,
      unit.map((row) => row[i] ?? null),
    ),
  )
  const column = (i: number) => columns[i] as Column
  core.addRows(
    groups,
    keys.map(column),
    [
      ...AGGREGATES.map(({ of }) => (of === null ? null : column(of))),
      ...AGGREGATES.flatMap(({ by }) => (by === undefined ? [] : [column(by)])),
    ],
    unit.length,
    null,
  )
  columns.forEach(core.free)
}

function answer(core: Core, groups: Groups, keys: readonly number[]): (Scalar | null)[][] {
  const columns = core.groupColumns(groups)
  const outputs = [
    ...keys.map((key) => types[key] ?? i64),
    ...AGGREGATES.map(({ kind, of }) =>
      of === null ? i64 : aggregateType(kind as AggregateKind, types[of] ?? i64),
    ),
  ]
  t.equal(columns.length, outputs.length)
  const values = columns.map((column, i) => valuesOf(core, column, outputs[i] ?? i64))
  t.ok(values.every((column) => column.length === core.groupCount(groups)))
  columns.forEach(core.free)
  core.freeGroups(groups)
  return values
}

t.test('tables of parts of the rows, made by two workers, are the table of all rows', async (t) => {
  const [core, other] = [createCore({ maximumBytes: 64 << 20 }), createCore({ maximumBytes: 64 << 20 })]
  const keys = fc.uniqueArray(fc.integer({ min: 0, max: 3 }), { maxLength: 3 })
  // What floats add up to depends on the parts: it is the same for the same parts, whoever made them.
  const isExact = (i: number, keyCount: number) => {
    const aggregate = AGGREGATES[i - keyCount]
    return aggregate === undefined || !/sum|avg|var|stddev/.test(aggregate.kind) || aggregate.of === 0
  }
  const isSpread = (i: number, keyCount: number) => /var|stddev/.test(AGGREGATES[i - keyCount]?.kind ?? '')
  fc.assert(
    fc.property(keys, fc.array(rows, { maxLength: 4 }), (keys, units) => {
      const whole = newTable(core, keys)
      addRows(core, whole, keys, units.flat())
      const [merged, elsewhere] = [newTable(core, keys), newTable(other, keys)]
      for (const [i, unit] of units.entries()) {
        const parts = [core, other].map((of) => {
          const part = newTable(of, keys)
          addRows(of, part, keys, unit)
          const bytes = new Uint8Array(of.groupsBytes(part))
          of.freeGroups(part)
          return bytes
        })
        core.addGroups(merged, parts[i % 2] ?? new Uint8Array())
        other.addGroups(elsewhere, parts[(i + 1) % 2] ?? new Uint8Array())
      }
      const [all, here, there] = [
        answer(core, whole, keys),
        answer(core, merged, keys),
        answer(other, elsewhere, keys),
      ]
      t.strictSame(here, there)
      const exact = (columns: (Scalar | null)[][]) =>
        columns.filter((_, i) => isExact(i, keys.length) && !isSpread(i, keys.length))
      t.strictSame(exact(here), exact(all))
    }),
    { numRuns: 60 },
  )
  t.equal(core.usedBytes(), 0)
  t.equal(other.usedBytes(), 0)
})

t.test('aggregates by hand', async (t) => {
  const core = createCore({ maximumBytes: 64 << 20 })
  const values = [int(1), null, int(4), int(1)]
  const column = columnOf(core, i64, values)
  const kinds = [
    'count',
    'count_distinct',
    'sum',
    'min',
    'max',
    'avg',
    'var_samp',
    'var_pop',
    'first',
  ] as const
  const groups = core.groups(
    [],
    kinds.map((kind) => ({ kind, type: i64 })),
    ENOUGH,
  )
  const mask = core.not(core.compare(column, i64, 'eq', int(4)))
  core.addRows(
    groups,
    [],
    kinds.map(() => column),
    values.length,
    null,
  )
  const aggregates = core
    .groupColumns(groups)
    .map((of, i) => core.valueAt(of, aggregateType(kinds[i] ?? 'count', i64) ?? i64, 0)?.value)
  t.strictSame(aggregates, [3n, 2n, 6n, 1n, 4n, 2, 3, 2, 1n])
  const distinct = core.groups([i64], [], ENOUGH)
  core.addRows(distinct, [column], [], values.length, null)
  t.strictSame(
    core.groupColumns(distinct).map((of) => valuesOf(core, of, i64)),
    [[int(1), null, int(4)]],
  )
  const masked = core.groups([], [{ kind: 'count_rows', type: null }], ENOUGH)
  core.addRows(masked, [], [null], values.length, mask)
  t.strictSame(core.valueAt(core.groupColumns(masked)[0] as Column, i64, 0), int(2))
  t.equal(core.groupCount(masked), 1)
})

t.test('no rows make one group of no keys, and none of keys', async (t) => {
  const core = createCore({ maximumBytes: 64 << 20 })
  const aggregates = [
    { kind: 'count_rows', type: null },
    { kind: 'sum', type: f64 },
    { kind: 'first', type: utf8 },
  ] as const
  const lone = core.groups([], aggregates, ENOUGH)
  core.addGroups(lone, new Uint8Array(core.groupsBytes(lone)))
  t.strictSame(
    core.groupColumns(lone).map((column, i) => core.valueAt(column, [i64, f64, utf8][i] ?? i64, 0)),
    [int(0), null, null],
  )
  const keyed = core.groups([i64], aggregates, ENOUGH)
  t.strictSame(
    core.groupColumns(keyed).map((column) => core.rows(column)),
    [0, 0, 0, 0],
  )
})

t.test('what has no groups, too many, or too large a sum is a clear error', async (t) => {
  const core = createCore({ maximumBytes: 64 << 20 })
  const list: DataType = { kind: 'list', item: { name: 'item', type: i64, nullable: true, metadata: {} } }
  t.throws(() => core.groups([list], [], ENOUGH), { code: 'not_supported' })
  t.throws(() => core.groups([], [{ kind: 'min', type: list }], ENOUGH), { code: 'not_supported' })
  t.throws(() => core.groups([], [{ kind: 'sum', type: utf8 }], ENOUGH), { code: 'not_supported' })
  const lists = core.constant(list, null, 3)
  const counted = core.groups([], [{ kind: 'count', type: list }], ENOUGH)
  core.addRows(counted, [], [lists], 3, null)
  t.strictSame(core.valueAt(core.groupColumns(counted)[0] as Column, i64, 0), int(0))

  const numbers = core.assemble({
    layout: 'fixed',
    parameter: 8,
    rows: 20_000,
    buffers: [null, new Uint8Array(BigInt64Array.from({ length: 20_000 }, (_, i) => BigInt(i)).buffer)],
  })
  const small = core.groups([i64], [], 100_000)
  t.throws(() => core.addRows(small, [numbers], [], 20_000, null), {
    code: 'memory_limit',
    message: /too many groups.*100000 bytes/,
  })
  t.throws(() => core.addRows(small, [numbers], [], 20_000, null), { code: 'internal' })
  core.freeGroups(small)

  const most = core.constant(i64, { kind: 'int', value: 2n ** 63n - 1n }, 2)
  const sums = core.groups([], [{ kind: 'sum', type: i64 }], ENOUGH)
  core.addRows(sums, [], [most], 2, null)
  t.throws(() => core.groupColumns(sums), { code: 'type_mismatch', message: /does not fit into Int64/ })
  t.throws(() => core.addGroups(sums, new Uint8Array(24)), { code: 'unreadable_file' })
  t.notOk(core.isDead())
})
