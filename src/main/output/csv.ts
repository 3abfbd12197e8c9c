import type { Schema } from '../../plan/schema.ts'

/** The header line of a CSV file: names quoted only where they must be (formats.md §7.2). */
export function csvHeader(schema: Schema): string {
  return `${schema.fields.map((field) => quoted(field.name)).join(',')}\n`
}

function quoted(name: string): string {
  return name === '' || /[",\r\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name
}
