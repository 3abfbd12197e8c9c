/**
 * The kinds of stations: those of the CF conventions by which a column may name them, and `error` for one in which position, time
 * and depth all change.
 */
export type StationKind = FeatureType | 'error'

const FEATURE_TYPES = [
  'profile',
  'timeSeries',
  'trajectory',
  'trajectoryProfile',
  'timeSeriesProfile',
] as const
export type FeatureType = (typeof FEATURE_TYPES)[number]

/** The kind that a value of the column of feature types names, with upper and lower case as in the CF conventions. Null: none. */
export function featureType(word: string | null): FeatureType | null {
  return FEATURE_TYPES.find((type) => type === word) ?? null
}

/** What may change from a row to the next, as bits. */
export const CHANGED = Object.freeze({ key: 1, position: 2, time: 4, depth: 8 })
const { position: POSITION, time: TIME, depth: DEPTH } = CHANGED
const ALL = POSITION | TIME | DEPTH

/** The kind of a station: the one that is named, or that which follows from all that changes in it. */
export function kindOf({ named, changes }: Pick<StationRows, 'named' | 'changes'>): StationKind {
  if (named !== null) return named
  switch (changes & ALL) {
    case ALL:
      return 'error'
    case POSITION | TIME:
      return 'trajectory'
    case TIME:
      return 'timeSeries'
    default:
      return 'profile'
  }
}

/** The kind of a station that more rows cannot change. Null: they may. */
export function finalKind(station: StationRows): StationKind | null {
  return station.named !== null || (station.changes & ALL) === ALL ? kindOf(station) : null
}

/** The changes with which a profile of its own begins within a station. None: it is one profile, if it has any. */
export function findSplittingChanges(kind: StationKind): number {
  if (kind === 'trajectoryProfile') return POSITION | TIME
  return kind === 'timeSeriesProfile' ? TIME : 0
}

/** The files of an archive in their order, with what each says it holds. */
export const ODV_FILES = Object.freeze([
  Object.freeze({ name: 'profile.txt', dataType: 'Profiles', isByTime: false }),
  Object.freeze({ name: 'timeseries.txt', dataType: 'TimeSeries', isByTime: true }),
  Object.freeze({ name: 'trajectories.txt', dataType: 'Trajectories', isByTime: true }),
  Object.freeze({ name: 'errors.txt', dataType: 'Error', isByTime: false }),
])

/** The index of the file in `ODV_FILES` that has the stations of a kind. */
export function fileOf(kind: StationKind): number {
  switch (kind) {
    case 'timeSeries':
      return 1
    case 'trajectory':
      return 2
    case 'error':
      return 3
    default:
      return 0
  }
}

/** The summary of a run of sorted rows. */
export interface RunStations {
  /** For each record batch of the run its rows and the bytes of its metadata. */
  readonly batches: readonly { readonly rows: number; readonly metadataBytes: number }[]
  readonly first: RowIdentity
  readonly last: RowIdentity
  /** The station of the first row, as far as it is in the run. */
  readonly head: StationRows
  /** That of the last row. Null: it is the same. */
  readonly tail: StationRows | null
}

/** The values of a row by which it is compared with the next one, as text that is equal where they are. */
export interface RowIdentity {
  readonly key: string
  readonly position: string
  readonly time: string
  readonly depth: string
}

/** The rows of a station, or those of them in a run. */
export interface StationRows {
  readonly rows: number
  /** The kind that the first of these rows names. Null: none. */
  readonly named: FeatureType | null
  /** All changes from a row to the next. */
  readonly changes: number
  /** How many rows have another position or time than the row before, and how many another time. */
  readonly moves: number
  readonly steps: number
}

/** The bits in which two rows that follow each other differ. */
export function changesBetween(a: RowIdentity, b: RowIdentity): number {
  return (
    (a.key === b.key ? 0 : CHANGED.key) |
    (a.position === b.position ? 0 : POSITION) |
    (a.time === b.time ? 0 : TIME) |
    (a.depth === b.depth ? 0 : DEPTH)
  )
}

/** A station of a row and those after it, of which the first differs from it by `changes`. */
export function joinedStation(before: StationRows, changes: number, after: StationRows): StationRows {
  return {
    rows: before.rows + after.rows,
    named: before.named,
    changes: before.changes | changes | after.changes,
    moves: before.moves + ((changes & (POSITION | TIME)) === 0 ? 0 : 1) + after.moves,
    steps: before.steps + ((changes & TIME) === 0 ? 0 : 1) + after.steps,
  }
}

/** How many profiles of their own begin in the rows of a station after its first one. */
export function splitsOf(kind: StationKind, { moves, steps }: Pick<StationRows, 'moves' | 'steps'>): number {
  if (kind === 'trajectoryProfile') return moves
  return kind === 'timeSeriesProfile' ? steps : 0
}
