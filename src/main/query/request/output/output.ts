import { alternatives } from '../../../../plan/alternatives.ts'
import { didYouMean } from '../../../../plan/nearest-name.ts'
import { OUTPUT_NAMES, type OutputName } from '../../../output/outputs.ts'
import {
  at,
  checkMembers,
  describe,
  isObject,
  type MemberHints,
  readArray,
  readMembers,
  readOptionalText,
  readText,
  reject,
  synonymsOf,
} from '../shape.ts'
import { type OdvOptions, readOdvOptions } from './odv-options.ts'

/** The format of an answer (docs/reference/json-language.md): one that this version writes, or another one of the language. */
export type Output = { readonly format: OutputName } | OtherOutput

type OtherOutput =
  | { readonly format: 'parquet' | 'netcdf' }
  | { readonly format: 'nd_netcdf'; readonly dimensionColumns: readonly string[] }
  | {
      readonly format: 'geoparquet'
      /** Null for either column: it is found by its name. */
      readonly longitudeColumn: string | null
      readonly latitudeColumn: string | null
    }
  | { readonly format: 'odv'; readonly options: OdvOptions }

/** The formats of the language that this version does not write and that a request names by a string alone. */
const OTHER_FORMATS: ReadonlyMap<string, 'parquet' | 'netcdf'> = new Map([
  ['parquet', 'parquet'],
  ['netcdf', 'netcdf'],
  ['hdf5', 'netcdf'],
  ['h5', 'netcdf'],
])

/** Names of other programs for formats, and the end of a message that says how they are called here. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ...['json_lines', 'jsonl', 'jsonlines'].map((name) => [name, ', did you mean "ndjson"?'] as const),
  ...['arrow_file', 'feather'].map((name) => [name, ', did you mean "arrow"?'] as const),
  ...['excel', 'text', 'tsv', 'xls', 'xlsx'].map((name) => [name, ', did you mean "csv"?'] as const),
  ...['arrow_stream', 'arrows', 'ipc_stream', 'stream'].map(
    (name) => [name, '; an Arrow stream is the answer without "output"'] as const,
  ),
])

const HINTS: MemberHints = Object.freeze({
  synonyms: synonymsOf([[['format'], ['as', 'file_format', 'kind', 'name', 'type']]]),
  listed: ['format'],
})

const FORMAT_NAMES = alternatives([...OUTPUT_NAMES.keys()])

export function readOutput(value: unknown, path: string): Output {
  if (typeof value === 'string') reject(path, `expected an object; write {"format": ${describe(value)}}`)
  const members = readMembers(value, path)
  const named = [...members.keys()].find((key) => OUTPUT_NAMES.has(key))
  if (named !== undefined) reject(at(path, named), `unknown member; write {"format": "${named}"}`)
  checkMembers(members, ['format'], path, HINTS)
  const [format, formatPath] = [members.get('format'), at(path, 'format')]
  if (!Array.isArray(format)) return readFormat(format, formatPath)
  // A list of one format is that format.
  if (format.length === 1) return readFormat(format[0], at(formatPath, 0))
  reject(formatPath, `expected one format, ${FORMAT_NAMES}, found a list of ${format.length}`)
}

function readFormat(value: unknown, path: string): Output {
  if (typeof value === 'string') {
    const format = OUTPUT_NAMES.get(value) ?? OTHER_FORMATS.get(value)
    if (format === undefined) {
      const hint = OTHER_NAMES.get(value.toLowerCase()) ?? didYouMean(value, [...OUTPUT_NAMES.keys()])
      reject(path, `expected ${FORMAT_NAMES}, found ${describe(value)}${hint}`)
    }
    return Object.freeze({ format })
  }
  if (!isObject(value)) reject(path, `expected ${FORMAT_NAMES}, found ${describe(value)}`)
  const [entry, ...others] = readMembers(value, path)
  if (entry === undefined || others.length > 0) reject(path, 'expected exactly one format')
  const [key, options] = entry
  const optionsPath = at(path, key)
  switch (key) {
    case 'nd_netcdf':
    case 'ndnetcdf': {
      const members = readMembers(options, optionsPath)
      checkMembers(members, ['dimension_columns'], optionsPath)
      const columns = members.get('dimension_columns')
      const dimensionColumns = readArray(columns, at(optionsPath, 'dimension_columns'), readText)
      return Object.freeze({ format: 'nd_netcdf', dimensionColumns })
    }
    case 'geoparquet': {
      const members = readMembers(options, optionsPath)
      checkMembers(members, ['longitude_column', 'latitude_column'], optionsPath)
      const longitudeColumn = readOptionalText(members, 'longitude_column', optionsPath)
      const latitudeColumn = readOptionalText(members, 'latitude_column', optionsPath)
      return Object.freeze({ format: 'geoparquet', longitudeColumn, latitudeColumn })
    }
    case 'odv':
      return Object.freeze({ format: 'odv', options: readOdvOptions(options, optionsPath) })
    default:
      return reject(path, `expected ${FORMAT_NAMES}, found an object with the member "${key}"`)
  }
}
