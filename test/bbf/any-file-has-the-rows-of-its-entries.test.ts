import t from 'tap'
import { cutInSteps } from '../../src/main/query/plan/units.ts'
import { type Condition, compare, isNotNull, isNull } from '../../src/plan/condition/condition.ts'
import { columnExpression } from '../../src/plan/expression.ts'
import type { ScanSpec } from '../../src/plan/scan.ts'
import type { FileSummary } from '../../src/plan/source/segments.ts'
import { type UnitSpace, unitAt } from '../../src/plan/source/unit-space.ts'
import { runToEnd } from '../../src/plan/steps.ts'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { bbf } from '../../src/workers/formats/bbf/bbf.ts'
import { decodeUnit } from '../../src/workers/units/decode-unit.ts'
import { readContext } from '../formats/context.ts'
import { PARQUET } from '../formats/product.ts'
import { memorySource } from '../formats/source.ts'
import { columnValues, encode, type Value } from '../formats/values.ts'
import { fc, generator } from '../support/generate.ts'
import { models } from './generated.ts'
import { fileOf, type Model, rowsOf } from './model.ts'
import { writeBbf } from './writer.ts'

const core = createCore({ maximumBytes: 64 << 20 })
const context = readContext(core)
const ALL = { offset: 0, limit: Number.POSITIVE_INFINITY }

/** The rows of a scan of a file, column by column, and how many units it has. `isPruned`: what statistics exclude is left out. */
function scanned(
  model: Model,
  named: readonly string[],
  filter: Condition | null,
  isPruned: boolean,
): { readonly values: Value[][]; readonly rows: number } {
  const store = memorySource(writeBbf(fileOf(model)))
  const file = bbf.open(store, context)
  const fields = named.flatMap((name) => file.schema.fields.find((each) => each.name === name) ?? [])
  const scan: ScanSpec = {
    format: PARQUET,
    columns: fields.map(({ name, type }) => ({ name, type })),
    rowsOf: named,
    filter,
    projection: fields.map((field) => ({ expression: columnExpression(field.name, field.type), field })),
  }
  const segments = file.segments(named, store, context, isPruned ? named : [])
  const statistics = isPruned ? named.map((name) => [name, file.statistics(name)] as const) : []
  const summary: FileSummary = { schema: file.schema, segments, statistics: Object.fromEntries(statistics) }
  const { units }: { units: UnitSpace } = runToEnd(cutInSteps({ scan, ...ALL }, [summary]))
  const values: Value[][] = named.map(() => [])
  let count = 0
  // Without `locate` the reader has no filter to prune by.
  const { locate } = file
  const unpruned: typeof locate = (each, range, options, reading) =>
    locate?.(each, range, { ...options, pruning: null }, reading) ?? {
      from: 0,
      rows: 0,
      isLast: true,
      read: () => [],
    }
  for (let index = 0; index < units.count; index++) {
    const unit = unitAt(units, index)
    const decoded = decodeUnit(
      scan,
      unit,
      isPruned ? file : { ...file, locate: unpruned },
      null,
      store,
      context,
    )
    const { mask, columns } = decoded
    const kept = mask === null ? columns : columns.map((each) => core.filter(each, mask))
    const rows = mask === null ? decoded.rows : core.count(mask)
    count += rows
    if (rows > 0)
      for (const [place, each] of columnValues(encode(core, kept, fields, rows)).entries())
        values[place]?.push(...each)
    for (const column of new Set([...kept, ...columns])) core.free(column)
    if (mask !== null) core.freeMask(mask)
  }
  return { values, rows: count }
}

t.test('any columns have the rows of their grids', async (t) => {
  const random = generator('columns')
  fc.assert(
    fc.property(models, (model) => {
      const names = model.columns.map(({ name }) => name)
      const named = names.filter(() => random(3) > 0)
      const wanted = named.length === 0 ? names : named
      t.strictSame(scanned(model, wanted, null, true).values, rowsOf(model, wanted, wanted))
    }),
    { numRuns: 150 },
  )
  t.equal(core.usedBytes(), 0)
})

t.test('what the index excludes would not have passed', async (t) => {
  const random = generator('filters')
  fc.assert(
    fc.property(models, (model) => {
      const names = model.columns.map(({ name }) => name)
      const filter = filterOn(model, random)
      if (filter === null) return
      const pruned = scanned({ ...model, hasIndex: true }, names, filter, true)
      t.strictSame(pruned, scanned({ ...model, hasIndex: false }, names, filter, false))
    }),
    { numRuns: 150 },
  )
  t.equal(core.usedBytes(), 0)
})

/** A comparison of a column with one of its values, or a test for nulls. Null: the file has no value. */
function filterOn(model: Model, random: (below: number) => number): Condition | null {
  const place = random(model.columns.length)
  const column = model.columns[place]
  if (column === undefined || column.type === 'Null') return null
  const store = memorySource(writeBbf(fileOf(model)))
  const field = bbf.open(store, context).schema.fields.find(({ name }) => name === column.name)
  const values = model.entries
    .flatMap(({ arrays }) => arrays[place]?.values ?? [])
    .filter((each) => each !== null)
  const value = values[random(Math.max(1, values.length))]
  if (field === undefined || value === undefined) return null
  const operand = columnExpression(field.name, field.type)
  if (random(4) === 0) return random(2) ? isNull(operand) : isNotNull(operand)
  const comparison = (['eq', 'neq', 'gt', 'gt_eq', 'lt', 'lt_eq'] as const)[random(6)] ?? 'eq'
  switch (field.type.kind) {
    case 'bool':
      return compare(operand, comparison, { kind: 'bool', value: value === true })
    case 'float':
      return compare(operand, comparison, { kind: 'float', value: Number(value) })
    case 'utf8':
      return compare(operand, comparison, { kind: 'bytes', value: Buffer.from(String(value)) })
    default:
      return compare(operand, comparison, { kind: 'int', value: BigInt(value) })
  }
}
