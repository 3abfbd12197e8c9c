import { ServiceError } from '../../../plan/errors.ts'
import { type Schema, typeName, valueType } from '../../../plan/types/schema.ts'
import type { TextForm } from './deliver-text.ts'

/** One JSON document: the names and types of the columns, and an array of each row. */
export const JSON_DOCUMENT: TextForm = Object.freeze({
  head: documentHead,
  // The comma before each row but the first.
  separatorBytes: 1,
  tail: '\n]}\n',
})

/** NDJSON: an object of each row, on a line of its own. */
export const JSON_LINES: TextForm = Object.freeze({ head: requireUniqueNames, separatorBytes: 0, tail: '' })

function documentHead({ fields }: Schema): string {
  const columns = fields.map(({ name, type }) => ({ name, type: typeName(valueType(type)) }))
  return `{"columns":${JSON.stringify(columns)},\n"rows":[`
}

function requireUniqueNames({ fields }: Schema): string {
  const names = new Set<string>()
  for (const { name } of fields) {
    if (names.has(name))
      throw new ServiceError(
        'not_supported',
        `output.format: several columns are named ${JSON.stringify(name)}, which an object of NDJSON cannot hold; rename all but one, or use json`,
      )
    names.add(name)
  }
  return ''
}
