import { ServiceError } from '../../../plan/errors.ts'
import { isNested, type Schema, typeName } from '../../../plan/types/schema.ts'
import type { TextForm } from './deliver-text.ts'

/** CSV: a header line, and a line for each row. */
export const CSV: TextForm = Object.freeze({ head: csvHeader, separatorBytes: 0, tail: '' })

/**
 * The header line of a CSV file. Names are quoted only where necessary (docs/guides/output-formats.md). Throws `not_supported`
 * for columns of types that CSV has no form for.
 */
function csvHeader({ fields }: Schema): string {
  const nested = fields.find(({ type }) => isNested(type))
  if (nested !== undefined)
    throw new ServiceError(
      'not_supported',
      `output.format: column ${JSON.stringify(nested.name)} is ${typeName(nested.type)}, which CSV has no form for; leave it out, or use json or arrow`,
    )
  return `${fields.map(({ name }) => quote(name)).join(',')}\n`
}

function quote(name: string): string {
  return name === '' || /[",\r\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name
}
