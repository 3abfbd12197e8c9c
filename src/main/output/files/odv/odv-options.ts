import {
  at,
  checkMembers,
  describe,
  type Members,
  readArray,
  readMembers,
  readOptionalText,
  readSpelledText,
  readSpelling,
  readText,
  reject,
} from '../../../json/shape.ts'
import type { OutputOptionsForm } from '../../output-format.ts'

/** The options of an answer in the ODV format (docs/reference/json-language.md). */
export interface OdvOptions {
  readonly longitudeColumn: OdvColumn
  readonly latitudeColumn: OdvColumn
  readonly depthColumn: OdvColumn
  readonly timeColumn: OdvColumn
  /** The column whose values tell the station of a row. */
  readonly keyColumn: string
  readonly qfSchema: string
  readonly dataColumns: readonly OdvColumn[]
  readonly metaColumns: readonly OdvColumn[]
  readonly featureTypeColumn: string | null
  readonly archiving: (typeof ARCHIVING)[number]
  readonly compression: (typeof COMPRESSION)[number]
}

export interface OdvColumn {
  readonly columnName: string
  readonly comment: string | null
  readonly significantDigits: number | null
  readonly qfColumn: string | null
  readonly units: string | null
}

const ARCHIVING = ['ZipStd', 'zip_deflate'] as const
const COMPRESSION = ['Deflate', 'Stored', 'Zstd'] as const

const META_COLUMNS = ['meta_columns', 'metadata_columns']
const UNITS = ['units', 'unit']

/** The members that a request must have. */
const ODV_REQUIRED = [
  'longitude_column',
  'latitude_column',
  'depth_column',
  'time_column',
  'key_column',
  'qf_schema',
  'data_columns',
  'meta_columns',
]
const MEMBERS = [
  ...new Set([...ODV_REQUIRED, ...META_COLUMNS]),
  'feature_type_column',
  'archiving',
  'compression',
]
const COLUMN_MEMBERS = ['column_name', 'comment', 'significant_digits', 'qf_column', ...UNITS]

function readOdvOptions(value: unknown, path: string): OdvOptions {
  const members = readMembers(value, path)
  checkMembers(members, MEMBERS, path)
  const column = (key: string) => readColumn(members.get(key), at(path, key))
  const meta = readSpelling(members, META_COLUMNS, path)
  const metaKey = meta?.key ?? 'meta_columns'
  return Object.freeze({
    longitudeColumn: column('longitude_column'),
    latitudeColumn: column('latitude_column'),
    depthColumn: column('depth_column'),
    timeColumn: column('time_column'),
    keyColumn: readText(members.get('key_column'), at(path, 'key_column')),
    qfSchema: readText(members.get('qf_schema'), at(path, 'qf_schema')),
    dataColumns: readArray(members.get('data_columns'), at(path, 'data_columns'), readColumn),
    metaColumns: readArray(meta?.value, at(path, metaKey), readColumn),
    featureTypeColumn: readOptionalText(members, 'feature_type_column', path),
    archiving: readChoice(members, 'archiving', ARCHIVING, path),
    compression: readChoice(members, 'compression', COMPRESSION, path),
  })
}

function readColumn(value: unknown, path: string): OdvColumn {
  const members = readMembers(value, path)
  checkMembers(members, COLUMN_MEMBERS, path)
  const units = readSpelling(members, UNITS, path)
  const digits = members.get('significant_digits') ?? null
  if (digits !== null && !(typeof digits === 'number' && Number.isInteger(digits) && digits >= 0)) {
    reject(at(path, 'significant_digits'), `expected an integer of 0 or more, found ${describe(digits)}`)
  }
  return Object.freeze({
    columnName: readSpelledText(members, ['column_name'], path),
    comment: readOptionalText(members, 'comment', path),
    significantDigits: digits,
    qfColumn: readOptionalText(members, 'qf_column', path),
    units: units === null ? null : readText(units.value, at(path, units.key)),
  })
}

/** Reads a member that is one of a few words. If it is absent, it is the first of them. */
function readChoice<T extends string>(
  members: Members,
  key: string,
  choices: readonly [T, ...T[]],
  path: string,
): T {
  const value = members.get(key)
  if (value === undefined) return choices[0]
  const choice = choices.find((word) => word === value)
  if (choice === undefined) {
    reject(at(path, key), `expected one of ${choices.join(', ')}, found ${describe(value)}`)
  }
  return choice
}

const text = { type: 'string' } as const

const columnSchema = {
  type: 'object',
  properties: {
    column_name: text,
    units: text,
    qf_column: { ...text, description: 'Column of the quality flags' },
    comment: text,
    significant_digits: { type: 'integer', minimum: 0 },
  },
  required: ['column_name'],
}

export const ODV_OPTIONS: OutputOptionsForm<OdvOptions> = Object.freeze({
  schema: {
    type: 'object',
    properties: {
      longitude_column: columnSchema,
      latitude_column: columnSchema,
      depth_column: columnSchema,
      time_column: columnSchema,
      key_column: { ...text, description: 'Groups rows into stations' },
      qf_schema: { ...text, examples: ['SEADATANET'] },
      data_columns: { type: 'array', items: columnSchema },
      meta_columns: { type: 'array', items: columnSchema },
      feature_type_column: text,
      archiving: { ...text, enum: ARCHIVING },
      compression: { ...text, enum: COMPRESSION },
    },
    required: ODV_REQUIRED,
  },
  areRequired: true,
  read: readOdvOptions,
})
