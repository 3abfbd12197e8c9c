import { createHash } from 'node:crypto'
import { type Agreement, type Answer, difference } from './answer.ts'
import { answerOfStream } from './arrow.ts'
import type { Native } from './native.ts'

/** A query as a statement for native DuckDB, whose answer is the right one. */
export interface Question {
  /** The name of the query in messages. */
  readonly name: string
  readonly sql: string
  readonly agreement: Agreement
}

/** Compares many answers to few questions. Equal bodies are compared only once. */
export interface Judge {
  /** Rejects with the differences when native DuckDB has another answer to each of the questions. */
  right(body: Buffer, ...questions: readonly Question[]): Promise<void>
  /** The number of different bodies that were right. */
  compared(): number
}

export function createJudge(duckdb: Native): Judge {
  const expected = new Map<string, Promise<Answer>>()
  const seen = new Set<string>()
  const fault = async (body: Buffer, { name, sql, agreement }: Question): Promise<string | null> => {
    const digest = createHash('sha1').update(sql).update(body).digest('hex')
    if (seen.has(digest)) return null
    const answer = expected.get(sql) ?? duckdb.answer(sql)
    expected.set(sql, answer)
    const discrepancy = difference(await answer, answerOfStream(body), agreement)
    if (discrepancy === null) seen.add(digest)
    return discrepancy === null ? null : `${name}: ${discrepancy}`
  }
  return {
    async right(body, ...questions) {
      const faults: string[] = []
      for (const question of questions) {
        const problem = await fault(body, question)
        if (problem === null) return
        faults.push(problem)
      }
      throw new Error(faults.join('; nor '))
    },
    compared: () => seen.size,
  }
}
