import { boundsOf } from '../../../../plan/condition/bounds.ts'
import { all } from '../../../../plan/condition/combine.ts'
import { compareScalars } from '../../../../plan/condition/compare.ts'
import type { Condition } from '../../../../plan/condition/condition.ts'
import { mayMatch } from '../../../../plan/condition/prune.ts'
import { constantExpression } from '../../../../plan/expression.ts'
import type { ScanSpec } from '../../../../plan/scan.ts'
import { sortedSteps } from '../../../../plan/sorted-steps.ts'
import { rowsIn } from '../../../../plan/source/range.ts'
import type { Unit } from '../../../../plan/source/unit.ts'
import { type UnitSpace, unitAt } from '../../../../plan/source/unit-space.ts'
import { STEP_ITEMS, type Steps } from '../../../../plan/steps.ts'
import { INT64, type SortKey } from '../../../../plan/task/finish.ts'
import type { Fragment } from '../../../../plan/task/fragment.ts'
import type { KeyMark } from '../../../../plan/task/task.ts'
import type { Scalar } from '../../../../plan/types/scalar.ts'
import { type DataType, field } from '../../../../plan/types/schema.ts'
import type { UnitRequest } from '../unit-request.ts'
import type { UnitSequence } from '../unit-sequence.ts'
import type { SegmentKey } from './sort-keys.ts'
import { compareKeys, order, reachTo, type TopKey, topKey } from './top-key.ts'

type Top = Extract<Fragment, { kind: 'top' }>

/** The units of a query for the first rows in an order. Units that may have the very first rows come first. */
export interface TopUnits {
  readonly units: UnitSequence
  /** The number of units that have been left out by their statistics. */
  readonly pruned: number
  /** The columns of fragments: those of the projection, and then the unit's number, by which equal rows stay in file order. */
  readonly scan: ScanSpec
  readonly fragment: Top
  /** What to ask of a unit when it is its turn. Null: by now none of its rows can be among the first. */
  requestOf(index: number): UnitRequest | null
  /** The scan with a filter that drops rows which cannot be among the first, as far as is known by now. */
  wanted(): ScanSpec
  /** Adds the marks of a fragment. Rows that come after the last of the wanted rows found so far need not be read. */
  addMarks(marks: readonly KeyMark[]): void
}

export interface TopUnitsOptions {
  readonly scan: ScanSpec
  readonly fragment: Top
  /** The units in file order. */
  readonly units: UnitSpace
  /** The statistics of the first sort key for a unit. */
  keyOf(unit: Unit): SegmentKey
}

const INT32: DataType = Object.freeze({ kind: 'int', bits: 32, signed: true })
const MOST_INT32 = 2 ** 31 - 1

/**
 * Orders units by the statistics of the first sort key. As soon as `limit` rows are known to exist up to some key, from statistics
 * or from the marks of fragments, rows after that key are dropped, and units that have no others are left out. Units of grids
 * are not sorted, since there may be any number of them: they stay in file order, and each is tested when it is its turn.
 */
export function* planTopUnits({ scan, fragment, units, keyOf }: TopUnitsOptions): Steps<TopUnits> {
  const [first] = fragment.order
  const key = first === undefined ? null : topKey(scan, first)
  /** The rows that may be among the first, by the key's column. Null: all of them so far. */
  let reach: Condition | null = null
  /** The key that `reach` goes up to. */
  let best: Scalar | null | undefined
  /** The marks of all fragments in the order of their keys, up to the one with which `limit` rows are reached. */
  let marks: readonly KeyMark[] = []

  function addMarks(others: readonly KeyMark[]): void {
    if (key === null) return
    const definiteMarks = others.filter((mark) => mark.key !== null || key.areNullsFirst)
    const all = [...marks, ...definiteMarks].sort((a, b) => order(key, a.key, b.key))
    let rows = 0
    const end = all.findIndex((mark) => {
      rows += mark.rows
      return rows >= fragment.limit
    })
    marks = end === -1 ? all : all.slice(0, end + 1)
    const last = all[end]
    if (last !== undefined) reachKey(last.key)
  }

  function reachKey(last: Scalar | null): void {
    if (key === null || (best !== undefined && order(key, last, best) >= 0)) return
    best = last
    reach = reachTo(key, last)
  }

  const mayBeWanted = ({ segment: { statistics, rows } }: Visit): boolean =>
    reach === null || statistics === null || rows === null || mayMatch(reach, () => statistics, rows)
  const wanted = (): ScanSpec => {
    if (reach === null) return scan
    return { ...scan, filter: scan.filter === null ? reach : all([scan.filter, reach]) }
  }
  const visitOf = (index: number): Visit => {
    const unit = unitAt(units, index)
    return { unit, index, segment: keyOf(unit) }
  }

  /** All units in the order of their keys, without those that have no row among the first. */
  function* sort(): Steps<readonly Visit[]> {
    const visits: Visit[] = []
    for (let index = 0; index < units.count; index++) {
      visits.push(visitOf(index))
      if (index % STEP_ITEMS === STEP_ITEMS - 1) yield
    }
    if (key === null) return visits
    const inOrder = yield* sortedSteps(visits, (a, b) => compareKeys(key, a.segment, b.segment))
    // With a filter, statistics do not tell how many rows up to a key pass.
    const sure = scan.filter === null ? yield* sureKey(key, inOrder, fragment.limit) : null
    if (sure !== null) reachKey(sure)
    const wantedVisits: Visit[] = []
    for (const [index, visit] of inOrder.entries()) {
      if (mayBeWanted(visit)) wantedVisits.push(visit)
      if (index % STEP_ITEMS === STEP_ITEMS - 1) yield
    }
    return wantedVisits
  }

  const isListed = units.runs.every(({ kind }) => kind === 'list')
  const sortedVisits = isListed ? yield* sort() : null
  const count = sortedVisits?.length ?? units.count
  const visitAt = (index: number): Visit => {
    const visit = sortedVisits === null ? visitOf(index) : sortedVisits[index]
    if (visit === undefined) throw new RangeError(`unit ${index} of ${count}`)
    return visit
  }
  const number: SortKey = { column: scan.projection.length, isDescending: false, areNullsFirst: false }
  const numberedTop: Top = { ...fragment, order: [...fragment.order, number] }
  const type = units.count > MOST_INT32 ? INT64 : INT32
  return {
    units: { count, at: (index) => visitAt(index).unit },
    pruned: units.count - count,
    scan: withUnitNumber(scan, 0, type),
    fragment: numberedTop,
    wanted,
    requestOf(index) {
      const visit = visitAt(index)
      if (!mayBeWanted(visit)) return null
      return { scan: withUnitNumber(wanted(), visit.index, type), fragment: numberedTop, more: [] }
    },
    addMarks,
  }
}

/** A unit at its turn. */
interface Visit {
  readonly unit: Unit
  /** Its index among the units in file order. */
  readonly index: number
  readonly segment: SegmentKey
}

/** The scan with the number of the unit as a further column. */
function withUnitNumber(scan: ScanSpec, unit: number, type: DataType): ScanSpec {
  const value: Scalar = { kind: 'int', value: BigInt(unit) }
  return {
    ...scan,
    projection: [
      ...scan.projection,
      { expression: constantExpression(value, type), field: field('unit', type) },
    ],
  }
}

/**
 * A key up to which there are at least `limit` rows, by the statistics of units alone. Null: not known. For a float column in
 * ascending order it is never known, because NaN comes after the greatest value and is not in the statistics.
 */
function* sureKey(key: TopKey, visits: readonly Visit[], limit: number): Steps<Scalar | null> {
  if (key.operand.type.kind === 'float' && !key.isDescending) return null
  const held: { readonly last: Scalar; readonly rows: number }[] = []
  for (const [index, { unit, segment }] of visits.entries()) {
    if (index % STEP_ITEMS === STEP_ITEMS - 1) yield
    const rowsOfUnit = rowsIn(unit)
    if (segment.statistics?.nulls === undefined || rowsOfUnit === null) continue
    const { min, max } = boundsOf(segment.statistics)
    const last = key.isDescending ? min : max
    const rows = rowsOfUnit - segment.statistics.nulls
    if (last !== null && rows > 0) held.push({ last, rows })
  }
  const direction = key.isDescending ? -1 : 1
  const inOrder = yield* sortedSteps(held, (a, b) => direction * compareScalars(a.last, b.last))
  let rows = 0
  for (const each of inOrder) {
    rows += each.rows
    if (rows >= limit) return each.last
  }
  return null
}
