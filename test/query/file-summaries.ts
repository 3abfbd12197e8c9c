import { type FileSummary, list } from '../../src/plan/source/segments.ts'
import type { ColumnStatistics } from '../../src/plan/source/statistics.ts'
import type { Scalar } from '../../src/plan/types/scalar.ts'
import type { DataType, TimeUnit } from '../../src/plan/types/schema.ts'
import { fc } from '../support/generate.ts'
import { type Cell, schemaOf, type TestColumn, type TestTable } from './table.ts'

/**
 * The summary of a file that has a table: with segments of `segmentRows` rows, columns in a narrower type if all values fit, and
 * statistics that are true, but not exact or partly missing.
 */
export function summariesOf(table: TestTable): fc.Arbitrary<FileSummary> {
  const habits = fc.record({
    narrow: fc.nat(),
    lacksMin: fc.boolean(),
    lacksMax: fc.boolean(),
    lacksNulls: fc.boolean(),
    isLoose: fc.boolean(),
  })
  return fc
    .record({
      segmentRows: fc.integer({ min: 1, max: 12 }),
      columns: fc.tuple(...table.columns.map(() => habits)),
    })
    .map(({ segmentRows, columns }) => {
      const starts = Array.from({ length: Math.ceil(table.rows / segmentRows) }, (_, n) => n * segmentRows)
      const stored = table.columns.map((column, n) => narrowed(column, columns[n]?.narrow ?? 0))
      const statistics = stored.map((column, n): [string, ColumnStatistics[]] => [
        column.name,
        starts.map((start) => {
          const { lacksMin, lacksMax, lacksNulls, isLoose } = columns[n] ?? {}
          const known = statisticsOf(column.cells.slice(start, start + segmentRows))
          const { min, max } = isLoose ? loosened(known) : known
          // No file declares that its bounds of floats are exact.
          const isExact = !isLoose && column.type.kind !== 'float'
          return {
            ...(lacksMin || !min ? {} : { min, ...(isExact && { isMinExact: true as const }) }),
            ...(lacksMax || !max ? {} : { max, ...(isExact && { isMaxExact: true as const }) }),
            ...(lacksNulls || known.nulls === undefined ? {} : { nulls: known.nulls }),
          }
        }),
      ])
      return {
        schema: schemaOf({ rows: table.rows, columns: stored }),
        segments: list(
          starts.map((start) => ({
            rows: Math.min(segmentRows, table.rows - start),
            decodedBytes: stored.map(() => 8 * segmentRows),
            storedBytes: stored.map(() => 8 * segmentRows),
          })),
        ),
        statistics: Object.fromEntries(statistics),
      }
    })
}

/** Statistics as a correct writer computes them: bounds do not include NaN. */
function statisticsOf(cells: readonly Cell[]): ColumnStatistics {
  const values = cells.filter((cell) => cell !== null && !Number.isNaN(cell)).map(scalarOf)
  const sorted = values.toSorted(ascending)
  const [min, max] = [sorted[0], sorted.at(-1)]
  const nulls = cells.filter((cell) => cell === null).length
  return min === undefined || max === undefined ? { nulls } : { min, max, nulls }
}

export function scalarOf(cell: Cell): Scalar {
  if (typeof cell === 'boolean') return { kind: 'bool', value: cell }
  if (typeof cell === 'bigint') return { kind: 'int', value: cell }
  if (typeof cell === 'number') return { kind: 'float', value: cell }
  return { kind: 'bytes', value: Buffer.from(String(cell)) }
}

function ascending(a: Scalar, b: Scalar): number {
  if (a.kind === 'bytes' && b.kind === 'bytes') return Buffer.compare(a.value, b.value)
  return a.value < b.value ? -1 : Number(a.value > b.value)
}

/** Bounds that hold, but are not values of the column. */
function loosened({ min, max }: ColumnStatistics): ColumnStatistics {
  return { ...(min && { min: moved(min, -1) }), ...(max && { max: moved(max, 1) }) }
}

function moved(scalar: Scalar, by: 1 | -1): Scalar {
  switch (scalar.kind) {
    case 'bool':
      return { kind: 'bool', value: by > 0 }
    case 'int':
      return { kind: 'int', value: scalar.value + BigInt(by) }
    case 'float':
      return { kind: 'float', value: scalar.value + by * Math.abs(scalar.value) }
    case 'bytes':
      return {
        kind: 'bytes',
        value: by > 0 ? Buffer.concat([scalar.value, Buffer.of(255)]) : scalar.value.subarray(0, 1),
      }
  }
}

const UNITS: readonly TimeUnit[] = ['second', 'millisecond', 'microsecond', 'nanosecond']

/** The column in the `choice`th of the types that widen to its own type and can hold its values. */
export function narrowed(column: TestColumn, choice: number): TestColumn {
  const candidates = narrowerTypes(column.type).flatMap((type) => {
    const cells = column.cells.map((cell) => narrowedCell(cell, column.type, type))
    return cells.includes(undefined) ? [] : [{ name: column.name, type, cells: cells as Cell[] }]
  })
  const all = [column, ...candidates]
  return all[choice % all.length] ?? column
}

function narrowerTypes(type: DataType): DataType[] {
  const ints = ([8, 16, 32] as const).map((bits): DataType => ({ kind: 'int', bits, signed: true }))
  if (type.kind === 'int' && type.signed)
    return ints.filter((each) => 'bits' in each && each.bits < type.bits)
  if (type.kind === 'float' && type.bits === 64) return [...ints, { kind: 'float', bits: 32 }]
  if (type.kind !== 'timestamp') return []
  return UNITS.slice(0, UNITS.indexOf(type.unit)).map((unit) => ({ ...type, unit }))
}

/** The value in a narrower type. Undefined: that type cannot hold it. */
function narrowedCell(cell: Cell, from: DataType, to: DataType): Cell | undefined {
  if (cell === null) return null
  if (to.kind === 'float') return Object.is(Math.fround(Number(cell)), cell) ? cell : undefined
  if (to.kind === 'int') {
    const isWhole = typeof cell === 'bigint' || (Number.isInteger(cell) && !Object.is(cell, -0))
    const value = isWhole ? BigInt(cell) : null
    return value !== null && BigInt.asIntN(to.bits, value) === value ? value : undefined
  }
  if (to.kind !== 'timestamp' || from.kind !== 'timestamp') return undefined
  const factor = 1_000n ** BigInt(UNITS.indexOf(from.unit) - UNITS.indexOf(to.unit))
  return BigInt(cell) % factor === 0n ? BigInt(cell) / factor : undefined
}
