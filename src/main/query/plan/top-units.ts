import { type ColumnExpression, constantExpression } from '../../../plan/expression.ts'
import { boundsOf } from '../../../plan/predicate/bounds.ts'
import { compareScalars } from '../../../plan/predicate/compare.ts'
import type { Predicate } from '../../../plan/predicate/predicate.ts'
import { mayMatch } from '../../../plan/predicate/prune.ts'
import type { ScanSpec } from '../../../plan/scan.ts'
import { rowsIn } from '../../../plan/source/range.ts'
import type { Unit } from '../../../plan/source/unit.ts'
import { type UnitSpace, unitAt } from '../../../plan/source/unit-space.ts'
import type { SortKey } from '../../../plan/task/finish.ts'
import type { Fragment } from '../../../plan/task/fragment.ts'
import type { Mark } from '../../../plan/task/task.ts'
import type { Scalar } from '../../../plan/types/scalar.ts'
import { type DataType, field } from '../../../plan/types/schema.ts'
import type { Piece } from './piece.ts'
import type { SegmentKey } from './prepare-scan.ts'
import type { UnitSequence } from './unit-sequence.ts'

export type Top = Extract<Fragment, { kind: 'top' }>

/** The units of a query for the first rows in an order, those first that may have the first of all. */
export interface TopUnits {
  readonly units: UnitSequence
  /** What partials hold: the projection and then the number of the unit, which says what comes first of equal rows. */
  readonly scan: ScanSpec
  readonly fragment: Top
  /** What is asked of the next unit; null: none of its rows can be among the first. */
  pieceOf(index: number): Piece | null
  /** The scan without what is known not to be wanted. */
  wanted(): ScanSpec
  /** Hears of rows of a unit: what comes after so many of all units as are wanted is not wanted. */
  found(marks: readonly Mark[]): void
}

export interface TopUnitsOptions {
  readonly scan: ScanSpec
  readonly fragment: Top
  /** In file order. */
  readonly units: UnitSpace
  keyOf(unit: Unit): SegmentKey
  /** Called with the number of units that are left out. */
  onPruned(units: number): void
}

const UNIT: DataType = Object.freeze({ kind: 'int', bits: 32, signed: true })

/**
 * Orders the units by their statistics, and leaves out more and more rows: those that come after the last of `limit` rows
 * that are known already, by what units hold for sure or by what workers have found.
 */
export function topUnits({ scan, fragment, units, keyOf: segmentOf, onPruned }: TopUnitsOptions): TopUnits {
  const [first] = fragment.order
  const key = first === undefined ? null : keyOf(scan, first)
  const visits: Visit[] = []
  for (let place = 0; place < units.count; place++) {
    const unit = unitAt(units, place)
    visits.push({ unit, place, segment: segmentOf(unit) })
  }
  if (key !== null) visits.sort((a, b) => earlier(key, a.segment, b.segment))
  /** What is wanted of the key's column; null: everything so far. */
  let reach: Predicate | null = null
  let best: Scalar | null | undefined
  /** Of all units, in their order; those after the first of so many rows as are wanted have been left out. */
  let marks: readonly Mark[] = []

  function found(others: readonly Mark[]): void {
    if (key === null) return
    const known = others.filter((mark) => mark.key !== null || key.areNullsFirst)
    const all = [...marks, ...known].sort((a, b) => order(key, a.key, b.key))
    let rows = 0
    const end = all.findIndex((mark) => {
      rows += mark.rows
      return rows >= fragment.limit
    })
    marks = end === -1 ? all : all.slice(0, end + 1)
    const last = all[end]
    if (last !== undefined) reached(last.key)
  }

  function reached(last: Scalar | null): void {
    if (key === null || (best !== undefined && order(key, last, best) >= 0)) return
    best = last
    reach = reachTo(key, last)
  }

  // Rows that a filter drops are none that a unit holds for sure.
  const sure = key === null || scan.filter !== null ? null : sureKey(key, visits, fragment.limit)
  if (sure !== null) reached(sure)

  const mayBeWanted = ({ segment: { known, rows } }: Visit): boolean =>
    reach === null || known === null || rows === null || mayMatch(reach, () => known, rows)
  const wanted = (): ScanSpec => {
    if (reach === null) return scan
    return { ...scan, filter: scan.filter === null ? reach : and(scan.filter, reach) }
  }
  const left = visits.filter(mayBeWanted)
  onPruned(visits.length - left.length)
  const number: SortKey = { column: scan.projection.length, isDescending: false, areNullsFirst: false }
  const numberedTop: Top = { ...fragment, order: [...fragment.order, number] }
  return {
    units: { count: left.length, at: (index) => visitAt(left, index).unit },
    scan: numbered(scan, 0),
    fragment: numberedTop,
    wanted,
    pieceOf(index) {
      const visit = left[index]
      if (visit !== undefined && mayBeWanted(visit))
        return { scan: numbered(wanted(), visit.place), fragment: numberedTop, more: [] }
      onPruned(1)
      return null
    },
    found,
  }
}

function visitAt(visits: readonly Visit[], index: number): Visit {
  const visit = visits[index]
  if (visit === undefined) throw new RangeError(`unit ${index} of ${visits.length}`)
  return visit
}

interface Visit {
  readonly unit: Unit
  /** Among the units in file order. */
  readonly place: number
  readonly segment: SegmentKey
}

/** A sort key that is a column whose values can be compared. */
interface Key extends SortKey {
  readonly operand: ColumnExpression
}

const COMPARED: readonly DataType['kind'][] = [
  'bool',
  'int',
  'float',
  'decimal',
  'utf8',
  'binary',
  'fixed_binary',
  'date',
  'time',
  'timestamp',
  'duration',
]

function keyOf({ projection }: ScanSpec, sort: SortKey): Key | null {
  const operand = projection[sort.column]?.expression
  return operand?.kind === 'column' && COMPARED.includes(operand.type.kind) ? { ...sort, operand } : null
}

function numbered(scan: ScanSpec, unit: number): ScanSpec {
  const value: Scalar = { kind: 'int', value: BigInt(unit) }
  return {
    ...scan,
    projection: [
      ...scan.projection,
      { expression: constantExpression(value, UNIT), field: field('unit', UNIT) },
    ],
  }
}

function and(...args: readonly Predicate[]): Predicate {
  return { op: 'and', args: args.flatMap((arg) => (arg.op === 'and' ? arg.args : [arg])) }
}

/** Negative where the first segment may hold rows that come before all of the second. */
function earlier(key: Key, a: SegmentKey, b: SegmentKey): number {
  const [x, y] = [firstOf(key, a), firstOf(key, b)]
  if (x === null || y === null || x === 'null' || y === 'null') return rank(x) - rank(y)
  return (key.isDescending ? -1 : 1) * compareScalars(x, y)
}

/** A bound of the first key in a segment, `null` where that may be a null; null: not known, or there is no value. */
function firstOf({ isDescending, areNullsFirst }: Key, { known, rows }: SegmentKey): Scalar | 'null' | null {
  if (known === null) return null
  if (areNullsFirst && known.nulls !== undefined && known.nulls > 0) return 'null'
  if (known.nulls === rows) return null
  const { min, max } = boundsOf(known)
  return isDescending ? max : min
}

function rank(first: Scalar | 'null' | null): number {
  return first === 'null' ? 0 : first === null ? 2 : 1
}

/**
 * A key that at least `limit` rows come up to, by the statistics of their units alone; null: not known. Of a float column
 * NaN comes after the greatest value that statistics tell, so rows ascending may come after it.
 */
function sureKey(key: Key, visits: readonly Visit[], limit: number): Scalar | null {
  if (key.operand.type.kind === 'float' && !key.isDescending) return null
  const held = visits.flatMap(({ unit, segment: { known } }) => {
    const rowsOfUnit = rowsIn(unit)
    if (known?.nulls === undefined || rowsOfUnit === null) return []
    const { min, max } = boundsOf(known)
    const last = key.isDescending ? min : max
    const rows = rowsOfUnit - known.nulls
    return last === null || rows <= 0 ? [] : [{ last, rows }]
  })
  held.sort((a, b) => (key.isDescending ? -1 : 1) * compareScalars(a.last, b.last))
  let rows = 0
  for (const each of held) {
    rows += each.rows
    if (rows >= limit) return each.last
  }
  return null
}

/** Negative where a key comes before another one. Null is told only where nulls come first. */
function order({ isDescending }: Key, a: Scalar | null, b: Scalar | null): number {
  if (a === null || b === null) return Number(b === null) - Number(a === null)
  return (isDescending ? -1 : 1) * compareScalars(a, b)
}

/** What comes not after a key. */
function reachTo({ operand, isDescending, areNullsFirst }: Key, last: Scalar | null): Predicate {
  const isNull: Predicate = { op: 'is_null', operand }
  if (last === null) return isNull
  const comparison = isDescending ? 'gt_eq' : 'lt_eq'
  const reach: Predicate = { op: 'compare', operand, comparison, value: last }
  return areNullsFirst ? { op: 'or', args: [isNull, reach] } : reach
}
