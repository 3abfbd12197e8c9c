import { at, checkMembers, type Members, readMembers, reject } from '../../../json/shape.ts'
import type { OutputOptionsForm } from '../../output-format.ts'

/** The options of a flat NetCDF file (docs/reference/json-language.md). */
export interface NetcdfOptions {
  /** The level of deflate, 1 to 9. 0: values are not compressed. */
  readonly compression: number
}

const MOST_COMPRESSION = 9

/** `compression` as JSON Schema. */
export const COMPRESSION_SCHEMA = Object.freeze({
  type: 'integer',
  minimum: 0,
  maximum: MOST_COMPRESSION,
  description: 'The level of deflate; 0 compresses nothing.',
})

/** Reads `compression`, which is 0 unless it is given. Throws `invalid_query` for what is no level. */
export function readCompression(members: Members, path: string): number {
  const value = members.get('compression') ?? 0
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MOST_COMPRESSION)
    return value
  return reject(at(path, 'compression'), `expects an integer from 0 to ${MOST_COMPRESSION}`)
}

export const NETCDF_OPTIONS: OutputOptionsForm<NetcdfOptions> = Object.freeze({
  schema: { type: 'object', properties: { compression: COMPRESSION_SCHEMA } },
  areRequired: false,
  read(value: unknown, path: string) {
    const members = readMembers(value, path)
    checkMembers(members, ['compression'], path)
    return Object.freeze({ compression: readCompression(members, path) })
  },
})
