import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Test } from 'tap'
import { type AskedService, startAskedService } from '../answers/asking.ts'
import type { TestServiceOptions } from '../e2e/service.ts'
import { SUPER_USER } from '../http/test-server.ts'

export interface Tables extends AskedService {
  /** Writes a file of the dataset root, and the folders above it. */
  put(path: string, content: string | Uint8Array): void
  /** Runs a statement as the super-user. Returns '' or the message of its error. */
  command(sql: string): Promise<string>
  /** The lines of an answer as CSV, the first of them the names, or the message of its error. */
  ask(query: object | string): Promise<readonly string[] | string>
  /** The plan of a query as text, with what was measured. */
  analyze(query: object | string): Promise<string>
  explain(query: object | string): Promise<string>
  /** The columns of a table as `name type`. */
  columns(table: string): Promise<readonly string[]>
}

export async function startTables(t: Test, options: TestServiceOptions = {}): Promise<Tables> {
  const service = await startAskedService(t, options)
  const post = (route: string, body: object): Promise<Response> =>
    fetch(`${service.url}${route}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...SUPER_USER },
      body: JSON.stringify(body),
    })
  const bodyOf = (query: object | string): object => (typeof query === 'string' ? { sql: query } : query)
  return {
    ...service,
    put(path, content) {
      mkdirSync(dirname(service.at(path)), { recursive: true })
      writeFileSync(service.at(path), content)
    },
    async command(sql) {
      const response = await post('/api/query', { sql })
      const text = await response.text()
      return response.status === 200 ? '' : (JSON.parse(text) as string)
    },
    async ask(query) {
      const response = await service.post({ ...bodyOf(query), output: { format: 'csv' } })
      const text = await response.text()
      return response.status === 200 ? text.trim().split('\n') : (JSON.parse(text) as string)
    },
    analyze: async (query) => (await post('/api/explain-analyze-query', bodyOf(query))).text(),
    explain: async (query) => (await post('/api/explain-query', bodyOf(query))).text(),
    async columns(table) {
      const answer = await fetch(`${service.url}/api/table-schema?table_name=${encodeURIComponent(table)}`)
      const { fields } = (await answer.json()) as { fields: { name: string; data_type: unknown }[] }
      return fields.map(({ name, data_type }) => `${name} ${JSON.stringify(data_type)}`)
    },
  }
}

/** The ways in which a query of all columns of a table is asked: in JSON, by the core, and by DuckDB. */
export function waysToAsk(table: string, columns: readonly string[]): Readonly<Record<string, object>> {
  const list = columns.map((name) => `"${name}"`).join(', ')
  return {
    JSON: { from: table, select: columns },
    'a simple SELECT': { sql: `SELECT ${list} FROM ${table}` },
    DuckDB: {
      sql: `SELECT ${list} FROM (SELECT *, row_number() OVER () AS place FROM ${table}) ORDER BY place`,
    },
  }
}
