import { createHash } from 'node:crypto'
import { type Answer, difference } from './answer.ts'
import { answerOfStream } from './arrow.ts'
import type { Case } from './cases.ts'
import type { Native } from './native.ts'

/** Compares many answers to few questions: the same bytes are looked at once. */
export interface Judge {
  /** Rejects, with what is different, when the body is not the answer to the case that native DuckDB gives. */
  right(each: Case, body: Buffer): Promise<void>
  /** How many different bodies there were. */
  compared(): number
}

export function createJudge(duckdb: Native): Judge {
  const expected = new Map<string, Promise<Answer>>()
  const seen = new Set<string>()
  return {
    async right(each, body) {
      const { sql, agreement } = each
      const digest = createHash('sha1').update(JSON.stringify(each.body)).update(body).digest('hex')
      if (seen.has(digest)) return
      const answer = expected.get(sql) ?? duckdb.answer(sql)
      expected.set(sql, answer)
      const fault = difference(await answer, answerOfStream(body), agreement)
      if (fault !== null) throw new Error(`${each.layout} ${each.query} ${each.form}: ${fault}`)
      seen.add(digest)
    },
    compared: () => seen.size,
  }
}
