import { join } from 'node:path'
import { type Table, tableFromIPC } from 'apache-arrow'
import type { Test } from 'tap'
import { startTestService, type TestService, type TestServiceOptions } from '../e2e/service.ts'
import { untilSettled } from '../support/settled.ts'

export interface AskedService extends TestService {
  /** Absolute, of a file or folder of the dataset root. */
  at(path: string): string
  /** `GET /api/query` with the query in its URL. */
  get(query: object, headers?: Record<string, string>): Promise<Response>
  post(query: object, headers?: Record<string, string>): Promise<Response>
  /** Waits until files that were written are settled. */
  settle(): Promise<void>
}

export async function startAskedService(t: Test, options: TestServiceOptions = {}): Promise<AskedService> {
  const service = await startTestService(t, options)
  return {
    ...service,
    at: (path) => join(service.datasets, path),
    get: (query, headers = {}) =>
      fetch(`${service.url}/api/query?q=${encodeURIComponent(JSON.stringify(query))}`, { headers }),
    post: (query, headers = {}) =>
      service.query(query, { headers: { 'content-type': 'application/json', ...headers } }),
    settle: () => untilSettled(service.datasets),
  }
}

export function csv(...numbers: readonly number[]): string {
  return `n\n${numbers.join('\n')}\n`
}

export async function numbersOf(response: Response): Promise<readonly number[]> {
  const table: Table = tableFromIPC(new Uint8Array(await response.arrayBuffer()))
  return [...(table.getChild('n') ?? [])].map(Number)
}

/** The run that made an answer. */
export function idOf(response: Response): string | null {
  return response.headers.get('x-service-query-id')
}
