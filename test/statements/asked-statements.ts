import type { Test } from 'tap'
import { type AskedService, startAskedService } from '../answers/asking.ts'
import type { TestServiceOptions } from '../e2e/service.ts'

const AUTHORIZATION = `Basic ${Buffer.from('admin:words').toString('base64')}`

export interface StatedService extends AskedService {
  /** Runs a statement as the super-user. Returns the message of its error. Null: it has succeeded. */
  state(sql: string): Promise<string | null>
  /** The lines of the answer to a query as CSV, or the message of its error. */
  answer(query: object): Promise<readonly string[] | string>
  /** The engine that runs a query. */
  engine(query: object): Promise<'core' | 'DuckDB'>
}

/** A service whose super-user runs statements. */
export async function startStatedService(t: Test, options: TestServiceOptions = {}): Promise<StatedService> {
  const settings = { SERVICE_ADMIN_USERNAME: 'admin', SERVICE_ADMIN_PASSWORD: 'words', ...options.settings }
  const service = await startAskedService(t, { ...options, settings })
  return {
    ...service,
    async state(sql) {
      const response = await service.post({ sql }, { authorization: AUTHORIZATION })
      if (response.status !== 200) return JSON.parse(await response.text())
      await response.arrayBuffer()
      return null
    },
    async answer(query) {
      const response = await service.post({ ...query, output: { format: 'csv' } })
      const text = await response.text()
      return response.status === 200 ? text.trim().split('\n') : JSON.parse(text)
    },
    async engine(query) {
      const response = await fetch(`${service.url}/api/explain-query`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(query),
      })
      const text = await response.text()
      if (response.status !== 200) throw new Error(text)
      return /"Engine": ?"DuckDB"/.test(text) ? 'DuckDB' : 'core'
    },
  }
}
