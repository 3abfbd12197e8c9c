import { quoteSqlName } from '../../../plan/statement/statement.ts'

/** '' as the schema: it is the one in which the login is. */
export function printTable(schema: string, name: string): string {
  return schema === '' ? quoteSqlName(name) : `${quoteSqlName(schema)}.${quoteSqlName(name)}`
}
