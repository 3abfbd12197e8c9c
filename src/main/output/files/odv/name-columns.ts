import { ServiceError } from '../../../../plan/errors.ts'
import { didYouMean, listNames } from '../../../../plan/nearest-name.ts'
import { type Field, fieldIndexes, type Schema } from '../../../../plan/types/schema.ts'
import { type NamedColumn, type NamedColumns, TITLES } from './odv-line.ts'
import type { OdvColumn, OdvOptions } from './odv-options.ts'
import { requireNumber, requireOdvType, requireText, requireTime } from './odv-types.ts'

/** The columns of an answer that its ODV options name. */
export interface NamedAnswer {
  readonly columns: NamedColumns
  readonly featureType: number | null
  /** The columns that are read, by their indexes in the answer. All other indexes are of this list. */
  readonly read: readonly number[]
}

const PATH = 'output.format.odv'

/**
 * Finds the columns that the options name. Throws `unknown_column` for a name that no column of the answer has, and `not_supported` for
 * columns whose types or names the format cannot have.
 */
export function nameColumns({ fields }: Schema, options: OdvOptions): NamedAnswer {
  const indexes = fieldIndexes(fields)
  const read: number[] = []
  const flags = new Map<OdvColumn, number>()

  function find(name: string, path: string, require = requireOdvType): { field: Field; index: number } {
    const fieldIndex = indexes.get(name)
    const field = fields[fieldIndex ?? -1]
    if (fieldIndex === undefined || field === undefined) throw unknown(name, path, [...indexes.keys()])
    require(field, path)
    if (!read.includes(fieldIndex)) read.push(fieldIndex)
    return { field, index: read.indexOf(fieldIndex) }
  }

  function nameColumn(said: OdvColumn, path: string, require = requireOdvType): NamedColumn {
    requirePlain(said.columnName, `${path}.column_name`)
    requirePlain(said.units ?? '', `${path}.units`)
    requirePlain(said.comment ?? '', `${path}.comment`)
    return { ...find(said.columnName, `${path}.column_name`, require), said }
  }

  function flag(column: NamedColumn, path: string): NamedColumn {
    const { qfColumn } = column.said
    if (qfColumn !== null) flags.set(column.said, find(qfColumn, `${path}.qf_column`).index)
    return column
  }

  const { featureTypeColumn, qfSchema } = options
  const at = (member: string): string => `${PATH}.${member}`
  requirePlain(qfSchema, at('qf_schema'))
  const findGenerated = (title: string): number | null =>
    indexes.has(title) ? find(title, PATH).index : null
  const columns: NamedColumns = {
    key: find(options.keyColumn, at('key_column')),
    longitude: nameColumn(options.longitudeColumn, at('longitude_column'), requireNumber),
    latitude: nameColumn(options.latitudeColumn, at('latitude_column'), requireNumber),
    time: flag(nameColumn(options.timeColumn, at('time_column'), requireTime), at('time_column')),
    depth: flag(nameColumn(options.depthColumn, at('depth_column'), requireNumber), at('depth_column')),
    data: options.dataColumns.map((column, index) => {
      const path = at(`data_columns[${index}]`)
      return flag(nameColumn(column, path), path)
    }),
    meta: options.metaColumns.map((column, index) => nameColumn(column, at(`meta_columns[${index}]`))),
    flags,
    station: findGenerated(TITLES.station),
    type: findGenerated(TITLES.type),
    qfSchema,
  }
  const featureType =
    featureTypeColumn === null ? null : find(featureTypeColumn, at('feature_type_column'), requireText).index
  return { columns, featureType, read }
}

/** Names and comments stand in lines, and names between tabs. */
function requirePlain(text: string, path: string): void {
  const isControl = (character: string): boolean => character < ' ' || character === '\u007f'
  if (![...text].some(isControl)) return
  throw new ServiceError(
    'not_supported',
    `${path}: ${JSON.stringify(text)} has a control character, such as a tab or a line end, which the ODV format cannot have there; write it without, or give the column an alias`,
  )
}

function unknown(name: string, path: string, names: readonly string[]): ServiceError {
  const column = JSON.stringify(name)
  return new ServiceError(
    'unknown_column',
    `${path}: there is no column ${column} in the answer${didYouMean(name, names) || ';'} It has ${listNames(names)}`,
    { column: name },
  )
}
