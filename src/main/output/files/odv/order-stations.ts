import type { ContinuedStation } from '../../../../plan/output/odv-plan.ts'
import {
  CHANGED,
  changesBetween,
  finalKind,
  findSplittingChanges,
  joinedStation,
  kindOf,
  type RowIdentity,
  type RunStations,
  type StationKind,
  type StationRows,
  splitsOf,
} from '../../../../plan/output/odv-stations.ts'

/** What the text of a run needs to know of the runs around it. */
export interface RunBorders {
  readonly head: ContinuedStation | null
  readonly tail: StationKind | null
}

/** Follows stations through runs of sorted rows, since a station may have more rows than a run. */
export interface StationOrder {
  /** Takes the next run. Returns the borders of those runs that are known with it, in their order: of earlier ones, or of this one. */
  add(run: RunStations): readonly RunBorders[]
  /** The borders of the runs that are left, when there is no other run. */
  rest(): readonly RunBorders[]
}

/** A run of which it is not known yet what its last station is. */
interface OpenRun {
  readonly head: ContinuedStation | null
  /** Of a run that has rows of that station only: its rows before, if there are any. */
  readonly before: RowsBefore | null
}

/** The rows of a station before a run, and what changes with the run's first row. */
interface RowsBefore {
  readonly station: StationRows
  readonly changes: number
}

export function createStationOrder(): StationOrder {
  /** The last station, as far as it is known, and the last row. */
  let open: { readonly station: StationRows; readonly last: RowIdentity } | null = null
  let runs: OpenRun[] = []

  function bordersOf(kind: StationKind): readonly RunBorders[] {
    const borders = runs.map(({ head, before }) =>
      before === null ? { head, tail: kind } : { head: continueStation(before, kind), tail: null },
    )
    runs = []
    return borders
  }

  function rest(): readonly RunBorders[] {
    return open === null ? [] : bordersOf(kindOf(open.station))
  }

  return {
    add({ first, last, head, tail }) {
      const changes = open === null ? CHANGED.key : changesBetween(open.last, first)
      const before =
        open === null || (changes & CHANGED.key) !== 0 ? null : { station: open.station, changes }
      const borders = before === null ? [...rest()] : []
      const station = before === null ? head : joinedStation(before.station, changes, head)
      if (tail !== null && before !== null) borders.push(...bordersOf(kindOf(station)))
      runs.push(
        tail === null
          ? { head: null, before }
          : { head: before && continueStation(before, kindOf(station)), before: null },
      )
      open = { station: tail ?? station, last }
      const kind = finalKind(open.station)
      return kind === null ? borders : [...borders, ...bordersOf(kind)]
    },
    rest,
  }
}

function continueStation({ station, changes }: RowsBefore, kind: StationKind): ContinuedStation {
  const begins = (changes & findSplittingChanges(kind)) !== 0
  return { kind, rows: station.rows, profile: splitsOf(kind, station) + (begins ? 1 : 0) }
}
