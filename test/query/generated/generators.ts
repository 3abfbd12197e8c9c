import type { DataType } from '../../../src/plan/types/schema.ts'
import { fc } from '../../support/generate.ts'
import type { Cell, TestColumn, TestTable } from '../table.ts'
import { filters, type Json, type Named } from './filter-generators.ts'
import { interesting } from './literal-generators.ts'

/** A table, and a request over it without `from`. */
export interface GeneratedQuery {
  readonly table: TestTable
  readonly request: Json & { readonly select: readonly SelectEntry[] }
}

type SelectEntry = string | { readonly column?: string; readonly alias: string; readonly value?: unknown }

/** Names that code may mishandle which builds plans, SQL or records without care. */
export const NAMES = [
  'depth',
  'a AND b',
  "it's",
  'say "x"',
  'lat.units',
  ' padded ',
  'naïve',
  '水温',
  'select',
  'null',
  '__proto__',
  'constructor',
  '1',
  '*',
  'a\nb',
  '$1',
  '%s',
]

const INTEGERS = ([8, 16, 32, 64] as const).flatMap((bits): DataType[] => [
  { kind: 'int', bits, signed: true },
  { kind: 'int', bits, signed: false },
])

const TIMESTAMPS = (['second', 'millisecond', 'microsecond', 'nanosecond'] as const).flatMap(
  (unit): DataType[] => [
    { kind: 'timestamp', unit, zone: null },
    { kind: 'timestamp', unit, zone: 'UTC' },
    { kind: 'timestamp', unit, zone: '+02:00' },
  ],
)

/** Types of each kind that a filter can compare. */
export const FILTERABLE: readonly DataType[] = [
  { kind: 'bool' },
  ...INTEGERS,
  { kind: 'float', bits: 32 },
  { kind: 'float', bits: 64 },
  { kind: 'decimal', bits: 128, precision: 9, scale: 2 },
  { kind: 'decimal', bits: 128, precision: 38, scale: 10 },
  { kind: 'utf8' },
  { kind: 'date', unit: 'day' },
  { kind: 'time', unit: 'millisecond' },
  { kind: 'time', unit: 'microsecond' },
  ...TIMESTAMPS,
]

/** Cells of a column, `more` of them beside the interesting ones. */
export function cells(
  type: DataType,
  rows: number,
  more: readonly Exclude<Cell, null>[] = [],
): fc.Arbitrary<readonly Cell[]> {
  // Few values, so that columns fit narrower types, and segments have only one value or only nulls.
  return fc.subarray([...interesting(type), ...more], { minLength: 1 }).chain((values) => {
    const cell = fc.oneof<fc.WeightedArbitrary<Cell>[]>(
      { arbitrary: fc.constantFrom(...values), weight: 5 },
      { arbitrary: fc.constant(null), weight: 1 },
    )
    const some = fc.array(cell, { minLength: rows, maxLength: rows })
    // The statistics of sorted columns prune.
    return fc.oneof(
      some,
      some.map((each) => each.toSorted(ascending)),
    )
  })
}

function ascending(a: Cell, b: Cell): number {
  if (a === null || b === null || Number.isNaN(a) || Number.isNaN(b)) return 0
  return a < b ? -1 : Number(a > b)
}

/** A table of `rows` rows, whose columns have difficult names. */
export function tables(types: readonly DataType[] = FILTERABLE): fc.Arbitrary<TestTable> {
  return fc
    .record({
      rows: fc.integer({ min: 0, max: 40 }),
      columns: fc.uniqueArray(
        fc.record({ name: fc.constantFrom(...NAMES), type: fc.constantFrom(...types) }),
        {
          selector: (column) => column.name,
          minLength: 1,
          maxLength: 5,
        },
      ),
    })
    .chain(({ rows, columns }) =>
      fc.tuple(...columns.map(({ type }) => cells(type, rows))).map((values) => ({
        rows,
        columns: columns.map((column, index): TestColumn => ({ ...column, cells: values[index] ?? [] })),
      })),
    )
}

/**
 * A request in which all names and literals fit the table. Its filters have either geometries or, if `withPatterns` is true, patterns
 * that the core does not evaluate.
 */
export function queriesOver(table: TestTable, withPatterns = false): fc.Arbitrary<GeneratedQuery> {
  return selects(table).chain(({ select, outputs }) => {
    const shadowed = new Set(outputs.map(({ name }) => name))
    const names = [...outputs, ...table.columns.filter(({ name }) => !shadowed.has(name))]
    const filter = filters(names, withPatterns, 3)
    return fc
      .record({
        filter: fc.option(filter),
        filters: fc.option(fc.array(filter, { maxLength: 3 })),
        offset: fc.option(fc.integer({ min: 0, max: 20 })),
        limit: fc.option(fc.integer({ min: 0, max: 40 })),
      })
      .map((rest) => ({ table, request: { select, ...rest } }))
  })
}

/** Columns, some of which have the name of another one, and constants. */
function selects(
  table: TestTable,
): fc.Arbitrary<{ select: readonly SelectEntry[]; outputs: readonly Named[] }> {
  const alias = fc.constantFrom(...NAMES)
  const plain = fc.constantFrom(...table.columns).map(({ name, type }) => ({ entry: name, name, type }))
  const renamed = fc
    .tuple(fc.constantFrom(...table.columns), alias)
    .map(([{ name: column, type }, name]) => ({
      entry: { column, alias: name },
      name,
      type,
    }))
  const constant = fc.tuple(fc.constantFrom(...CONSTANTS), alias).map(([[value, type], name]) => ({
    entry: { value, alias: name },
    name,
    type,
    isConstant: true,
  }))
  const entry = fc.oneof<fc.Arbitrary<Named & { entry: SelectEntry }>[]>(plain, plain, renamed, constant)
  return fc
    .uniqueArray(entry, { selector: ({ name }) => name, minLength: 1, maxLength: 5 })
    .map((outputs) => ({ select: outputs.map((output) => output.entry), outputs }))
}

const CONSTANTS: readonly (readonly [string | number | boolean | null, DataType])[] = [
  [1.5, { kind: 'float', bits: 64 }],
  ['a', { kind: 'utf8' }],
  [true, { kind: 'bool' }],
  [null, { kind: 'utf8' }],
]

/** Sort keys of a request with these outputs, and some of the outputs. */
export function keysOf(outputs: readonly string[], { columns }: TestTable) {
  const name = fc.constantFrom(...outputs, ...columns.map((column) => column.name))
  return {
    key: fc.tuple(fc.constantFrom('Asc', 'Desc'), name).map(([way, each]) => ({ [way]: each })),
    some: fc.uniqueArray(fc.constantFrom(...outputs), { minLength: 1, maxLength: 3 }),
  }
}
