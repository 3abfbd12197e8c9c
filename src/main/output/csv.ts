import { ServiceError } from '../../plan/errors.ts'
import { isNested, type Schema, typeName } from '../../plan/types/schema.ts'

/**
 * The header line of a CSV file. Names are quoted only where necessary (docs/guides/output-formats.md). Throws `not_supported`
 * for columns of types that CSV has no form for.
 */
export function csvHeader({ fields }: Schema): string {
  const nested = fields.find(({ type }) => isNested(type))
  if (nested !== undefined)
    throw new ServiceError(
      'not_supported',
      `output.format: column ${JSON.stringify(nested.name)} is ${typeName(nested.type)}, which CSV has no form for; leave it out, or use arrow`,
    )
  return `${fields.map(({ name }) => quoted(name)).join(',')}\n`
}

function quoted(name: string): string {
  return name === '' || /[",\r\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name
}
