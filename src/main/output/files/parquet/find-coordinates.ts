import { ServiceError } from '../../../../plan/errors.ts'
import { didYouMean } from '../../../../plan/nearest-name.ts'
import { type Field, typeName, valueType } from '../../../../plan/types/schema.ts'
import type { GeoparquetOptions } from './geoparquet-options.ts'

/** A coordinate of points: how messages call it, and the words by which a column is found. */
interface Coordinate {
  readonly name: string
  readonly option: 'longitude_column' | 'latitude_column'
  readonly words: ReadonlySet<string>
}

const LONGITUDE: Coordinate = Object.freeze({
  name: 'longitude',
  option: 'longitude_column',
  words: new Set(['lon', 'long', 'lng', 'longitude', 'easting', 'x']),
})

const LATITUDE: Coordinate = Object.freeze({
  name: 'latitude',
  option: 'latitude_column',
  words: new Set(['lat', 'latitude', 'northing', 'y']),
})

/**
 * The indexes of the columns of numbers that have the coordinates of points: those of the options, or those with a word in their names that
 * stands for the coordinate. Throws `unknown_column`, `type_mismatch` and `not_supported`.
 */
export function findCoordinates(
  fields: readonly Field[],
  { longitudeColumn, latitudeColumn }: GeoparquetOptions,
): { readonly longitude: number; readonly latitude: number } {
  return Object.freeze({
    longitude: coordinateOf(LONGITUDE, longitudeColumn, fields),
    latitude: coordinateOf(LATITUDE, latitudeColumn, fields),
  })
}

function coordinateOf(coordinate: Coordinate, given: string | null, fields: readonly Field[]): number {
  if (given !== null) return namedColumn(coordinate, given, fields)
  // A column that is called like the coordinate precedes one that has it among other words, as `lat_error` does.
  const isWhole = fields.findIndex(
    (field) => isNumber(field) && coordinate.words.has(field.name.toLowerCase()),
  )
  if (isWhole >= 0) return isWhole
  const hasWord = fields.findIndex((field) => isNumber(field) && hasWordOf(coordinate, field.name))
  if (hasWord >= 0) return hasWord
  throw new ServiceError(
    'not_supported',
    `output.format: no column of numbers has a name that stands for the ${coordinate.name} (${[...coordinate.words].join(', ')}); name it as "${coordinate.option}"`,
  )
}

function namedColumn({ name, option }: Coordinate, given: string, fields: readonly Field[]): number {
  const path = `output.format.geoparquet.${option}`
  const index = fields.findIndex((field) => field.name === given)
  const coordinate = fields[index]
  if (coordinate === undefined) {
    const hint = didYouMean(
      given,
      fields.map((field) => field.name),
    )
    const message = `${path}: the answer has no column ${JSON.stringify(given)}${hint}`
    throw new ServiceError('unknown_column', message, { column: given })
  }
  if (!isNumber(coordinate))
    throw new ServiceError(
      'type_mismatch',
      `${path}: column ${JSON.stringify(given)} is ${typeName(coordinate.type)}, and the ${name} has to be a number; cast it to DOUBLE`,
    )
  return index
}

/** Whether a word of the name, which has words in snake_case or camelCase or with other signs in between, stands for a coordinate. */
function hasWordOf({ words }: Coordinate, name: string): boolean {
  const parted = name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').toLowerCase()
  return parted.split(/[^\p{L}\p{N}]+/u).some((word) => words.has(word))
}

function isNumber({ type }: Field): boolean {
  const { kind } = valueType(type)
  return kind === 'int' || kind === 'float' || kind === 'decimal'
}
