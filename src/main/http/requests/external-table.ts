import { ServiceError } from '../../../plan/errors.ts'
import { foldSqlName } from '../../../plan/statement/statement.ts'
import { tableOptions } from '../../sql/grammar/families/options.ts'
import type { CreateExternalTable, StatementOption } from '../../sql/grammar/node.ts'
import { type JsonObject, jsonObject } from './json-body.ts'

const EXAMPLE = '{"name": "obs", "location": "obs/", "file_type": "PARQUET"}'

/**
 * The statement that a request for an external table stands for. Members that are not known are passed over. Throws `malformed_body`,
 * `wrong_shape` for a member that is missing or of another type, and `invalid_query` for a partition or an option that is given twice.
 * `onHidden` gets the values of options that are secrets.
 */
export function externalTable(text: string, onHidden: (value: string) => void): CreateExternalTable {
  const body = jsonObject(text, `A table is a JSON object, such as ${EXAMPLE}`)
  const name = textOf(body, 'name')
  const location = textOf(body, 'location')
  const format = textOf(body, 'file_type')
    .replaceAll(/[^A-Za-z0-9_]/g, '')
    .toUpperCase()
  const isKept = flagOf(body, 'if_not_exists')
  return Object.freeze({
    kind: 'create_external_table',
    name: Object.freeze({ catalog: null, schema: null, name }),
    ifExists: isKept ? 'keep' : 'replace',
    columns: null,
    format,
    partitions: Object.freeze(partitionsOf(body)),
    order: Object.freeze([]),
    location,
    options: tableOptions(optionsOf(body), format, onHidden),
  })
}

function textOf(body: JsonObject, member: string): string {
  const value = body[member]
  if (typeof value === 'string') return value
  throw wrong(member, 'a string', value)
}

function flagOf(body: JsonObject, member: string): boolean {
  const value = body[member] ?? false
  if (typeof value === 'boolean') return value
  throw wrong(member, 'true or false', value)
}

function partitionsOf(body: JsonObject): CreateExternalTable['partitions'] {
  const value = body['partition_cols'] ?? []
  if (!Array.isArray(value)) throw wrong('partition_cols', 'an array of strings', value)
  const names = value.map((each: unknown, index): string => {
    if (typeof each !== 'string') throw wrong(`partition_cols[${index}]`, 'a string', each)
    return each
  })
  requireDistinct('partition_cols', names.map(foldSqlName))
  return names.map((name) => Object.freeze({ name, type: null }))
}

function optionsOf(body: JsonObject): readonly StatementOption[] {
  const value = body['options'] ?? {}
  if (typeof value !== 'object' || Array.isArray(value)) throw wrong('options', 'an object of strings', value)
  const options = Object.entries(value).map(([key, text]: [string, unknown]) => {
    if (typeof text !== 'string') throw wrong(`options.${key}`, 'a string', text)
    return { key: key.toLowerCase(), value: text }
  })
  requireDistinct(
    'options',
    options.map(({ key }) => key),
  )
  return options
}

function requireDistinct(member: string, names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined)
    throw new ServiceError('invalid_query', `${member}: ${JSON.stringify(twice)} is given twice.`)
}

function wrong(member: string, expected: string, actual: unknown): ServiceError {
  const problem = actual === undefined ? 'is missing' : `must be ${expected}`
  return new ServiceError('wrong_shape', `"${member}" ${problem}; a table is sent as ${EXAMPLE}.`)
}
