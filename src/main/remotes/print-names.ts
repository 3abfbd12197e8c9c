/** A name in double quotes, as every dialect of SQL but that of MySQL reads it. */
export function printQuoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

export function printTable(schema: string, name: string): string {
  return `${printQuoted(schema)}.${printQuoted(name)}`
}
