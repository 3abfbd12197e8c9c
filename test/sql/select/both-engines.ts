import assert from 'node:assert/strict'
import { tableFromIPC } from 'apache-arrow'
import type { TestService } from '../../e2e/service.ts'
import { post } from '../../http/test-server.ts'
import { arrowRows, type PlainValue, sameRows } from './plain-values.ts'

/** An answer, or the message of an error. */
export type AnswerOrError = Answer | string

interface Answer {
  readonly rows: PlainValue[][]
  /** Names and types. */
  readonly columns: readonly string[]
}

/** Asks a statement of the engine that the service chooses, and of DuckDB. */
export async function askBoth(
  service: TestService,
  sql: string,
): Promise<{
  readonly engine: 'core' | 'DuckDB'
  readonly core: AnswerOrError
  readonly duck: AnswerOrError
}> {
  // The same statement in a form that the core declines.
  const duck = await ask(service, `WITH unused AS (SELECT 1) ${sql}`)
  return { engine: await engineOf(service, sql), core: await ask(service, sql), duck }
}

/** Asks a statement of the engine that the service chooses. */
export async function ask(service: TestService, sql: string): Promise<AnswerOrError> {
  return answerOf(await service.query({ sql }), sql)
}

/**
 * What a response in Arrow says to a question. A mistake in the values of some rows is seen in the status, or, if other rows were sent before, in a body
 * that breaks off.
 */
export async function answerOf(response: Response, asked: string): Promise<AnswerOrError> {
  if (response.status === 400) return await response.text()
  assert.equal(response.status, 200, `${asked}: ${response.status}`)
  const body = await response.arrayBuffer().catch(() => null)
  if (body === null) return 'the body breaks off'
  const table = tableFromIPC(new Uint8Array(body))
  return {
    rows: arrowRows(table),
    columns: table.schema.fields.map(({ name, type }) => `${name}: ${type}`),
  }
}

async function engineOf({ url }: TestService, sql: string): Promise<'core' | 'DuckDB'> {
  const response = await post(`${url}/api/explain-query`, { sql })
  return /"Engine": ?"DuckDB"/.test(await response.text()) || response.status !== 200 ? 'DuckDB' : 'core'
}

/** Errors of DuckDB alone: it adds decimals in 128 bits, and has no infinite variance. */
const TOO_LARGE = /out of range|overflow/i

export function sameAnswers(core: AnswerOrError, duck: AnswerOrError, isOrdered: boolean): boolean {
  if (typeof duck === 'string') return typeof core === 'string' || TOO_LARGE.test(duck)
  if (typeof core === 'string') return false
  return String(core.columns) === String(duck.columns) && sameRows(core.rows, duck.rows, isOrdered)
}

export function show(answer: unknown): string {
  return JSON.stringify(answer, (_, value) => (typeof value === 'bigint' ? `${value}n` : value))
}
