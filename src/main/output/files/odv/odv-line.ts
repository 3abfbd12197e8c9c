import type { OdvField } from '../../../../plan/output/odv-plan.ts'
import type { Field } from '../../../../plan/types/schema.ts'
import type { OdvColumn } from './odv-options.ts'
import type { OdvValueType } from './odv-types.ts'

/** A column that a request names, with what it says of it. */
export interface NamedColumn {
  readonly field: Field
  /** Its index in the plan. */
  readonly index: number
  readonly said: OdvColumn
}

/** The columns that a request names, and its scheme of quality flags. */
export interface NamedColumns {
  readonly key: Omit<NamedColumn, 'said'>
  readonly longitude: NamedColumn
  readonly latitude: NamedColumn
  readonly time: NamedColumn
  readonly depth: NamedColumn
  readonly data: readonly NamedColumn[]
  readonly meta: readonly NamedColumn[]
  /** Columns of quality flags, by the columns of which they are. */
  readonly flags: ReadonlyMap<OdvColumn, number>
  /** Columns that are called as the generated ones, which they replace. */
  readonly station: number | null
  readonly type: number | null
  readonly qfSchema: string
}

/** The titles of columns that every file has. */
export const TITLES = Object.freeze({
  key: 'Cruise',
  station: 'Station',
  type: 'Type',
  time: 'yyyy-MM-ddTHH:mm:ss.SSS',
  longitude: 'Longitude [degrees east]',
  latitude: 'Latitude [degrees north]',
  isoTime: 'time_ISO8601',
})

/** The types of generated columns in headers. */
export const GENERATED_TYPES = Object.freeze({
  station: 'INDEXED_TEXT' satisfies OdvValueType,
  type: 'TEXT:2',
})

/** The title of a column: its name and its units. */
export function titleOf({ columnName, units }: OdvColumn): string {
  return units === null || units === '' ? columnName : `${columnName} [${units}]`
}

/** The fields of a line. The quality flags of a column follow it. */
export function lineOf(columns: NamedColumns): OdvField[] {
  const { key, longitude, latitude, time, depth, data, meta, flags, qfSchema } = columns
  const field = (title: string, value: OdvField['value']): OdvField => Object.freeze({ title, value })
  const fieldsWithFlag = (label: string, { said, index }: NamedColumn): OdvField[] => {
    const flag = flags.get(said)
    return [field(label, index), ...(flag === undefined ? [] : [field(`QV:${qfSchema}:${label}`, flag)])]
  }
  const line = [
    field(TITLES.key, key.index),
    field(TITLES.station, columns.station ?? 'station'),
    field(TITLES.type, columns.type ?? 'type'),
    field(TITLES.time, time.index),
    field(TITLES.longitude, longitude.index),
    field(TITLES.latitude, latitude.index),
    ...fieldsWithFlag(TITLES.isoTime, time),
    ...fieldsWithFlag(titleOf(depth.said), depth),
    ...data.flatMap((column) => fieldsWithFlag(titleOf(column.said), column)),
    ...meta.map((column) => field(titleOf(column.said), column.index)),
  ]
  // What is named twice, or replaces a generated column, is there once.
  const isFirst = ({ title, value }: OdvField, place: number): boolean =>
    line.findIndex((other) => other.title === title && other.value === value) === place
  return line.filter(isFirst)
}
