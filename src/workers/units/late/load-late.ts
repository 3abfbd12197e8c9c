import type { ScanSpec } from '../../../plan/scan.ts'
import { segmentsOf } from '../../../plan/source/segments.ts'
import type { Column, Mask } from '../../../wasm/core/column.ts'
import type { Core } from '../../../wasm/core/core.ts'
import type { ReadContext } from '../../formats/provider.ts'
import { joinMasks } from '../join-masks.ts'
import type { UnitRows, UnitSource } from '../unit-rows.ts'
import { firstOf, loadFirsts } from './first-of.ts'
import type { LateArguments } from './late-arguments.ts'

/** The stored bytes of a row from which on columns are read late. Texts of few values, in a dictionary, take less than the search for the rows. */
const LATE_BYTES = 16

/** The rows at the beginning of a unit by which it is told whether groups have few rows, and the share of first rows from which on they have. */
const SAMPLED_ROWS = 8192
const MOST = 3 / 4

/** Whether columns have so many bytes stored that it is worth it to read them late. */
export function areLong(
  names: readonly string[],
  unitRows: UnitRows,
  { unit, file, store, context, textRows }: UnitSource,
): boolean {
  if (unit.kind !== 'rows' || textRows !== undefined) return false
  const segmentRows = segmentsOf(file.segments([], store, context))[unit.segment]?.rows ?? 0
  return names.reduce((sum, name) => sum + unitRows.storedBytes(name), 0) >= LATE_BYTES * segmentRows
}

/** Reads late arguments, unless one of them is null where a key is extreme: then the row with another key counts. */
export function loadLate(
  unitRows: UnitRows,
  { columns, firsts }: LateArguments,
  scan: ScanSpec,
  context: ReadContext,
): void {
  const { core } = context
  let extreme: Mask | null = null
  try {
    for (const each of firsts) {
      loadFirsts(unitRows, scan, each)
      const first = () => firstOf(unitRows, scan, each, context)
      if (extreme === null && areMany(unitRows, core, first)) return
      const some = first()
      extreme = extreme === null ? some : joinMasks(core, 'or', extreme, some)
    }
    if (extreme === null) return
    unitRows.among(extreme, () => unitRows.load(columns))
    for (const name of columns) {
      if (!hasNull(core, unitRows.column(name), extreme, unitRows.rows)) continue
      for (const each of columns) unitRows.drop(each)
      return
    }
  } finally {
    if (extreme !== null) core.freeMask(extreme)
  }
}

/** Whether most rows at the beginning are the first ones of groups. Then it is of no use to look for those of all rows. */
function areMany(unitRows: UnitRows, core: Core, first: () => Mask): boolean {
  const { rows, mask: passing } = unitRows
  if (rows <= 2 * SAMPLED_ROWS) return false
  const beginning = core.inRuns(rows, [{ from: 0, to: SAMPLED_ROWS }])
  let sampled = beginning
  try {
    if (passing !== null) sampled = core.and(beginning, passing)
    const firstMask = unitRows.among(sampled, first)
    const isMost = core.count(firstMask) > core.count(sampled) * MOST
    core.freeMask(firstMask)
    return isMost
  } finally {
    if (sampled !== beginning) core.freeMask(sampled)
    core.freeMask(beginning)
  }
}

/** Whether a column is null in a row that is true in a mask. */
function hasNull(core: Core, column: Column, among: Mask, rows: number): boolean {
  const nulls = core.isNull(column)
  try {
    const both = core.and(nulls, among)
    const hasAny = core.anyTrue(both, 0, rows)
    core.freeMask(both)
    return hasAny
  } finally {
    core.freeMask(nulls)
  }
}
