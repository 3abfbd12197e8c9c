import { ServiceError } from '../../../../plan/errors.ts'
import { didYouMean, listNames } from '../../../../plan/nearest-name.ts'
import type { GridPlan, GridVariable } from '../../../../plan/output/grid-plan.ts'
import { type Field, fieldIndexes, type Schema, valueType } from '../../../../plan/types/schema.ts'
import { attributePlans, attributesOfField, splitFields, withoutPlanned } from '../netcdf/attributes.ts'
import { variableNames } from '../netcdf/check-names.ts'
import type { GridOptions } from './grid-options.ts'
import { gridType } from './grid-type.ts'

/** The most dimensions that a dataset of HDF5 has (`H5S_MAX_RANK`). */
const MAX_DIMENSIONS = 32

/**
 * The plan of a grid. Throws `invalid_query` for a list of dimensions that is empty, too long or has a column twice, and for a name that
 * no variable can have, `unknown_column` for a dimension that is no column, and `not_supported` for a type that a grid does not have.
 */
export function gridPlan(
  { fields }: Schema,
  { dimensionColumns, compression }: GridOptions,
  maximumBytes: number,
): GridPlan {
  const dimensionFields = dimensionIndexes(fields, dimensionColumns)
  const split = splitFields(fields, dimensionFields)
  const names = variableNames(split.variables.map(({ field }) => field.name))
  const variables = split.variables.map(({ column, field }, index): GridVariable => {
    const type = gridType(field)
    const { kind } = valueType(field.type)
    const isAxis = dimensionFields.includes(column) && (kind === 'int' || kind === 'float')
    const axis = isAxis ? axisOf(field.name) : null
    const isDescribed = split.isDescribed(field)
    const attributes = attributesOfField(field, {}, isDescribed)
    return Object.freeze({ column, name: names[index] ?? field.name, type, axis, isDescribed, attributes })
  })
  const attributes = attributePlans(split.attributes, fields, variables)
  const dimensions = dimensionFields.map((index) => variables.findIndex(({ column }) => column === index))
  return Object.freeze({
    kind: 'nd_netcdf',
    variables: withoutPlanned(variables, attributes),
    attributes,
    dimensions: Object.freeze(dimensions),
    maximumBytes,
    compression,
  })
}

function dimensionIndexes(fields: readonly Field[], columns: readonly string[]): readonly number[] {
  const refuse = (message: string): never => {
    throw new ServiceError('invalid_query', `"dimension_columns" of "nd_netcdf" ${message}.`)
  }
  if (columns.length === 0) refuse('is empty; name at least one column, whose values become a dimension')
  if (columns.length > MAX_DIMENSIONS)
    refuse(`names ${columns.length} columns; a file has at most ${MAX_DIMENSIONS} dimensions`)
  const indexes = fieldIndexes(fields)
  const dimensions = columns.map((name, position) => {
    if (columns.indexOf(name) !== position) refuse(`names ${JSON.stringify(name)} twice`)
    return indexes.get(name) ?? unknown(name, [...indexes.keys()])
  })
  return Object.freeze(dimensions)
}

function unknown(name: string, names: readonly string[]): never {
  throw new ServiceError(
    'unknown_column',
    `"dimension_columns" of "nd_netcdf" names ${JSON.stringify(name)}, which is no column of the result${didYouMean(name, names)}; ` +
      `it has ${listNames(names)}.`,
  )
}

const WORDS: ReadonlyMap<string, GridVariable['axis']> = new Map([
  ['lat', 'latitude'],
  ['latitude', 'latitude'],
  ['lon', 'longitude'],
  ['long', 'longitude'],
  ['lng', 'longitude'],
  ['longitude', 'longitude'],
])

/** What a dimension is by a whole word of its name: `latitude`, `obs.LAT`, `gridLon`. */
function axisOf(name: string): GridVariable['axis'] {
  const words = name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
  return words.map((word) => WORDS.get(word) ?? null).find((axis) => axis !== null) ?? null
}
