import type { Test } from 'tap'
import { cutInSteps } from '../../src/main/query/plan/units.ts'
import type { Comparison } from '../../src/plan/condition/compare.ts'
import { type Condition, compare, isNotNull, isNull } from '../../src/plan/condition/condition.ts'
import { testOf } from '../../src/plan/condition/test.ts'
import { columnExpression } from '../../src/plan/expression.ts'
import type { ScanSpec } from '../../src/plan/scan.ts'
import { type FileSummary, rowsOf } from '../../src/plan/source/segments.ts'
import { createTextOrder } from '../../src/plan/source/text.ts'
import { type UnitSpace, unitAt } from '../../src/plan/source/unit-space.ts'
import { runToEnd } from '../../src/plan/steps.ts'
import type { Scalar } from '../../src/plan/types/scalar.ts'
import { type Field, isNested, valueType } from '../../src/plan/types/schema.ts'
import type { OpenFile, ReadContext } from '../../src/workers/formats/provider.ts'
import type { Store } from '../../src/workers/store/store.ts'
import { decodeUnit } from '../../src/workers/units/decode-unit.ts'
import { PARQUET } from './product.ts'
import { layoutOf } from './segments.ts'
import { columnValues, encode, readAll, type Value } from './values.ts'

interface PlansCase {
  readonly file: OpenFile
  readonly store: Store
  readonly random: (below: number) => number
  readonly context: ReadContext
}

const COMPARISONS: readonly Comparison[] = ['eq', 'neq', 'gt', 'gt_eq', 'lt', 'lt_eq']
const COMPARED = ['bool', 'int', 'float', 'decimal', 'utf8', 'date', 'time', 'timestamp']

/** What a plan over a file promises: units cover every row once, and what is pruned would not have passed. */
export async function plansConform(t: Test, { file, store, random, context }: PlansCase): Promise<void> {
  const { core } = context
  const { fields } = file.schema
  const summary: FileSummary = {
    schema: file.schema,
    segments: layoutOf(
      file,
      fields.map(({ name }) => name),
      store,
      context,
    ),
    statistics: Object.fromEntries(fields.map(({ name }) => [name, file.statistics(name)])),
  }
  const scanOf = (wanted: readonly Field[], filter: Condition | null): ScanSpec => ({
    format: PARQUET,
    columns: fields.map(({ name, type }) => ({ name, type })),
    filter,
    projection: wanted.map((each) => ({ expression: columnExpression(each.name, each.type), field: each })),
  })
  const cut = (scan: ScanSpec, known: FileSummary) =>
    runToEnd(cutInSteps({ scan, offset: 0, limit: Number.POSITIVE_INFINITY }, [known]))

  /** Rows of units, each as the text of its values. */
  function rowsIn(units: UnitSpace, scan: ScanSpec, wanted: readonly Field[]): readonly string[] {
    const order = createTextOrder()
    const rows: string[] = []
    for (let index = 0; index < units.count; index++) {
      const unit = order.placed(unitAt(units, index))
      const decoded = decodeUnit(scan, unit, file, null, store, context)
      order.ended(unit, decoded.span)
      const { mask } = decoded
      const passing = mask === null ? decoded.rows : core.count(mask)
      const kept = mask === null ? decoded.columns : decoded.columns.map((each) => core.filter(each, mask))
      if (passing > 0) rows.push(...textsOf(columnValues(encode(core, kept, wanted, passing)), passing))
      for (const column of new Set([...kept, ...decoded.columns])) core.free(column)
      if (mask !== null) core.freeMask(mask)
    }
    return rows
  }

  const wanted = fields.filter(({ type }) => !isNested(valueType(type)))
  if (wanted.length === 0) return
  const whole = textsOf(readAll(file, store, context, wanted))
  const all = cut(scanOf(wanted, null), summary)
  const read = rowsIn(all.units, scanOf(wanted, null), wanted)
  const isGrid = summary.segments.kind === 'grid'
  // The rows of a grid come chunk by chunk.
  if (isGrid) t.strictSame([...read].sort(), [...whole].sort(), 'units cover every row once')
  else t.strictSame(read, whole, 'units cover every row once, in their order')
  const counted = rowsOf(summary.segments)
  if (counted !== null) t.equal(read.length, counted)

  const samples = scalarsOf(file, store, wanted, random, context)
  for (const { field, value } of samples) {
    const operand = columnExpression(field.name, field.type)
    const comparison = COMPARISONS[random(COMPARISONS.length)] ?? 'eq'
    const filter: Condition =
      value === null
        ? random(2)
          ? isNull(operand)
          : isNotNull(operand)
        : compare(operand, comparison, value)
    const scan = scanOf(wanted, filter)
    const pruned = rowsIn(cut(scan, summary).units, scan, wanted)
    const unpruned = rowsIn(all.units, scan, wanted)
    const what = `${field.name} ${testOf(filter).op} ${comparison}: pruned as unpruned`
    t.strictSame(pruned, unpruned, what)
  }
  t.equal(core.usedBytes(), 0, 'plans leave nothing in the core')
}

/** Some values that occur, and nulls. */
function scalarsOf(
  file: OpenFile,
  store: Store,
  fields: readonly Field[],
  random: (below: number) => number,
  context: ReadContext,
): readonly { readonly field: Field; readonly value: Scalar | null }[] {
  const { core } = context
  const compared = fields.filter(({ type }) => COMPARED.includes(valueType(type).kind))
  const picked = compared.toSorted(() => random(3) - 1).slice(0, 6)
  const summary = { schema: file.schema, segments: layoutOf(file, [], store, context), statistics: {} }
  const scan = {
    format: PARQUET,
    columns: picked.map(({ name, type }) => ({ name, type })),
    filter: null,
    projection: picked.map((each) => ({ expression: columnExpression(each.name, each.type), field: each })),
  }
  const { units } = runToEnd(cutInSteps({ scan, offset: 0, limit: Number.POSITIVE_INFINITY }, [summary]))
  if (units.count === 0 || picked.length === 0) return []
  const first = unitAt(units, 0)
  const decoded = decodeUnit(scan, first, file, null, store, context)
  try {
    if (decoded.rows === 0) return []
    return picked.flatMap((field, place) => {
      const column = decoded.columns[place]
      if (column === undefined) return []
      const value = () => core.valueAt(column, valueType(field.type), random(decoded.rows))
      return [value(), value()].map((each) => ({ field, value: each }))
    })
  } finally {
    for (const column of new Set(decoded.columns)) core.free(column)
  }
}

function textsOf(columns: readonly (readonly Value[])[], rows = columns[0]?.length ?? 0): string[] {
  const text = (value: Value | undefined): string =>
    typeof value === 'bigint'
      ? String(value)
      : (JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each)) ?? '')
  return Array.from({ length: rows }, (_, row) => columns.map((values) => text(values[row])).join('|'))
}
