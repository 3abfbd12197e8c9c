import { join } from 'node:path'
import { type Table, tableFromIPC } from 'apache-arrow'
import type { Test } from 'tap'
import { createFormats } from '../../src/plan/format/create-formats.ts'
import { FORMATS } from '../../src/plan/formats.ts'
import { startTestService, type TestService, type TestServiceOptions } from '../e2e/service.ts'
import { TOY } from '../formats/toy-folder/row.ts'

const FORMATS_WITH_TOY = createFormats([...FORMATS.rows, TOY])
const WORKER = new URL('../formats/toy-folder/worker.ts', import.meta.url)

/** The service with a format whose datasets are folders. */
export function startToyService(t: Test, options: TestServiceOptions = {}): Promise<TestService> {
  return startTestService(t, { formats: FORMATS_WITH_TOY, worker: WORKER, ...options })
}

/** A column of an answer as numbers. Throws when the status is not 200. */
export async function numbersOf(response: Response, name = 'a'): Promise<number[]> {
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`)
  return numbersIn(tableFromIPC(new Uint8Array(await response.arrayBuffer())), name)
}

export function numbersIn(table: Table, name = 'a'): number[] {
  return [...(table.getChild(name) ?? [])].map(Number)
}

export const idOf = (response: Response): string | null => response.headers.get('x-service-query-id')

export const below = (service: TestService, ...names: readonly string[]): string =>
  join(service.datasets, ...names)
