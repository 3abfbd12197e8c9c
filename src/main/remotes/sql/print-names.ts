import { quoteSqlName } from '../../../plan/statement/statement.ts'

export function printTable(schema: string, name: string): string {
  return `${quoteSqlName(schema)}.${quoteSqlName(name)}`
}
