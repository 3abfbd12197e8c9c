import { freeMemory } from '../../../plan/free-memory.ts'
import { MOST_SHARED_CHARACTERS, type StreamedAnswer } from '../../answers/answers.ts'
import type { WholeAnswer } from '../../answers/whole-answer.ts'
import { join } from '../../output/body.ts'
import type { ReceivedQuery } from '../../query/run/service.ts'
import { hasStatement, receivedQuery, runnable } from '../requests/received-query.ts'
import type { Services } from '../services.ts'
import { type BoundedRows, boundRows, enoughFor } from './bounded-rows.ts'
import type { ToolCall } from './tool.ts'

/** The rows that a query gives, each as a JSON object. */
export interface QueryRows extends BoundedRows {
  readonly id: string
  readonly notice: string | null
}

/** A query of one of the two forms, without `output`. */
type QueryBody = { readonly sql: string } | { readonly select: readonly string[]; readonly from: string }

/** Runs a query as POST /api/query does, but for its first rows, and for nothing that changes anything. */
export async function queryRows(
  services: Pick<Services, 'answers' | 'config' | 'formats' | 'statements'>,
  body: QueryBody,
  mostRows: number,
  { caller, caching, signal }: ToolCall,
): Promise<QueryRows> {
  const { answers, config, formats, statements } = services
  const text = JSON.stringify({ ...body, output: { format: 'ndjson' } })
  // No body of POST /api/query begins so, whose answer has all rows.
  const key = `${caller.key} first ${mostRows} ${text}`
  const isShared = caching && config.cacheBytes > 0 && text.length <= MOST_SHARED_CHARACTERS
  const keptAnswer = isShared ? await answers.find(key) : null
  if (keptAnswer !== null) return rowsOf(await linesOf(keptAnswer), keptAnswer, mostRows)
  const query: ReceivedQuery = {
    ...runnable(receivedQuery(text, caching, formats), config),
    most: enoughFor(mostRows),
  }
  if (hasStatement(query)) {
    const { body: answer, ...head } = await statements.look(query, caller, signal)
    return rowsOf(await linesOf({ ...head, stream: answer.stream() }), head, mostRows)
  }
  const answer = isShared
    ? await answers.run(key, query, caller, signal, Number.POSITIVE_INFINITY)
    : await answers.runAlone(query, caller, signal, Number.POSITIVE_INFINITY)
  return rowsOf(await linesOf(answer), answer, mostRows)
}

function rowsOf(
  lines: readonly string[],
  { id, notice }: Pick<WholeAnswer, 'id' | 'notice'>,
  mostRows: number,
): QueryRows {
  return { ...boundRows(lines, mostRows), id, notice }
}

/** The lines of an answer. It has few, because the query was asked for no more. */
async function linesOf(answer: WholeAnswer | StreamedAnswer): Promise<readonly string[]> {
  const chunks = 'chunks' in answer ? answer.chunks : ((await answer.stream.toArray()) as Buffer[])
  const lines = join(chunks).toString().split('\n').slice(0, -1)
  if ('chunks' in answer && answer.isUnshared) answer.chunks.forEach(freeMemory)
  return lines
}
