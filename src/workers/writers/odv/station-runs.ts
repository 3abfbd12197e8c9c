import type { ContinuedStation } from '../../../plan/output/odv-plan.ts'
import {
  CHANGED,
  type FeatureType,
  findSplittingChanges,
  kindOf,
  type StationKind,
  type StationRows,
} from '../../../plan/output/odv-stations.ts'

/** Rows of one station that follow each other: `from`..`to`, `to` excluded. */
export interface Station extends StationRows {
  readonly from: number
  readonly to: number
}

/**
 * The stations of sorted rows. `changes` has the bits by which each row differs from the one before it, of the first row those do not
 * count. `named` gives the kind that a row names.
 */
export function stationsOf(changes: Uint8Array, named: (row: number) => FeatureType | null): Station[] {
  const stations: Station[] = []
  const rows = changes.length
  for (let from = 0; from < rows; ) {
    let [all, moves, steps] = [0, 0, 0]
    let to = from + 1
    for (; to < rows; to++) {
      const bits = changes[to] ?? 0
      if ((bits & CHANGED.key) !== 0) break
      all |= bits
      if ((bits & (CHANGED.position | CHANGED.time)) !== 0) moves++
      if ((bits & CHANGED.time) !== 0) steps++
    }
    stations.push({ from, to, rows: to - from, named: named(from), changes: all, moves, steps })
    from = to
  }
  return stations
}

/** A station with its kind, and where its rows begin to be counted. */
export interface KindOfStation {
  readonly station: Station
  readonly kind: StationKind
  readonly rows: number
  readonly profile: number
}

/** The number of each row in its station, from 1 on, if this is a trajectory; 1 in others. Null: all are 1. */
export function rowNumbers(stations: readonly KindOfStation[], rows: number): Uint32Array | null {
  if (!stations.some(({ kind }) => kind === 'trajectory')) return null
  const numbers = new Uint32Array(rows).fill(1)
  for (const { station, kind, rows: before } of stations) {
    if (kind !== 'trajectory') continue
    for (let row = station.from; row < station.to; row++) numbers[row] = before + row - station.from + 1
  }
  return numbers
}

/** The numbers of profiles in stations that consist of several. `validity` has a bit for each row that has one. */
export interface ProfileNumbers {
  readonly validity: Uint8Array
  readonly numbers: Uint32Array
}

/** Null: there is no such station. */
export function profileNumbers(
  stations: readonly KindOfStation[],
  changes: Uint8Array,
): ProfileNumbers | null {
  const rows = changes.length
  if (stations.every(({ kind }) => findSplittingChanges(kind) === 0)) return null
  const validity = new Uint8Array(Math.ceil(rows / 8))
  const numbers = new Uint32Array(rows)
  for (const { station, kind, profile } of stations) {
    const splitting = findSplittingChanges(kind)
    if (splitting === 0) continue
    let number = profile
    for (let row = station.from; row < station.to; row++) {
      if (row > station.from && ((changes[row] ?? 0) & splitting) !== 0) number++
      numbers[row] = number
      validity[row >> 3] = (validity[row >> 3] ?? 0) | (1 << (row & 7))
    }
  }
  return { validity, numbers }
}

/** The kinds of the stations of a run. What `head` and `tail` say of the first and the last one goes before what its rows say. */
export function kindsOf(
  stations: readonly Station[],
  { head, tail }: { readonly head: ContinuedStation | null; readonly tail: StationKind | null },
): KindOfStation[] {
  return stations.map((station, index) => {
    if (index === 0 && head !== null)
      return { station, kind: head.kind, rows: head.rows, profile: head.profile }
    const kind = index === stations.length - 1 && tail !== null ? tail : kindOf(station)
    return { station, kind, rows: 0, profile: 0 }
  })
}
