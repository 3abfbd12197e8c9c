import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { tableFromIPC } from 'apache-arrow'
import type { Test } from 'tap'
import type { CrawledGroup, CrawlReport } from '../../src/main/crawlers/walk/crawl-request.ts'
import { startTestService, type TestService, type TestServiceOptions } from '../e2e/service.ts'
import { SUPER_USER } from '../http/test-server.ts'
import { untilSettled } from '../support/settled.ts'

interface Answered {
  readonly status: number
  readonly text: string
}

export interface CrawledService extends TestService {
  /** Writes a file below the dataset root. */
  put(path: string, content: string): void
  /** Waits until files that were written are settled. */
  settle(): Promise<void>
  /** A request of the super-user. */
  ask(method: string, path: string, body?: unknown): Promise<Answered>
  /** Defines a crawler by REST. */
  define(name: string, members?: object): Promise<void>
  /** The report of a run by REST. */
  run(name: string, query?: string): Promise<Report>
  /** Runs a statement as the super-user. Returns its rows as objects, or the message of its error. */
  state(sql: string): Promise<readonly Readonly<Record<string, unknown>>[] | string>
  /** The lines of a query as CSV, or the message of its error. */
  lines(sql: string): Promise<readonly string[] | string>
}

export interface Report {
  readonly crawler: string
  readonly discovered: number
  readonly created: readonly string[]
  readonly updated: readonly string[]
  readonly skipped: readonly string[]
  readonly failed: readonly (readonly [string, string])[]
  readonly skipped_files: number
  readonly vanished: readonly string[]
  readonly unread: readonly object[]
  readonly dry_run: boolean
}

export async function startCrawledService(
  t: Test,
  options: TestServiceOptions = {},
): Promise<CrawledService> {
  const service = await startTestService(t, { workers: 1, ...options })
  const ask = async (method: string, path: string, body?: unknown): Promise<Answered> => {
    const answer = await fetch(service.url + path, {
      method,
      headers: { ...SUPER_USER, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, text: await answer.text() }
  }
  const query = (body: object): Promise<Response> =>
    service.query(body, { headers: { ...SUPER_USER, 'content-type': 'application/json' } })
  return {
    ...service,
    put(path, content) {
      const file = join(service.datasets, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, content)
    },
    settle: () => untilSettled(service.datasets),
    ask,
    async define(name, members = {}) {
      const { status, text } = await ask('POST', '/api/admin/crawlers', {
        name,
        target_prefix: '',
        ...members,
      })
      if (status !== 200) throw new Error(`${status}: ${text}`)
    },
    async run(name, search = '') {
      const { status, text } = await ask(
        'POST',
        `/api/admin/crawlers/${encodeURIComponent(name)}/run${search}`,
      )
      if (status !== 200) throw new Error(`${status}: ${text}`)
      return JSON.parse(text) as Report
    },
    async state(sql) {
      const answer = await query({ sql })
      if (answer.status !== 200) return JSON.parse(await answer.text()) as string
      const table = tableFromIPC(new Uint8Array(await answer.arrayBuffer()))
      return table.toArray().map((row) => row.toJSON() as Record<string, unknown>)
    },
    async lines(sql) {
      const answer = await query({ sql, output: { format: 'csv' } })
      const text = await answer.text()
      return answer.status === 200 ? text.trim().split('\n') : (JSON.parse(text) as string)
    },
  }
}

/** A group of CSV files in a folder, as a walk finds it. */
export function csvGroup(folder: string, more: Partial<CrawledGroup> = {}): CrawledGroup {
  const name = folder.split('/').at(-1) ?? ''
  return {
    name: name.toLowerCase(),
    location: folder === '' ? '*.csv' : `${folder}/*.csv`,
    format: 'CSV',
    options: {},
    partitions: [],
    files: 1,
    ...more,
  }
}

/** What a walk has found that has found these groups. */
export function walkedGroups(groups: readonly CrawledGroup[], more: Partial<CrawlReport> = {}): CrawlReport {
  return { groups, scannedFiles: groups.length, folders: groups.length, skippedFiles: 0, unread: [], ...more }
}
