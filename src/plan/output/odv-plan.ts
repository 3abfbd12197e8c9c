import type { SortKey } from '../task/finish.ts'
import type { StationKind } from './odv-stations.ts'

/**
 * A ZIP archive of four files in the spreadsheet format of Ocean Data View (docs/reference/odv.md). The rows are sorted, and rows of one
 * key that follow each other are a station. Except in `columns` and `order`, columns are indexes of `columns`.
 */
export interface OdvPlan {
  readonly kind: 'odv'
  /** The columns of the answer that are read, by their indexes there. */
  readonly columns: readonly number[]
  /** The order of the rows: by key, time and depth. Its columns are indexes in the answer. */
  readonly order: readonly SortKey[]
  readonly key: number
  readonly longitude: number
  readonly latitude: number
  readonly time: number
  readonly depth: number
  /** The column that says of what kind a station is. Null: this follows from what changes in it. */
  readonly featureType: number | null
  /** The fields of a line. The first one is the key. */
  readonly line: readonly OdvField[]
  readonly compression: OdvCompression
}

export type OdvCompression = 'stored' | 'deflate' | 'zstd'

export interface OdvField {
  readonly title: string
  /** The column whose values it has; the number of the line in its station, or 1 if that is no trajectory; or `*`. */
  readonly value: number | 'station' | 'type'
}

/** Looks for the stations in a run of sorted rows. The bytes are the rows again, as record batches without dictionaries. */
export interface OdvStationsPlan {
  readonly kind: 'odv_stations'
  readonly odv: OdvPlan
}

/** Writes the text of a run of rows. The bytes are what goes into the archive. */
export interface OdvTextPlan {
  readonly kind: 'odv_text'
  readonly odv: OdvPlan
  /** Of the station of the first row, if it began in an earlier run. */
  readonly head: ContinuedStation | null
  /** The kind of the station of the last row, if it goes on in the next run and began in this one. */
  readonly tail: StationKind | null
}

/** What is known of a station from earlier runs. */
export interface ContinuedStation {
  readonly kind: StationKind
  /** Its rows in earlier runs. */
  readonly rows: number
  /** The number of the profile in it, from 0 on, that the first row of this run belongs to. */
  readonly profile: number
}
